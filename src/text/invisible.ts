import { lineStarts } from './lines.ts'
import { laterPattern } from './pattern.ts'

/** A text without the invisible characters that nothing in it explains, and what they were. */
export interface Neutralised {
  /** The text itself when nothing was removed. */
  readonly text: string
  /** Code points removed. */
  readonly removed: number
  /** Which ones, as `U+202E`: each once, in order. */
  readonly codePoints: readonly string[]
  /** On which lines, from 1; the first ten. */
  readonly lines: readonly number[]
}

const SUSPECTS = String.raw`\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb`
/** A cheap test that clean texts pass: the surrogates are those of U+E0000 to U+E0FFF. */
const SUSPECT = new RegExp(String.raw`[${SUSPECTS}\udb40-\udb43]`)
const runs = () => new RegExp(String.raw`[${SUSPECTS}\u{e0000}-\u{e0fff}]+`, 'gu')

const MOST_LINES = 10

const ZWSP = '\u200b'
const ZWNJ = '\u200c'
const ZWJ = '\u200d'
const TEXT_STYLE = '\ufe0e'
const EMOJI_STYLE = '\ufe0f'
const VOWEL_SEPARATOR = '\u180e'
const KEYCAP = '\u20e3'
const BLACK_FLAG = '\u{1f3f4}'
const CANCEL_TAG = '\u{e007f}'
/** A region's letters and digits as tags, then the cancel tag: what may follow a black flag. */
const FLAG_TAGS = /^[\u{e0061}-\u{e007a}]{2}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,3}\u{e007f}/u

const MARK = /^[\u061c\u200e\u200f]$/

const isRtl = matcher(
  String.raw`(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]`,
)
const isPicture = matcher(String.raw`^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$`)
/** Letters and marks of scripts whose letters join, or whose consonants stack. */
const joins = matcher(
  String.raw`^(?=[\p{L}\p{M}])[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mand}\p{scx=Adlm}\p{scx=Rohg}\p{scx=Mong}\p{scx=Phag}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Thai}\p{scx=Laoo}\p{scx=Java}\p{scx=Bali}\p{scx=Sund}\p{scx=Limb}\p{scx=Lana}\p{scx=Cham}\p{scx=Mtei}\p{scx=Newa}\p{scx=Tirh}\p{scx=Gran}\p{scx=Cakm}]$`,
)
/** What a joiner may follow at the end of a word: an Arabic letter (its joined form), a virama (a half form). */
const isHalf = matcher(
  String.raw`^(?:(?=\p{L})\p{Script=Arabic}|[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u1039\u103a\u17d2])$`,
)
const isUnspaced = matcher(
  String.raw`^(?=[\p{L}\p{M}])[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$`,
)
const isMongolian = matcher(String.raw`^\p{Script=Mongolian}$`)
const isLetter = matcher(String.raw`^[\p{L}\p{M}\p{N}]$`)
const isEmoji = matcher(String.raw`^(?![0-9#*])[\p{Emoji}\p{Extended_Pictographic}\p{S}]$`)
const isIdeograph = matcher(String.raw`^[\p{Script=Han}\p{Unified_Ideograph}]$`)
const isVaried = matcher(String.raw`^[\p{Sm}0\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Script=Mongolian}]$`)
const CJK_POINT = /^[\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f]$/

function matcher(source: string): (text: string) => boolean {
  const pattern = laterPattern(source, 'u')
  return (text) => pattern().test(text)
}

/** What a run of suspects stands between. */
interface Surroundings {
  /** The characters before and after the run; `''` at the ends of the text. */
  readonly before: string
  readonly after: string
  /** Whether its line holds letters that are written from right to left. */
  readonly rtl: boolean
}

/**
 * Removes bidi embeddings, overrides and isolates, tag characters, zero-width characters and variation selectors,
 * wherever they stand. Those that do something stay: within emoji and flags, between letters that need a joiner, one
 * variation selector after what has variants, direction marks (one at a time) on right-to-left lines. Idempotent.
 */
export function neutralise(text: string): Neutralised {
  if (!SUSPECT.test(text)) return { text, removed: 0, codePoints: [], lines: [] }
  const cleaned = removeSuspects(text.toWellFormed())
  return cleaned.removed === 0 ? { ...cleaned, text } : cleaned
}

