/** Markdown as a `.docx` document (ECMA-376): a zip of XML files, called parts. */

import MarkdownIt, { type Token } from 'markdown-it'
import { escapeHtml } from './xml.ts'

const WORD_NAMESPACE = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const DOCUMENT = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

/** The XML of each part, by its path. HTML in the Markdown becomes text, and nothing is loaded. */
export function documentParts(title: string, markdown: string): ReadonlyMap<string, string> {
  const { body, links } = new DocumentBody().write(new MarkdownIt('default', { html: false }).parse(markdown, {}))
  const parts: Readonly<Record<string, string>> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${DOCUMENT}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${DOCUMENT}.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="${DOCUMENT}.numbering+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${RELATIONSHIPS}/officeDocument" Target="word/document.xml"/><Relationship Id="r2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`,
    'docProps/core.xml': `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title></cp:coreProperties>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="styles" Type="${RELATIONSHIPS}/styles" Target="styles.xml"/><Relationship Id="numbering" Type="${RELATIONSHIPS}/numbering" Target="numbering.xml"/>${links.map((url, at) => `<Relationship Id="link${at}" Type="${RELATIONSHIPS}/hyperlink" Target="${escapeXml(url)}" TargetMode="External"/>`).join('')}</Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${WORD_NAMESPACE}" xmlns:r="${RELATIONSHIPS}"><w:body>${body}<w:sectPr/></w:body></w:document>`,
    'word/numbering.xml': `<w:numbering xmlns:w="${WORD_NAMESPACE}"><w:abstractNum w:abstractNumId="0">${[0, 1, 2, 3].map(levelXml).join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    'word/styles.xml': `<w:styles xmlns:w="${WORD_NAMESPACE}">${STYLES.map(styleXml).join('')}</w:styles>`,
  }
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
  return new Map(Object.entries(parts).map(([name, xml]) => [name, head + xml]))
}

function levelXml(level: number): string {
  return `<w:lvl w:ilvl="${level}"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/><w:pPr><w:ind w:left="${360 * (level + 1)}" w:hanging="360"/></w:pPr></w:lvl>`
}

/** Styles: name, font size in half points, XML of font properties. */
const STYLES = [
  ['Normal', 22, ''],
  ['Title', 36, '<w:b/>'],
  ['Heading1', 28, '<w:b/>'],
  ['Heading2', 24, '<w:b/>'],
  ['Heading3', 22, '<w:b/>'],
  ['Quote', 22, '<w:i/>'],
] as const

function styleXml([name, size, properties]: (typeof STYLES)[number]): string {
  const styleName = name.replace(/(?<=[a-z])(?=\d)/, ' ').replace('Heading', 'heading')
  return `<w:style w:type="paragraph" w:styleId="${name}"${name === 'Normal' ? ' w:default="1"' : ''}><w:name w:val="${styleName}"/><w:pPr><w:spacing w:after="120"/></w:pPr><w:rPr>${properties}<w:sz w:val="${size}"/></w:rPr></w:style>`
}

const HEADINGS: Readonly<Record<string, string>> = { h1: 'Title', h2: 'Heading1', h3: 'Heading2' }

/** Writes the body of a document from the tokens of its Markdown. */
class DocumentBody {
  readonly #links: string[] = []
  #lists = 0
  #quotes = 0
  #style = ''
  #isItemStart = false

  write(tokens: readonly Token[]): { readonly body: string; readonly links: readonly string[] } {
    return { body: tokens.map((token) => this.#block(token)).join(''), links: this.#links }
  }

  #block({ type, tag, nesting, children, content }: Token): string {
    if (type.startsWith('bullet_list_') || type.startsWith('ordered_list_')) this.#lists += nesting
    if (type === 'list_item_open') this.#isItemStart = true
    if (type.startsWith('blockquote_')) this.#quotes += nesting
    if (type === 'heading_open') this.#style = HEADINGS[tag] ?? 'Heading3'
    if (type === 'heading_close') this.#style = ''
    if (type === 'fence' || type === 'code_block')
      return content
        .split('\n')
        .map((line) => paragraphXml(runXml(line)))
        .join('')
    if (type === 'table_open') return `<w:tbl><w:tblPr><w:tblBorders>${BORDERS}</w:tblBorders></w:tblPr>`
    if (type === 'table_close') return `</w:tbl>${paragraphXml('')}`
    if (type === 'tr_open') return '<w:tr>'
    if (type === 'tr_close') return '</w:tr>'
    if (type === 'th_open' || type === 'td_open') return '<w:tc>'
    if (type === 'th_close' || type === 'td_close') return '</w:tc>'
    return type === 'inline' ? this.#paragraph(children ?? []) : ''
  }

  #paragraph(children: readonly Token[]): string {
    const style = this.#style || (this.#quotes > 0 ? 'Quote' : '')
    const isItem = this.#lists > 0 && this.#isItemStart
    this.#isItemStart = false
    const level = Math.min(3, Math.max(0, this.#lists - 1))
    const number = isItem ? `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>` : ''
    return paragraphXml(this.#runs(children), `${style === '' ? '' : `<w:pStyle w:val="${style}"/>`}${number}`)
  }

  #runs(children: readonly Token[]): string {
    let [bold, italic] = [0, 0]
    return children
      .map((token) => {
        const { type, nesting, content } = token
        if (type.startsWith('strong_')) bold += nesting
        if (type.startsWith('em_')) italic += nesting
        if (type === 'link_open')
          return `<w:hyperlink r:id="link${this.#links.push(String(token.attrGet('href'))) - 1}">`
        if (type === 'link_close') return '</w:hyperlink>'
        if (type === 'softbreak') return runXml(' ')
        if (type === 'hardbreak') return '<w:r><w:br/></w:r>'
        const formatting = `${bold > 0 ? '<w:b/>' : ''}${italic > 0 ? '<w:i/>' : ''}`
        return ['text', 'code_inline', 'image', 'text_special'].includes(type) ? runXml(content, formatting) : ''
      })
      .join('')
  }
}

const BORDERS = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
  .map((side) => `<w:${side} w:val="single" w:sz="4" w:color="999999"/>`)
  .join('')

function paragraphXml(runs: string, properties = ''): string {
  return `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}${runs}</w:p>`
}

function runXml(text: string, formatting = ''): string {
  const properties = formatting === '' ? '' : `<w:rPr>${formatting}</w:rPr>`
  return `<w:r>${properties}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`
}

/** Escapes a text, and drops characters that XML cannot contain. */
function escapeXml(text: string): string {
  return escapeHtml(text.toWellFormed().replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, ''))
}
