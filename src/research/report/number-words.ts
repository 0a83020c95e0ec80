/** Numbers in words. */

const DIGITS = 'one two three four five six seven eight nine'.split(' ')
const TEENS = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ')
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

const SMALL: ReadonlyMap<string, number> = new Map([
  ...DIGITS.map((word, at) => [word, at + 1] as const),
  ...TEENS.map((word, at) => [word, at + 10] as const),
  ...TENS.map((word, at) => [word, (at + 2) * 10] as const),
])

const DOZEN = 12
const HUNDRED = 100
const LARGE: ReadonlyMap<string, number> = new Map([
  ['dozen', DOZEN],
  ['hundred', HUNDRED],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
])

const LARGE_WORD = [...LARGE.keys()].join('|')
const WORD = `(?:${[...SMALL.keys(), LARGE_WORD].join('|')})`

/** Number words in a row. After `between`, `and` separates two numbers. */
const NUMBERS = new RegExp(
  `\\b(between )?(?:((?:half )?an? )(?=${LARGE_WORD}))?(${WORD}(?:(?: and |[ -])${WORD})*)\\b`,
  'gi',
)

/** `two hundred and fifty` is `250`, `half a million` `500000`, `two and a half` `2.5`. `one` alone is a pronoun, too: it stays. */
export function toDigits(text: string): string {
  return text
    .replace(NUMBERS, (_, between = '', article = '', words = '') => {
      const start = article === '' ? 0 : /^half/i.test(article) ? 0.5 : 1
      return between + digitsOf(wordsOf(words), { start, isRange: between !== '' })
    })
    .replace(/\bone and a half\b/gi, '1.5')
    .replace(/(?<![\p{L}\p{N}.,])(\d{1,20}) and a half\b/giu, '$1.5')
}

interface NumberWord {
  /** What stands between it and the word before. */
  readonly before: string
  readonly word: string
}

function wordsOf(text: string): NumberWord[] {
  return [...text.matchAll(/( and |[ -])?([a-z]+)/gi)].map(([, before = '', word = '']) => ({ before, word }))
}

interface Reading {
  /** The factor before the words: 1 for `a hundred`, 0.5 for `half a million`, 0 for none. */
  readonly start: number
  readonly isRange: boolean
}

/** All numbers of the words, with what stands between two. */
function digitsOf(words: readonly NumberWord[], { start, isRange }: Reading): string {
  let written = ''
  for (let at = 0; at < words.length; ) {
    const { value, end } = numberAt(words, at, { start: at === 0 ? start : 0, isRange })
    const own = words.slice(at, end)
    const isNumber = value > 1 || (value > 0 && own.length > 1) || start > 0
    const text = own.map(({ before, word }) => before + word).join('')
    written += isNumber ? `${own[0]?.before ?? ''}${value}` : text
    at = end
  }
  return written
}

/** The number that begins at a word, and where the next one begins. */
function numberAt(words: readonly NumberWord[], from: number, { start, isRange }: Reading) {
  let [value, at, least] = [0, from, Number.POSITIVE_INFINITY]
  while (at === from || isJoined(words[at], isRange)) {
    const part = hundredsAt(words, at, { start: at === from ? start : 0, isRange })
    const factor = LARGE.get(words[part.end]?.word.toLowerCase() ?? '') ?? 1
    if (part.value * factor === 0 || part.value >= least || factor >= least) break
    value += part.value * factor
    at = part.end + (factor > 1 ? 1 : 0)
    if (factor === 1) break
    least = factor
  }
  return { value, end: Math.max(at, from + 1) }
}

/** A number below ten thousand: `two hundred and three`. Of `two hundred and three hundred` it reads two words. */
function hundredsAt(words: readonly NumberWord[], from: number, { start, isRange }: Reading) {
  const first = start > 0 ? { value: start, end: from } : smallAt(words, from)
  const factor = hundredsOf(words[first.end])
  if (factor === undefined) return first
  const [value, end] = [first.value * factor, first.end + 1]
  const rest = isJoined(words[end], isRange) ? smallAt(words, end) : { value: 0, end }
  return hundredsOf(words[rest.end]) === undefined ? { value: value + rest.value, end: rest.end } : { value, end }
}

function hundredsOf(word: NumberWord | undefined): number | undefined {
  const factor = LARGE.get(word?.word.toLowerCase() ?? '')
  return factor !== undefined && factor <= HUNDRED ? factor : undefined
}

function isJoined(word: NumberWord | undefined, isRange: boolean): boolean {
  return word !== undefined && !(isRange && word.before === ' and ')
}

/** `twenty-one`, `seven`; 0 of another word. */
function smallAt(words: readonly NumberWord[], at: number) {
  const value = smallOf(words[at])
  const next = words[at + 1]
  const unit = next && value >= 20 && next.before !== ' and ' ? smallOf(next) : 0
  const isUnit = unit > 0 && unit < 10
  return { value: value + (isUnit ? unit : 0), end: at + (value === 0 ? 0 : isUnit ? 2 : 1) }
}

const smallOf = (word: NumberWord | undefined) => SMALL.get(word?.word.toLowerCase() ?? '') ?? 0
