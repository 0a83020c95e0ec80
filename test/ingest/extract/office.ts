import { type ZipEntry, zip } from './zip.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>'

function relations(list: readonly (readonly [id: string, type: string, target: string])[]): string {
  const each = list.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="${RELATIONS}">${each.join('')}</Relationships>`
}

function archive(parts: Readonly<Record<string, string>>, more: readonly ZipEntry[]): ZipEntry[] {
  const own = Object.entries(parts).filter(([name]) => more.every((other) => other.name !== name))
  return [...own.map(([name, xml]) => ({ name, content: XML + xml })), ...more]
}

/** A cell: a number, a text, or the XML of one. */
export type Cell = number | string | { readonly xml: string }

function cellXml(cell: Cell, at: string): string {
  if (typeof cell === 'object') return cell.xml.replace('<c', `<c r="${at}"`)
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`
  return `<c r="${at}" t="inlineStr"><is><t>${cell}</t></is></c>`
}

/** The parts of a workbook; style 1 is a date. */
export function xlsxParts(
  sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
  more: readonly ZipEntry[] = [],
): ZipEntry[] {
  const names = Object.keys(sheets)
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const rowXml = (row: readonly Cell[], y: number) =>
    `<row r="${y + 1}">${row.map((cell, x) => cellXml(cell, `${String.fromCharCode(65 + x)}${y + 1}`)).join('')}</row>`
  const named = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at + 1}"/>`)
  const files = Object.values(sheets).map((rows, at) => [
    `xl/worksheets/sheet${at + 1}.xml`,
    `<worksheet xmlns="${main}"><sheetData>${rows.map(rowXml).join('')}</sheetData></worksheet>`,
  ])
  const parts = {
    '[Content_Types].xml': TYPES,
    '_rels/.rels': relations([['r1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${OFFICE}"><sheets>${named.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...names.map((_, at) => [`s${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`] as const),
      ['st', 'styles', 'styles.xml'],
      ['ss', 'sharedStrings', 'sharedStrings.xml'],
    ]),
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${main}"><si><t>shared</t></si></sst>`,
    ...Object.fromEntries(files),
  }
  return archive(parts, more)
}

export function xlsx(
  sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
  more: readonly ZipEntry[] = [],
): Buffer {
  return zip(xlsxParts(sheets, more))
}

/** A shape of a slide, with what it stands for. */
export function shape(role: string, ...paragraphs: readonly string[]): string {
  const runs = (text: string) =>
    text
      .split('|')
      .map((run) => `<a:r><a:t>${run}</a:t></a:r>`)
      .join('')
  const body = paragraphs.map((text) => `<a:p>${runs(text)}</a:p>`).join('')
  return `<p:sp><p:nvSpPr><p:nvPr>${role === '' ? '' : `<p:ph type="${role}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${body}</p:txBody></p:sp>`
}

export interface SlideParts {
  readonly body: string
  readonly notes?: string
}

/** A presentation whose files are numbered the other way round than its slides are shown. */
export function pptxParts(slides: readonly SlideParts[], more: readonly ZipEntry[] = []): ZipEntry[] {
  const wrapped = (body: string) =>
    `<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${body}</p:spTree></p:cSld></p:sld>`
  const file = (at: number) => slides.length - at
  const ids = slides.map((_, at) => `<p:sldId id="${at}" r:id="r${at}"/>`)
  const files = slides.flatMap(({ body, notes }, at) => {
    const relation = relations([['n', 'notesSlide', `../notesSlides/notes${at}.xml`]])
    const noted = [
      [`ppt/slides/_rels/slide${file(at)}.xml.rels`, relation],
      [`ppt/notesSlides/notes${at}.xml`, wrapped(notes ?? '')],
    ]
    return [[`ppt/slides/slide${file(at)}.xml`, wrapped(body)], ...(notes === undefined ? [] : noted)]
  })
  const parts = {
    '[Content_Types].xml': TYPES,
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      slides.map((_, at) => [`r${at}`, 'slide', `slides/slide${file(at)}.xml`]),
    ),
    ...Object.fromEntries(files),
  }
  return archive(parts, more)
}

export function pptx(slides: readonly SlideParts[], more: readonly ZipEntry[] = []): Buffer {
  return zip(pptxParts(slides, more))
}

export function odtParts(body: string, more: readonly ZipEntry[] = []): ZipEntry[] {
  const text = `<office:body><office:text>${body}</office:text></office:body>`
  return [
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', stored: true },
    ...archive({ 'content.xml': `<office:document-content>${text}</office:document-content>` }, more),
  ]
}

export function odt(body: string, more: readonly ZipEntry[] = []): Buffer {
  return zip(odtParts(body, more))
}
