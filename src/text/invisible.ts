import { countNoun, listFirst } from './counts.ts'
import { lineAt, lineStarts } from './lines.ts'
import { lazyPattern } from './wildcards.ts'

/** A text without the invisible characters that could hide instructions, and a report of the removed characters. */
export interface NeutralisedText {
  /** The cleaned text. */
  readonly text: string
  /** Number of removed code points. */
  readonly removed: number
  /** Removed code points such as `U+202E`: each once, ascending. */
  readonly codePoints: readonly string[]
  /** The numbers, from 1, of the first ten lines with a removed character. */
  readonly lines: readonly number[]
}

/** Default_Ignorable_Code_Point in the basic plane except U+00AD, the blank of Braille, and annotations. */
const SUSPECTS = String.raw`\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb`
/** Suspects beyond the basic plane: controls of hieroglyphs, shorthand and music; tags and variation selectors. */
const SUPPLEMENTARY = String.raw`\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}`
/** A cheap test, which most clean texts do not match. Its surrogates are the first halves of supplementary suspects. */
const SUSPECT = new RegExp(String.raw`[${SUSPECTS}\ud80d\ud82f\ud834\udb40-\udb43]`)
const suspectRuns = () => new RegExp(String.raw`[\u00ad${SUSPECTS}${SUPPLEMENTARY}]+`, 'gu')

/** Characters that JSON output escapes: invisible characters, and control characters that terminals interpret. */
const ESCAPED = lazyPattern(String.raw`[\u007f-\u009f\u00ad${SUSPECTS}${SUPPLEMENTARY}]`, 'gu')
const MAY_BE_ESCAPED = new RegExp(String.raw`[\u007f-\u009f\u00ad${SUSPECTS}\ud80d\ud82f\ud834\udb40-\udb43]`)

const MAX_LINES = 10

/**
 * Maximum variation selectors after ideographs in a text; some names need a few. A text with more such selectors keeps
 * none of them, because each selector could encode a hidden byte.
 */
const MAX_VARIANTS = 8
/** Number of UTF-16 units on each side of a direction mark that are searched for a right-to-left letter. */
const MARK_CONTEXT = 8

const SOFT_HYPHEN = '\u00ad'
const JOINER = '\u034f'
const ZWSP = '\u200b'
const ZWNJ = '\u200c'
const ZWJ = '\u200d'
const TEXT_STYLE = '\ufe0e'
const EMOJI_STYLE = '\ufe0f'
const VOWEL_SEPARATOR = '\u180e'
const BLANK = '\u2800'
const KEYCAP = '\u20e3'
const BLACK_FLAG = '\u{1f3f4}'
const CANCEL_TAG = '\u{e007f}'
/** Tags of flags after a black flag: `gbeng`, `gbsct`, `gbwls`, then the cancel tag. */
const FLAG_TAGS =
  /^\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/u

const MARK = /^[\u061c\u200e\u200f]$/
const FILLER = /^[\u115f\u1160\u3164\uffa0]$/
const MONGOLIAN_SELECTOR = /^[\u180b-\u180d\u180f]$/
const IDEOGRAPH_SELECTOR = /^[\u{e0100}-\u{e01ef}]$/u

