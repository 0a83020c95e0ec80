import mammoth from 'mammoth'
import { isElement, parseDocument, tagOf, walk } from './dom.ts'
import { type Extraction, extracted, type Limits, notExtracted } from './extracted.ts'
import { htmlContent } from './html.ts'
import { readZip, storedZip, ZipBroken, ZipTooLarge } from './zip.ts'

/** The parts that hold text or say how it is meant. Images, fonts and embedded files are not even inflated. */
const PART = /^(?!.*(?:^|\/)\.\.(?:\/|$))(?!(?:customXml|word\/(?:theme|glossary|embeddings))\/).*\.(?:xml|rels)$/i
const CORE = 'docProps/core.xml'

/** Names in the core properties, and what they are called here. */
const PROPERTIES: ReadonlyMap<string, string> = new Map([
  ['creator', 'author'],
  ['subject', 'subject'],
  ['description', 'description'],
  ['keywords', 'keywords'],
])

/** A DOCX file as Markdown. What it links to is not loaded; images are their description. */
export async function readDocx(path: string, bytes: Uint8Array, limits: Limits): Promise<Extraction> {
  try {
    const parts = readZip(bytes, (name) => PART.test(name), limits.inflatedBytes)
    const strange = [...parts].find(([, content]) => Buffer.from(content.subarray(0, 4096)).includes('<!DOCTYPE'))
    if (strange) return notExtracted('failed', `Its part ${strange[0]} declares a document type, which none may.`)
    return await readParts(path, parts, limits)
  } catch (error) {
    if (error instanceof ZipTooLarge) return notExtracted('over-limit', error.message)
    if (error instanceof ZipBroken) return notExtracted('failed', error.message)
    throw error
  }
}

async function readParts(path: string, parts: ReadonlyMap<string, Uint8Array>, limits: Limits): Promise<Extraction> {
  const converted = await mammoth.convertToHtml(
    { buffer: storedZip(parts) },
    {
      styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"],
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    },
  )
  const content = htmlContent(converted.value)
  const { title, ...metadata } = propertiesOf(parts.get(CORE))
  const warnings = converted.messages.filter(({ type }) => type === 'error').map(({ message }) => message)
  return extracted(path, { ...content, format: 'docx', title: title || content.title, metadata, warnings }, limits)
}

function propertiesOf(core: Uint8Array | undefined): Record<string, string> {
  const found: Record<string, string> = {}
  if (!core) return found
  const document = parseDocument(Buffer.from(core).toString(), 'text/xml')
  walk(document, (node) => {
    const property = tagOf(node).replace(/^.*:/, '')
    const name = property === 'title' ? property : PROPERTIES.get(property)
    const text = isElement(node) ? node.textContent.trim() : ''
    if (name && text) found[name] ??= text
    return true
  })
  return found
}