/** In a well-formed text: else a removal could make one character of two halves. */
function removeSuspects(text: string): Neutralised {
  const lines = linesIn(text)
  const tally: Tally = { removed: 0, points: new Set(), lines: new Set() }
  const parts: string[] = []
  let from = 0
  for (const { 0: run, index } of text.matchAll(runs())) {
    const end = index + run.length
    const around = { before: charBefore(text, index), after: charAt(text, end), rtl: lines.rtl(index) }
    const kept = explained(run, around, tally)
    if (kept !== run && tally.lines.size < MOST_LINES) tally.lines.add(lines.number(index))
    parts.push(text.slice(from, index), kept)
    from = end
  }
  return report(parts.join('') + text.slice(from), tally)
}

interface Tally {
  removed: number
  readonly points: Set<string>
  readonly lines: Set<number>
}

function report(text: string, { removed, points, lines }: Tally): Neutralised {
  const codes = [...points].map((point) => point.codePointAt(0) ?? 0).sort((a, b) => a - b)
  const codePoints = codes.map((code) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`)
  return { text, removed, codePoints, lines: [...lines] }
}

/** Asked with ascending offsets. */
function linesIn(text: string) {
  const starts = lineStarts(text)
  let line = 0
  let tested = -1
  let rtl = false
  const seek = (offset: number) => {
    while ((starts[line + 1] ?? text.length + 1) <= offset) line++
  }
  return {
    /** Of the line that holds the offset, from 1. */
    number: (offset: number) => {
      seek(offset)
      return line + 1
    },
    rtl: (offset: number) => {
      seek(offset)
      if (tested !== line) rtl = isRtl(text.slice(starts[line], starts[line + 1]))
      tested = line
      return rtl
    },
  }
}

/** The part of a run that its surroundings explain; the rest is tallied. */
function explained(run: string, around: Surroundings, tally: Tally): string {
  const flag = (around.before === BLACK_FLAG && FLAG_TAGS.exec(run)?.[0]) || ''
  let kept = flag
  let last = flag === '' ? undefined : CANCEL_TAG
  for (const point of run.slice(flag.length)) {
    if (isExplained(point, last, around)) {
      kept += point
      last = point
    } else {
      tally.removed++
      tally.points.add(point)
    }
  }
  return kept
}

/** `last`: what was kept of the run before this character. */
function isExplained(point: string, last: string | undefined, around: Surroundings): boolean {
  if (MARK.test(point)) return around.rtl && !MARK.test(last ?? '')
  if (point === ZWJ && (last === undefined || last === EMOJI_STYLE) && joinsPictures(around)) return true
  if (last !== undefined) return false
  if (point === ZWJ || point === ZWNJ) return joinsLetters(point, around)
  if (point === ZWSP) return isUnspaced(around.before) && isUnspaced(around.after)
  if (point === VOWEL_SEPARATOR) return isMongolian(around.before) && isMongolian(around.after)
  return selects(point, around)
}

function joinsPictures({ before, after }: Surroundings): boolean {
  return isPicture(before) && isPicture(after)
}

function joinsLetters(point: string, { before, after }: Surroundings): boolean {
  if (joins(before) && joins(after)) return true
  return point === ZWJ && isHalf(before) && !isLetter(after)
}

/** Whether the character is a variation selector, and the one before the run has the variant. */
function selects(point: string, { before, after }: Surroundings): boolean {
  if (/^[\u{e0100}-\u{e01ef}]$/u.test(point)) return isIdeograph(before)
  if (!/^[\ufe00-\ufe0f]$/.test(point)) return false
  if (point >= TEXT_STYLE && (isEmoji(before) || (/^[0-9#*]$/.test(before) && after === KEYCAP))) return true
  if (point <= '\ufe01' && CJK_POINT.test(before)) return true
  return isIdeograph(before) || (point === '\ufe00' && isVaried(before))
}

function charAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0).replace('\0', '')
}

function charBefore(text: string, at: number): string {
  const unit = text.charCodeAt(at - 1)
  return at === 0 ? '' : charAt(text, unit >= 0xdc00 && unit <= 0xdfff ? at - 2 : at - 1)
}
