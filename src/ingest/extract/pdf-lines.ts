/** The lines of a page of a PDF, each with the cells that wide gaps divide it into. */

/** Text in one line without a wide gap. Lengths are in points, from the left edge and the lower edge of the page. */
export interface PdfCell {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly baseline: number
  readonly font: string
}

export interface PdfLine {
  readonly text: string
  readonly baseline: number
  readonly height: number
  /** Empty for a line that does not run from left to right. */
  readonly cells: readonly PdfCell[]
}

/** What pdf.js tells of a piece of text. */
export interface PdfItem {
  readonly str: string
  readonly dir: string
  readonly transform: readonly number[]
  readonly width: number
  readonly height: number
  readonly fontName: string
  readonly hasEOL: boolean
}

/** Heights of a line from which on a gap divides cells: justified text has gaps of half a height. */
const GAP = 0.9

/** The lines of a page, without the empty ones around them. */
export function linesOf(items: readonly PdfItem[]): PdfLine[] {
  const lines: PdfLine[] = []
  let open: PdfItem[] = []
  for (const item of items) {
    open.push(item)
    if (!item.hasEOL) continue
    lines.push(lineOf(open))
    open = []
  }
  lines.push(lineOf(open))
  const first = lines.findIndex(({ text }) => text !== '')
  const last = lines.findLastIndex(({ text }) => text !== '')
  return first < 0 ? [] : lines.slice(first, last + 1).map((line, at) => (at === 0 ? trimStart(line) : line))
}

function trimStart(line: PdfLine): PdfLine {
  return { ...line, text: line.text.trimStart() }
}

function lineOf(items: readonly PdfItem[]): PdfLine {
  const text = items
    .map(({ str }) => str)
    .join('')
    .trimEnd()
  const filled = items.filter(({ str }) => str.trim() !== '')
  const height = filled.reduce((most, item) => Math.max(most, item.height), 0)
  const isPlain = filled.every(({ dir, transform }) => dir === 'ltr' && transform[1] === 0 && (transform[0] ?? 0) > 0)
  const cells = isPlain && height > 0 ? cellsOf(items, height * GAP) : []
  return { text, baseline: filled[0]?.transform[5] ?? 0, height, cells }
}

function cellsOf(items: readonly PdfItem[], gap: number): PdfCell[] {
  const cells: PdfCell[] = []
  let between = ''
  for (const { str, transform, width, fontName } of items) {
    if (str.trim() === '') {
      between += str
      continue
    }
    const [left = 0, baseline = 0] = transform.slice(4)
    const last = cells.at(-1)
    const isNext = last === undefined || left - last.right > gap
    if (isNext) cells.push({ text: str.trim(), left, right: left + width, baseline, font: fontName })
    else {
      const right = Math.max(last.right, left + width)
      cells[cells.length - 1] = { ...last, text: `${last.text}${between}${str}`.trimEnd(), right }
    }
    between = ''
  }
  return cells
}
