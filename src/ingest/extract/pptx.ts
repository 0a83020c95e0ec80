import { posix } from 'node:path'
import { escapeHtml } from '../../text/xml.ts'
import { type Extraction, type ExtractLimits, joinPages, notExtracted, toExtraction } from '../extracted.ts'
import { type ArchiveParts, archiveReader, partText, propertiesIn } from './archive.ts'
import { type DomNode, elementsNamed, parseDocument, tagOf, walkDom } from './dom.ts'
import { htmlContent } from './html.ts'

/** Matches the parts (files in the zip) with slides and notes. */
const PART =
  /^(?:docProps\/core\.xml|ppt\/presentation\.xml|ppt\/(?:slides|notesSlides)\/[^/]+\.xml|ppt\/(?:slides\/)?_rels\/[^/]+\.rels)$/i

const PRESENTATION = 'ppt/presentation.xml'

/** Reads a PPTX file as Markdown. Each slide is a page: a heading with its number, its text, its notes. */
export const readPptx = archiveReader(PART, readSlides)

function readSlides(path: string, parts: ArchiveParts, limits: ExtractLimits): Extraction {
  if (!parts.has(PRESENTATION)) return notExtracted('failed', 'It holds no presentation.')
  const names = slidesOf(parts)
  const slides = names.map((slide, at) => slideText(parts, slide, at + 1))
  const [first = ''] = names
  const { title = slideContent(partText(parts, first)).title, ...metadata } = propertiesIn(parts, 'docProps/core.xml')
  const content = { ...joinPages(slides), title, metadata: { ...metadata, pages: `${slides.length}` }, warnings: [] }
  return toExtraction(path, { ...content, format: 'pptx', syntax: 'markdown' }, limits)
}

/** Names of the slides, in the order of the presentation. */
function slidesOf(parts: ArchiveParts): string[] {
  const targets = targetsOf(parts, PRESENTATION)
  const slides = elementsNamed(parseDocument(partText(parts, PRESENTATION), 'text/xml'), 'p:sldid')
  const names = slides.map((slide) => targets.find(({ id }) => id === slide.getAttribute('r:id'))?.target ?? '')
  return names.filter((name) => parts.has(name))
}

/** The references of a part to other parts. */
function targetsOf(parts: ArchiveParts, name: string) {
  const relations = partText(parts, posix.join(posix.dirname(name), '_rels', `${posix.basename(name)}.rels`))
  return elementsNamed(parseDocument(relations, 'text/xml'), 'relationship').map((node) => {
    const [id = '', type = '', target = ''] = ['Id', 'Type', 'Target'].map((key) => node.getAttribute(key) ?? '')
    return { id, type, target: posix.resolve('/', posix.dirname(name), target).slice(1) }
  })
}

function slideText(parts: ArchiveParts, name: string, number: number): string {
  const { title, html } = slideContent(partText(parts, name))
  const notes = targetsOf(parts, name).find(({ type, target }) => type.endsWith('/notesSlide') && parts.has(target))
  const notesHtml = notes ? slideContent(partText(parts, notes.target)).html : ''
  const heading = `<h2>Slide ${number}${title === '' ? '' : `: ${escapeHtml(title)}`}</h2>`
  return htmlContent(`${heading}${html}${notesHtml === '' ? '' : `<h3>Notes</h3>${notesHtml}`}`).text
}

/** The title and the other text of a slide, as HTML. */
function slideContent(xml: string): { readonly title: string; readonly html: string } {
  let title = ''
  let html = ''
  walkDom(parseDocument(xml, 'text/xml'), (node) => {
    const tag = tagOf(node)
    if (tag === 'p:sp') {
      /** `title`, `sldNum` and so on; `''` for text, and for a shape that is not a placeholder. */
      const role = elementsNamed(node, 'p:ph')[0]?.getAttribute('type') ?? ''
      if (/^(?:title|ctrtitle)$/i.test(role) && title === '') title = paragraphsIn(node).join(' ')
      else if (!/^(?:sldnum|dt|ftr|hdr|sldimg)$/i.test(role))
        html += paragraphsIn(node)
          .map((text) => `<p>${text}</p>`)
          .join('')
      return false
    }
    if (tag === 'a:tbl') html += tableOf(node)
    return tag !== 'a:tbl'
  })
  return { title, html }
}

/** The non-empty paragraphs, as HTML. */
function paragraphsIn(root: DomNode): string[] {
  const paragraphs = elementsNamed(root, 'a:p').map((paragraph) => escapeHtml(runsIn(paragraph)))
  return paragraphs.filter((text) => text.trim() !== '')
}

function runsIn(paragraph: DomNode): string {
  let text = ''
  walkDom(paragraph, (node) => {
    if (tagOf(node) === 'a:t') text += node.textContent
    if (tagOf(node) === 'a:br') text += '\n'
    return tagOf(node) !== 'a:t'
  })
  return text
}

function tableOf(table: DomNode): string {
  const rows = elementsNamed(table, 'a:tr').map((row) => {
    const cells = elementsNamed(row, 'a:tc').map((cell) => `<td>${paragraphsIn(cell).join(' ')}</td>`)
    return `<tr>${cells.join('')}</tr>`
  })
  return `<table>${rows.join('')}</table>`
}
