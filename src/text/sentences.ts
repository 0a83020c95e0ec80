/** Splits text into sentences. */

/** A sentence of a text. Offsets are in UTF-16 units. */
export interface Sentence {
  /** Without the space around it; line breaks within it stay. */
  readonly text: string
  readonly start: number
  readonly end: number
}

/** UTF-16 units for one call of the segmenter, whose time grows with the square of this number. */
const BLOCK_LENGTH = 2048

/** Maximum UTF-16 units of a sentence. */
const MAX_SENTENCE = 2 * BLOCK_LENGTH

/** UTF-16 units at the end of a sentence that decide whether it is complete. */
const TAIL_LENGTH = 40

/** Abbreviations: a sentence continues after their dot, even before a capital letter. */
const ABBREVIATIONS = new Set(
  (
    'mr mrs ms dr prof sr jr st vs etc e.g i.e cf al fig figs eq sec ch vol no nos pp p ed eds approx dept est inc ltd co corp ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun gen col lt sgt capt rev hon ' +
    'bgbl bundesgesetzbl mio mrd tsd str z.b d.h u.a bzw vgl ca nr abs art bd hrsg s.o s.u sog evtl ggf inkl usw m.e sra dra ud uds núm pág'
  ).split(' '),
)

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/**
 * The sentences of a text, in order. A blank line ends a sentence; so does the start of a Markdown item or heading.
 * Works for languages that mark the ends of sentences; text of other languages is cut at a space about every 2,048
 * units.
 */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = []
  for (const { 0: paragraph, index } of text.matchAll(PARAGRAPH)) {
    let start = 0
    // Line breaks become spaces: the segmenter would end a sentence with each line.
    for (const end of endsIn(paragraph.replace(/[\n\r\u0085\u2028\u2029]/g, ' '))) {
      addSentence(paragraph.slice(start, end), index + start, sentences)
      start = end
    }
  }
  return sentences
}

/** Matches a paragraph, up to a blank line, or a line that begins with a mark of Markdown. */
const PARAGRAPH = /\S[^\n]*(?:\n(?![ \t]*(?:\n|[-*+>|] |#{1,6} |\d{1,3}[.)] |```|~~~|$))[^\n]*)*/g

/** Offsets at which sentences of a paragraph end. */
function* endsIn(paragraph: string): Generator<number> {
  let start = 0
  for (let at = 0; at < paragraph.length; ) {
    const blockEnd = endOfBlock(paragraph, at)
    for (const { segment, index } of segmenter.segment(paragraph.slice(at, blockEnd))) {
      const end = at + index + segment.length
      const tail = paragraph.slice(Math.max(start, end - TAIL_LENGTH), end)
      // A dot within an address or a name: `./a.md`, `v1.2`.
      const isWithinName = /[.!?]$/.test(segment) && /^[/\p{Ll}\p{N}_]/u.test(paragraph.slice(end, end + 2))
      const isCut = end === blockEnd && end < paragraph.length && !/[.!?。!?]["'”’)\]]*\s*$/.test(tail)
      for (const clause of clausesIn(paragraph, start, end)) {
        yield clause
        start = clause
      }
      if (end - start < MAX_SENTENCE && (isUnfinished(tail) || isCut || isWithinName)) continue
      yield end
      start = end
    }
    at = blockEnd
  }
  if (start < paragraph.length) yield paragraph.length
}

/** Minimum UTF-16 units of a clause of Thai or Lao. These languages use spaces also within sentences. */
const MIN_CLAUSE = 200
const CLAUSE_END = /(?<=[\u0e01-\u0eff]) +(?=[\u0e01-\u0eff])/g

/** Offsets at which clauses of Thai or Lao end, each after a space. */
function* clausesIn(paragraph: string, start: number, end: number): Generator<number> {
  let clauseStart = start
  for (const { 0: space, index } of paragraph.slice(start, end).matchAll(CLAUSE_END)) {
    const at = start + index + space.length
    if (at - clauseStart < MIN_CLAUSE || end - at < MIN_CLAUSE / 2) continue
    yield at
    clauseStart = at
  }
}

/** The end of a block: after a space, if possible; never within a character. */
function endOfBlock(text: string, start: number): number {
  const blockEnd = start + BLOCK_LENGTH
  if (blockEnd >= text.length) return text.length
  // Searches only the block: in a text without spaces, each block would search back to the beginning.
  const space = text.slice(start + BLOCK_LENGTH / 2, blockEnd + 1).lastIndexOf(' ')
  if (space > 0) return start + BLOCK_LENGTH / 2 + space + 1
  return /[\ud800-\udbff]/.test(text[blockEnd - 1] ?? '') ? blockEnd - 1 : blockEnd
}

/** An ordinal number, which some languages write with a dot. */
const ORDINAL =
  /(?<!\bI )\b(?:am|vom|zum|im|beim|dem|den|der|des|bis|seit|ab|jede[mnrs]?|eine[mnrs]?|ihre[mnrs]?|seine[mnrs]?|dne|dnia)\s+\d{1,3}\\?\.\s*$/iu

/** Whether a text ends in an abbreviation, an initial, or a number with a dot, so that its sentence continues. */
function isUnfinished(piece: string): boolean {
  if (ORDINAL.test(piece)) return true
  const [, word = ''] = /(?<![\p{L}\p{N}.])([\p{L}\p{N}.]+)\.$/u.exec(piece.trimEnd()) ?? []
  if (word === '') return false
  return /^\p{Lu}$/u.test(word) || /^(?:\p{Lu}\.)+\p{Lu}$/u.test(word) || ABBREVIATIONS.has(word.toLowerCase())
}

function addSentence(text: string, start: number, sentences: Sentence[]): void {
  const bare = text.trim()
  if (bare === '') return
  const offset = start + text.indexOf(bare)
  sentences.push({ text: bare, start: offset, end: offset + bare.length })
}
