/** Reads the parts (XML files) and the metadata of documents that are zip archives: DOCX, XLSX, PPTX and ODT. */

import { type Extraction, type ExtractLimits, notExtracted } from '../extracted.ts'
import { isElement, parseDocument, tagOf, walkDom } from './dom.ts'
import { InvalidZip, readZip, ZipTooLarge } from './zip.ts'

export type ArchiveParts = ReadonlyMap<string, Uint8Array>

type ReadParts = (path: string, parts: ArchiveParts, limits: ExtractLimits) => Promise<Extraction> | Extraction

/**
 * Creates a reader that reads only parts whose names match. Refuses document types, whose entities could expand.
 */
export function archiveReader(partPattern: RegExp, read: ReadParts) {
  return async (path: string, bytes: Uint8Array, limits: ExtractLimits): Promise<Extraction> => {
    const isWanted = (name: string) => partPattern.test(name) && !/(?:^|\/)\.\.(?:\/|$)/.test(name)
    try {
      const parts = readZip(bytes, isWanted, limits.inflatedBytes)
      const doctypePart = [...parts].find(([, content]) => Buffer.from(content.subarray(0, 4096)).includes('<!DOCTYPE'))
      if (doctypePart)
        return notExtracted('failed', `Its part ${doctypePart[0]} declares a document type, which is not allowed.`)
      return await read(path, parts, limits)
    } catch (error) {
      if (error instanceof ZipTooLarge) return notExtracted('over-limit', error.message)
      if (error instanceof InvalidZip) return notExtracted('failed', error.message)
      throw error
    }
  }
}

/** The text of a part; `''` if there is none. */
export function partText(parts: ArchiveParts, name: string): string {
  return Buffer.from(parts.get(name) ?? []).toString('utf8')
}

/** Names of metadata, by the names of the document's properties. */
const PROPERTIES: ReadonlyMap<string, string> = new Map([
  ['title', 'title'],
  ['creator', 'author'],
  ['initial-creator', 'author'],
  ['subject', 'subject'],
  ['description', 'description'],
  ['keywords', 'keywords'],
  ['keyword', 'keywords'],
])

/** The properties in a part such as `docProps/core.xml`. */
export function propertiesIn(parts: ArchiveParts, name: string): Record<string, string> {
  const properties: Record<string, string> = {}
  walkDom(parseDocument(partText(parts, name), 'text/xml'), (node) => {
    const property = PROPERTIES.get(tagOf(node).replace(/^.*:/, ''))
    const text = isElement(node) ? node.textContent.trim() : ''
    if (property && text) properties[property] ??= text
    return true
  })
  return properties
}
