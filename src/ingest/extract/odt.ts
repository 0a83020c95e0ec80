import { foldSpace } from '../../text/trim.ts'
import { escapeHtml } from '../../text/xml.ts'
import { type Extraction, type ExtractLimits, notExtracted, toExtraction } from '../extracted.ts'
import { type ArchiveParts, archiveReader, partText, propertiesIn } from './archive.ts'
import { type DomNode, elementsNamed, isElement, isTextNode, parseDocument, tagOf } from './dom.ts'
import { htmlContent } from './html.ts'

const READ_PARTS = /^(?:content|meta|META-INF\/manifest)\.xml$/

/** Elements whose text is not shown in the document: deletions, comments, tables of contents, embedded objects. */
const DROPPED_TAGS: ReadonlySet<string> = new Set(
  (
    'text:tracked-changes text:table-of-content text:note-citation text:sequence-decls office:annotation office:forms ' +
    'office:binary-data office:scripts office:automatic-styles office:font-face-decls svg:title svg:desc'
  ).split(' '),
)

const HTML_ELEMENTS: Readonly<Record<string, string>> = {
  'text:p': 'p',
  'text:list': 'ul',
  'text:list-item': 'li',
  'text:list-header': 'li',
  'table:table': 'table',
  'table:table-row': 'tr',
  'table:table-cell': 'td',
  'table:covered-table-cell': 'td',
}

/** Maximum depth. Deeper elements become plain text. */
const MAX_DEPTH = 200

/** An ODT file as Markdown. */
export const readOdt = archiveReader(READ_PARTS, readParts)

function readParts(path: string, parts: ArchiveParts, limits: ExtractLimits): Extraction {
  const xml = partText(parts, 'content.xml')
  if (xml === '') return notExtracted('failed', 'It holds no document.')
  if (partText(parts, 'META-INF/manifest.xml').includes('encryption-data'))
    return notExtracted('unreadable', 'It is locked with a password.')
  const content = htmlContent([...parseDocument(xml, 'text/xml').childNodes].map((node) => htmlOf(node, 0)).join(''))
  const { title, ...metadata } = propertiesIn(parts, 'meta.xml')
  const document = { ...content, format: 'odt', title: title || content.title, metadata, warnings: [] } as const
  return toExtraction(path, document, limits)
}

function htmlOf(node: DomNode, depth: number): string {
  if (isTextNode(node)) return escapeHtml(node.textContent)
  if (!isElement(node) || DROPPED_TAGS.has(tagOf(node))) return ''
  if (depth > MAX_DEPTH) return escapeHtml(node.textContent)
  const tag = tagOf(node)
  if (tag === 'text:s' || tag === 'text:tab') return ' '
  if (tag === 'text:line-break') return '<br>'
  if (tag === 'text:note') return ` (${escapeHtml(noteOf(node))})`
  const innerHtml = [...node.childNodes].map((child) => htmlOf(child, depth + 1)).join('')
  const element = tag === 'text:h' ? `h${levelOf(node)}` : HTML_ELEMENTS[tag]
  return element === undefined ? innerHtml : `<${element}>${innerHtml}</${element}>`
}

function levelOf(heading: DomNode): number {
  const level = Number(heading.getAttribute('text:outline-level') ?? 1)
  return level >= 1 && level <= 6 ? Math.floor(level) : 6
}

/** The text of a note, without its number. */
function noteOf(note: DomNode): string {
  return elementsNamed(note, 'text:note-body')
    .map((body) => foldSpace(body.textContent))
    .join(' ')
}