const RTL = String.raw`(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]`
/** Characters that are allowed between a right-to-left letter and its mark. */
const NEUTRAL = String.raw`[^\p{L}\r\n\u061c\u200e\u200f]*`
const isRtl = matcher(`^${RTL}$`)
const endsRtl = matcher(`${RTL}${NEUTRAL}$`)
const startsRtl = matcher(`^${NEUTRAL}${RTL}`)
const SYLLABLE = String.raw`(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}]){2}`
const endsSyllable = matcher(`${SYLLABLE}$`)
const startsSyllable = matcher(`^${SYLLABLE}`)
const isPicture = matcher(String.raw`^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$`)
/** Letters and marks of scripts whose letters join, or whose consonants stack. */
const isJoining = matcher(
  String.raw`^(?=[\p{L}\p{M}])[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mand}\p{scx=Adlm}\p{scx=Rohg}\p{scx=Mong}\p{scx=Phag}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Thai}\p{scx=Laoo}\p{scx=Java}\p{scx=Bali}\p{scx=Sund}\p{scx=Limb}\p{scx=Lana}\p{scx=Cham}\p{scx=Mtei}\p{scx=Newa}\p{scx=Tirh}\p{scx=Gran}\p{scx=Cakm}]$`,
)
/** Characters that need a joiner after them at the end of a word: an Arabic letter (for its joined form), a virama (for a half form). */
const needsJoiner = matcher(
  String.raw`^(?:(?=\p{L})\p{Script=Arabic}|[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u1039\u103a\u17d2])$`,
)
const isUnspaced = matcher(
  String.raw`^(?=[\p{L}\p{M}])[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$`,
)
const isMongolian = matcher(String.raw`^(?=\p{L})\p{Script=Mongolian}$`)
const isLetter = matcher(String.raw`^[\p{L}\p{M}\p{N}]$`)
const isMark = matcher(String.raw`^\p{M}$`)
const isEmoji = matcher(String.raw`^\p{Extended_Pictographic}$`)
const isIdeograph = matcher(String.raw`^[\p{Script=Han}\p{Unified_Ideograph}]$`)
const hasVariants = matcher(String.raw`^[\p{Sm}0\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Script=Mongolian}]$`)
const JAMO = /^[\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\ud7b0-\ud7fb\uffa1-\uffdc]$/
const BRAILLE = /^[\u2801-\u28ff]$/
/**
 * Format controls of a script, each with the characters of the script: the controls have an effect only beside them.
 */
const CONTROLS: readonly (readonly [controls: RegExp, block: RegExp])[] = [
  [/^[\u{13430}-\u{1343f}]$/u, /^[\u{13000}-\u{1342f}]$/u],
  [/^[\u{1bca0}-\u{1bca3}]$/u, /^[\u{1bc00}-\u{1bc9f}]$/u],
  [/^[\u{1d173}-\u{1d17a}]$/u, /^[\u{1d100}-\u{1d1ff}]$/u],
]
const CJK_POINT = /^[\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f]$/

function matcher(source: string): (text: string) => boolean {
  const pattern = lazyPattern(source, 'u')
  return (text) => pattern().test(text)
}

/** The text around a run of suspects. */
interface Surroundings {
  /** The characters before and after the run; `''` at the ends of the text. */
  readonly before: string
  readonly after: string
  /** Up to `MARK_CONTEXT` UTF-16 units before and after the run. */
  readonly left: string
  readonly right: string
  /** Whether ideographs may have variants. */
  readonly allowsVariants: boolean
}

