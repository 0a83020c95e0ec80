import mammoth from 'mammoth'
import { type Extraction, type ExtractLimits, toExtraction } from '../extracted.ts'
import { type ArchiveParts, archiveReader, propertiesIn } from './archive.ts'
import { htmlContent } from './html.ts'
import { storedZip } from './zip.ts'

/** Matches the parts with text or styles. Images, fonts and embedded files are not inflated. */
const PART = /^(?!(?:customXml|word\/(?:theme|glossary|embeddings))\/).*\.(?:xml|rels)$/i

/** Reads a DOCX file as Markdown. Loads no links; images become their descriptions. */
export const readDocx = archiveReader(PART, readDocument)

async function readDocument(path: string, parts: ArchiveParts, limits: ExtractLimits): Promise<Extraction> {
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
  const { title, ...metadata } = propertiesIn(parts, 'docProps/core.xml')
  const document = { ...content, format: 'docx', title: title || content.title, metadata, warnings: [] } as const
  return toExtraction(path, document, limits)
}
