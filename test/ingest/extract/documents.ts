import { deflateSync } from 'node:zlib'
import { type ZipEntry, zip } from './zip.ts'

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

/** A paragraph of a Word document, with a style of Word's own. */
export function paragraph(text: string, style?: string): string {
  const properties = style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''
  return `<w:p>${properties}<w:r><w:t>${text}</w:t></w:r></w:p>`
}

export function table(rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) => row.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join('')
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join('')}</w:tbl>`
}

/** The parts of a Word document with this body; those given replace or add. */
export function docxParts(body: string, more: readonly ZipEntry[] = []): ZipEntry[] {
  const styles = ['Title', 'heading 1', 'heading 2'].map((name) => {
    const id = name.replace('heading ', 'Heading')
    return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`
  })
  const parts = [
    ['[Content_Types].xml', `<Types xmlns="${TYPES}"><Default Extension="xml" ContentType="application/xml"/></Types>`],
    [
      '_rels/.rels',
      `<Relationships xmlns="${RELATIONS}"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ],
    ['word/document.xml', `<w:document ${W}><w:body>${body}</w:body></w:document>`],
    ['word/styles.xml', `<w:styles ${W}>${styles.join('')}</w:styles>`],
  ] as const
  const own = parts.filter(([name]) => more.every((other) => other.name !== name))
  return [...own.map(([name, xml]) => ({ name, content: XML + xml })), ...more]
}

export function docx(body: string, more: readonly ZipEntry[] = []): Buffer {
  return zip(docxParts(body, more))
}

export function coreProperties(properties: Readonly<Record<string, string>>): ZipEntry {
  const elements = Object.entries(properties).map(([name, value]) => `<${name}>${value}</${name}>`)
  return { name: 'docProps/core.xml', content: `${XML}<cp:coreProperties>${elements.join('')}</cp:coreProperties>` }
}

export interface PdfOptions {
  readonly info?: Readonly<Record<string, string>>
  /** Objects that are added as they are, and what the catalog says beside its pages. */
  readonly objects?: readonly string[]
  readonly catalog?: string
  /** Added to the trailer. */
  readonly trailer?: string
}

/** A PDF file, each page of which shows these lines. */
export function pdf(pages: readonly (readonly string[])[], options: PdfOptions = {}): Buffer {
  const shown = pages.map((lines) => {
    const text = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj 0 -20 Td`).join('\n')
    return streamOf(Buffer.from(`BT /F1 12 Tf 50 700 Td ${text} ET`, 'latin1'))
  })
  return pdfOf(shown, options)
}

/** Text of a page, and where it begins: points from the left and the lower edge. In the bold font for `bold`. */
export type Placed = readonly [left: number, baseline: number, text: string, font?: 'bold']

/** A PDF file, on each page of which these texts are placed, in this order. */
export function placedPdf(pages: readonly (readonly Placed[])[]): Buffer {
  const shown = pages.map((texts) =>
    texts.map(([left, baseline, text, font]) => {
      const escaped = text.replace(/[\\()]/g, '\\$&')
      return `BT /${font === 'bold' ? 'F2' : 'F1'} 10 Tf ${left} ${baseline} Td (${escaped}) Tj ET`
    }),
  )
  return pdfOf(shown.map((texts) => streamOf(Buffer.from(texts.join('\n'), 'latin1'))))
}

/** A stream, compressed or as it is. */
export function streamOf(content: Uint8Array, compressed = false): Buffer {
  const data = compressed ? deflateSync(content) : content
  const filter = compressed ? '/Filter /FlateDecode ' : ''
  return Buffer.concat([
    Buffer.from(`<< ${filter}/Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ])
}

/** A PDF file whose pages have these content streams. */
export function pdfOf(contents: readonly Buffer[], options: PdfOptions = {}): Buffer {
  const { info = {}, objects = [], catalog = '', trailer = '' } = options
  const first = 5
  const kids = contents.map((_, index) => `${first + index * 2} 0 R`).join(' ')
  const properties = Object.entries(info).map(([key, value]) => `/${key} (${value})`)
  const all: (string | Buffer)[] = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< ${properties.join(' ')} >>`,
    ...contents.flatMap((content, index) => {
      const bold = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>'
      const resources = `/Resources << /Font << /F1 3 0 R /F2 ${bold} >> >>`
      const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${resources} /Contents ${first + index * 2 + 1} 0 R >>`
      return [page, content]
    }),
    ...objects,
  ]
  return withXref(all, `/Root 1 0 R /Info 4 0 R ${trailer}`)
}

/** Numbers the objects, and adds the table of where they are. */
function withXref(objects: readonly (string | Buffer)[], trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let at = parts[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    offsets.push(at)
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    parts.push(part)
    at += part.length
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join('')}`
  const end = `trailer\n<< /Size ${objects.length + 1} ${trailer} >>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(table + end)])
}
