/** A stretch of a text, in UTF-16 units. */
export interface Sentence {
  readonly start: number
  readonly end: number
}

/** `Intl.Segmenter` takes time by the square of what it is given: it is given no more at once. */
const AT_ONCE = 2000

/** Where a new sentence begins whatever stands before it: an empty line, a list item, a row of a table, a heading, a quote. */
const BREAK = /\n[ \t]*(?:\n|(?=(?:[-*+] |\d{1,3}[.)] |\||#{1,6} |>)))/g

/** What ends with a full stop and ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{Lu}|e\.g|i\.e|etc|vs|cf|ca|approx|no|nos|fig|figs|sec|ch|vol|pp?|art|al|dr|mr|mrs|ms|prof|st|inc|ltd|co|corp|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.\s*$/iu

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The sentences of a text, in order, without the white space around them. A line that ends within one does not end it. */
export function sentencesOf(text: string): readonly Sentence[] {
  return stretches(text).flatMap(({ start, end }) => merged(text, segmented(text, start, end)))
}

function stretches(text: string): Sentence[] {
  const found: Sentence[] = []
  let start = 0
  for (const { index, 0: gap } of text.matchAll(BREAK)) {
    found.push({ start, end: index })
    start = index + gap.length
  }
  return [...found, { start, end: text.length }]
}

function segmented(text: string, start: number, end: number): Sentence[] {
  const found: Sentence[] = []
  for (let from = start; from < end; ) {
    const to = cutBefore(text, from, end)
    const piece = text.slice(from, to).replace(/[\r\n]/g, ' ')
    for (const { index, segment } of segmenter.segment(piece)) {
      found.push({ start: from + index, end: from + index + segment.length })
    }
    from = to
  }
  return found
}

/** The end of a piece: behind a full stop, else at a space, else between characters. */
function cutBefore(text: string, from: number, end: number): number {
  if (end - from <= AT_ONCE) return end
  const piece = text.slice(from, from + AT_ONCE)
  const stop = Math.max(piece.lastIndexOf('. '), piece.lastIndexOf('.\n'), piece.lastIndexOf('。'))
  if (stop > AT_ONCE / 2) return from + stop + 1
  const space = Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n'))
  return from + (space > AT_ONCE / 2 ? space + 1 : piece.toWellFormed() === piece ? AT_ONCE : AT_ONCE - 1)
}

/** Puts together what an abbreviation parted, and takes the white space away. */
function merged(text: string, parts: readonly Sentence[]): Sentence[] {
  const found: Sentence[] = []
  for (const part of parts) {
    const last = found.at(-1)
    if (last && ABBREVIATION.test(text.slice(Math.max(last.start, last.end - 12), last.end))) {
      found[found.length - 1] = { start: last.start, end: part.end }
    } else found.push(part)
  }
  return found.flatMap((one) => trimmed(text, one))
}

function trimmed(text: string, { start, end }: Sentence): Sentence[] {
  const whole = text.slice(start, end)
  const from = start + (whole.length - whole.trimStart().length)
  const to = end - (whole.length - whole.trimEnd().length)
  return to > from ? [{ start: from, end: to }] : []
}