/** A value as JSON with invisible characters written as `\uXXXX`: people see them, and programs read the same value. */
export function serializeVisibly(value: unknown): string {
  const json = JSON.stringify(value)
  if (json === undefined || !MAY_BE_ESCAPED.test(json)) return json
  return json.replace(ESCAPED(), (char) =>
    [...Array(char.length).keys()].map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}

/**
 * Removes invisible characters: bidi embeddings, overrides and isolates, tag characters, zero-width characters, variation selectors, fillers and
 * format controls. A single character stays where it has an effect: within emoji and the registered flags, between letters that need a joiner, a
 * variation selector after a character with variants (for ideographs, only if the text has at most eight), direction marks near a right-to-left
 * letter, soft hyphens within words, format controls next to their own script; and blanks next to Braille. Idempotent.
 */
export function neutralise(text: string): NeutralisedText {
  if (!SUSPECT.test(text) && !text.includes(SOFT_HYPHEN)) return { text, removed: 0, codePoints: [], lines: [] }
  const cleaned = removeSuspects(text.toWellFormed(), true)
  return cleaned.removed === 0 ? { ...cleaned, text } : cleaned
}

/** A sentence about the removed characters, with the number of the first line that had one. */
export function noticeOfInvisible({ removed, codePoints, lines }: NeutralisedText): string {
  const names = listFirst(codePoints, 5)
  return `${countNoun(removed, 'invisible character')} (${names}) not shown; first on line ${lines[0]}.`
}

/** `text` must be well-formed: otherwise, a removal could join two lone surrogates to one character. */
function removeSuspects(text: string, allowsVariants: boolean): NeutralisedText {
  const starts = lineStarts(text)
  const tally: Tally = { removed: 0, variants: 0, points: new Set(), lines: new Set() }
  const parts: string[] = []
  let from = 0
  for (const { 0: run, index } of text.matchAll(suspectRuns())) {
    const end = index + run.length
    const [left, right] = [text.slice(Math.max(0, index - MARK_CONTEXT), index), text.slice(end, end + MARK_CONTEXT)]
    const context = { before: [...left].at(-1) ?? '', after: [...right][0] ?? '', left, right, allowsVariants }
    const effectiveRun = neutraliseRun(run, context, tally)
    if (tally.variants > MAX_VARIANTS) return removeSuspects(text, false)
    if (effectiveRun !== run && tally.lines.size < MAX_LINES) tally.lines.add(lineAt(starts, index) + 1)
    parts.push(text.slice(from, index), effectiveRun)
    from = end
  }
  const codes = [...tally.points].flatMap((point) => point.codePointAt(0) ?? []).sort((a, b) => a - b)
  const codePoints = codes.map((code) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`)
  return { text: parts.join('') + text.slice(from), removed: tally.removed, codePoints, lines: [...tally.lines] }
}

interface Tally {
  removed: number
  /** Number of kept variants of ideographs and their punctuation. */
  variants: number
  readonly points: Set<string>
  readonly lines: Set<number>
}

/** The characters of a run that have an effect on the text around the run. The tally counts the removed characters. */
function neutraliseRun(run: string, context: Surroundings, tally: Tally): string {
  const flag = (context.before === BLACK_FLAG && FLAG_TAGS.exec(run)?.[0]) || ''
  let effectiveRun = flag
  let last = flag === '' ? undefined : CANCEL_TAG
  for (const point of run.slice(flag.length)) {
    if (hasEffect(point, last, context)) {
      effectiveRun += point
      last = point
      if (isVariant(point, context)) tally.variants++
    } else {
      tally.removed++
      tally.points.add(point)
    }
  }
  return effectiveRun
}

/** Whether a character has an effect on the text around its run. `last`: the last kept character of the run. */
function hasEffect(point: string, last: string | undefined, context: Surroundings): boolean {
  const { before, after } = context
  if (MARK.test(point)) return !MARK.test(last ?? '') && isNearRtl(context)
  if (point === BLANK) return BRAILLE.test(before) || BRAILLE.test(after)
  if (point === ZWJ && (last === undefined || last === EMOJI_STYLE) && isPicture(before) && isPicture(after))
    return true
  if (point === VOWEL_SEPARATOR && (last === undefined || MONGOLIAN_SELECTOR.test(last)))
    return isMongolian(before) && isMongolian(after)
  if (last !== undefined) return false
  if (point === ZWJ || point === ZWNJ) return joinsLetters(point, context)
  if (point === ZWSP) return isUnspaced(before) && isUnspaced(after)
  return isValidSelector(point, context) || affectsScript(point, context)
}

/** Whether a direction mark is near a right-to-left letter. Between two such letters it would have no effect. */
function isNearRtl({ before, after, left, right }: Surroundings): boolean {
  return !(isRtl(before) && isRtl(after)) && (endsRtl(left) || startsRtl(right))
}

/** Whether the character has an effect on the script around it. */
function affectsScript(point: string, { before, after, left, right }: Surroundings): boolean {
  if (point === SOFT_HYPHEN) return endsSyllable(left) && startsSyllable(right)
  if (point === JOINER) return isLetter(before) && isMark(after)
  if (FILLER.test(point)) return JAMO.test(before) && JAMO.test(after)
  if (MONGOLIAN_SELECTOR.test(point)) return isMongolian(before)
  return CONTROLS.some(([controls, block]) => controls.test(point) && (block.test(before) || block.test(after)))
}

function joinsLetters(point: string, { before, after }: Surroundings): boolean {
  if (isJoining(before) && isJoining(after)) return true
  return point === ZWJ && needsJoiner(before) && !isLetter(after)
}

/** Whether the character is a variation selector for a variant that the character before the run has. */
function isValidSelector(point: string, context: Surroundings): boolean {
  if (isVariant(point, context)) return context.allowsVariants
  const { before, after } = context
  if (point === TEXT_STYLE || point === EMOJI_STYLE)
    return isEmoji(before) || (/^[0-9#*]$/.test(before) && after === KEYCAP)
  return point === '\ufe00' && hasVariants(before)
}

/** Whether the character selects a variant of an ideograph or of its punctuation. */
function isVariant(point: string, { before }: Surroundings): boolean {
  if (IDEOGRAPH_SELECTOR.test(point)) return isIdeograph(before)
  if (point === '\ufe00' || point === '\ufe01') return isIdeograph(before) || CJK_POINT.test(before)
  return point === '\ufe02' && isIdeograph(before)
}
