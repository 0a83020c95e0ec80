/** Whether a passage says what is claimed of it, by what shows without a model: words, numbers, units, dates, names, negations. */

import { sentencesOf } from '../../text/sentences.ts'
import { termsIn } from '../routing/terms.ts'
import { isQuoted } from './quotes.ts'

/** A passage that is cited. */
export interface ClaimSource {
  readonly text: string
  /** What it stands under: title, headings, names of columns. */
  readonly context: string
}

/** Share of the words of a claim that its sources hold, and that one sentence of them holds for it to be the one that is meant. */
const HELD = 0.65
const MEANT = 0.7

/** Share of the words of a sentence that a claim holds which is made of several. */
const MEANT_OF_MANY = 0.3

/** Why the sources do not bear out a claim, a sentence; undefined where they do. */
export function whyUnsupported(claim: string, sources: readonly ClaimSource[]): string | undefined {
  const bare = bareClaim(claim)
  const text = sources.map((source) => source.text).join('\n\n')
  if (isQuoted(bare, text)) return undefined
  const context = sources.map((source) => source.context).join('\n')
  const terms = [...new Set(wordsOf(bare))]
  const missing = missingIn(terms, `${text}\n${context}`)
  if (terms.length > 0 && missing.length > terms.length * (1 - HELD)) return 'Its source says something else.'
  const meant = meantSentence(bare, terms, text)
  const near = meant ?? text
  return (
    whyOtherNumber(bare, `${near}\n${context}`) ??
    whyOtherName(bare, { near, all: `${text}\n${context}`, isMeant: meant !== undefined }) ??
    whyNegated(bare, meant ?? sentencesMeant(terms, text))
  )
}

/** A claim without quotation marks and what only names its source. */
export function bareClaim(claim: string): string {
  return claim.replace(/^[\s“”"'>*•-]+|[\s“”"'*]+$/g, '').replace(INTRODUCTION, '')
}

/** What names the source, and says nothing of it. */
const INTRODUCTION =
  /^(?:according to|as) (?:the|its|this|that)? ?[\p{L}\s-]{1,40}(?:says|said|states|puts it)?,\s+|^the \p{L}{3,20} (?:says|states|notes|reports) that\s+/iu

/** Telling words, without numbers: these are held against the source as they are written. */
function wordsOf(text: string): string[] {
  return termsIn(text).filter((term) => !/^\d/.test(term))
}

function missingIn(terms: readonly string[], text: string): string[] {
  const held = new Set(termsIn(text))
  return terms.filter((term) => !held.has(term))
}

/** The sentence that a claim is made of, where one holds most of it; undefined where it is made of several. */
function meantSentence(claim: string, terms: readonly string[], text: string): string | undefined {
  if (terms.length === 0) return undefined
  const sentences = sentencesOf(text).map((sentence) => sentence.text)
  const rows = sentences.flatMap((sentence) =>
    sentence.trimStart().startsWith('|') ? sentence.split('\n') : [sentence],
  )
  let best: { readonly text: string; readonly score: number } | undefined
  for (const one of rows) {
    const own = new Set(termsIn(one))
    const share = terms.filter((term) => own.has(term)).length / terms.length
    const numbers = [...numbersOf(claim)]
    const same = numbers.filter((number) => numbersOf(one).has(number)).length / Math.max(1, numbers.length)
    const score = share + same / 100
    if (share >= MEANT && (!best || score > best.score)) best = { text: one, score }
  }
  const chosen = best?.text
  if (chosen === undefined) return undefined
  // What lacks several words that stand elsewhere is made of several sentences.
  const [own, all] = [new Set(termsIn(chosen)), new Set(termsIn(text))]
  return terms.filter((term) => !own.has(term) && all.has(term)).length > 1 ? undefined : chosen
}

/** The sentences of which a claim holds a good part. */
function sentencesMeant(terms: readonly string[], text: string): string {
  const said = new Set(terms)
  const sentences = sentencesOf(text).filter((sentence) => {
    const own = wordsOf(sentence.text)
    return own.filter((term) => said.has(term)).length >= own.length * MEANT_OF_MANY
  })
  return sentences.map((sentence) => sentence.text).join('\n')
}

const COUNTS = 'two three four five six seven eight nine ten eleven twelve'.split(' ')
const MONTHS = 'january february march april may june july august september october november december'.split(' ')

/** Numbers as digits, whether they are written so or as a word; without marks of thousands. */
function numbersOf(text: string): Set<string> {
  const digits = (text.match(/\d+(?:[.,:]\d+)*/g) ?? []).flatMap((number) => [
    number.replace(/,(?=\d{3}(?:\D|$))/g, ''),
    number.replace(/\.(?=\d{3}(?:\D|$))/g, ''),
  ])
  const words = (text.toLowerCase().match(/[a-z]+/g) ?? []).flatMap((word) => {
    const at = COUNTS.indexOf(word)
    return at < 0 ? [] : [String(at + 2)]
  })
  // `2024-03-05` and `5 March 2024` are the same day.
  const days = [...text.matchAll(/\b\d{4}-(\d\d)-(\d\d)\b/g)].flatMap(([, month = '', day = '']) => [month, day])
  return new Set([...digits, ...words, ...days.map((part) => part.replace(/^0/, ''))])
}

/** Names of months, of a day as it is written in digits, too. */
function monthsOf(text: string): Set<string> {
  const isMonth = (word: string) => word !== 'may' || /\bMay\b(?=\s+\d|,)|\d\s+May\b/.test(text)
  const named = (text.toLowerCase().match(/[a-z]+/g) ?? []).flatMap((word) => {
    const month = MONTHS.find((one) => one === word || (word.length === 3 && one.startsWith(word) && word !== 'may'))
    return month !== undefined && isMonth(word) ? [month] : []
  })
  const digits = [...text.matchAll(/\b\d{4}-(\d\d)-\d\d\b/g)].flatMap(
    ([, month = '']) => MONTHS[Number(month) - 1] ?? [],
  )
  return new Set([...named, ...digits])
}

const UNITS: readonly (readonly string[])[] = [
  ['ms', 'millisecond', 'milliseconds'],
  ['s', 'sec', 'secs', 'second', 'seconds'],
  ['min', 'mins', 'minute', 'minutes'],
  ['h', 'hour', 'hours'],
  ['day', 'days'],
  ['week', 'weeks'],
  ['month', 'months'],
  ['year', 'years'],
  ['byte', 'bytes'],
  ['kb', 'kilobyte', 'kilobytes'],
  ['mb', 'megabyte', 'megabytes'],
  ['gb', 'gigabyte', 'gigabytes'],
  ['tb', 'terabyte', 'terabytes'],
  ['kib'],
  ['mib'],
  ['gib'],
  ['mm', 'millimetre', 'millimetres', 'millimeter', 'millimeters'],
  ['cm', 'centimetre', 'centimetres', 'centimeter', 'centimeters'],
  ['m', 'metre', 'metres', 'meter', 'meters'],
  ['km', 'kilometre', 'kilometres', 'kilometer', 'kilometers'],
  ['mile', 'miles'],
  ['g', 'gram', 'grams'],
  ['kg', 'kilogram', 'kilograms'],
  ['t', 'ton', 'tons', 'tonne', 'tonnes'],
  ['l', 'litre', 'litres', 'liter', 'liters'],
  ['%', 'percent'],
  ['€', 'eur', 'euro', 'euros'],
  ['$', 'usd', 'dollar', 'dollars'],
  ['£', 'gbp', 'pound', 'pounds'],
  ['hz', 'hertz'],
  ['khz'],
  ['mhz'],
  ['ghz'],
  ['w', 'watt', 'watts'],
  ['kw', 'kilowatt', 'kilowatts'],
  ['mw', 'megawatt', 'megawatts'],
  ['v', 'volt', 'volts'],
  ['°c'],
  ['°f'],
  ['knot', 'knots'],
  ['thousand'],
  ['million', 'millions'],
  ['billion', 'billions'],
]
const UNIT_OF = new Map(UNITS.flatMap((names) => names.map((name) => [name, names[0] ?? ''] as const)))

/** `5 ms` of each number that has a known unit. */
function quantitiesOf(text: string): Set<string> {
  const behind = [...text.matchAll(/(\d[\d.,]*)[\s\u00a0-]?(%|€|\$|£|°[CF]|\p{L}{1,12})/gu)]
  const before = [...text.matchAll(/([€$£])\s?(\d[\d.,]*)/g)].map(([all, unit = '', number = '']) => [
    all,
    number,
    unit,
  ])
  const found = [...behind, ...before].flatMap(([, number = '', unit = '']) => {
    const known = UNIT_OF.get(unit.toLowerCase())
    return known === undefined ? [] : [`${number.replace(/,(?=\d{3}(?:\D|$))|[.,]$/g, '')} ${known}`]
  })
  return new Set(found)
}

function whyOtherNumber(claim: string, source: string): string | undefined {
  const [numbers, months, quantities] = [numbersOf(source), monthsOf(source), quantitiesOf(source)]
  const number = [...numbersIn(claim)].find((one) => !one.some((form) => numbers.has(form)))
  if (number) return `Its source does not hold ${number[0]}.`
  const month = [...monthsOf(claim)].find((one) => !months.has(one))
  if (month !== undefined) return `Its source does not hold ${month}.`
  const units = new Set((source.toLowerCase().match(/%|€|\$|£|°[cf]|\p{L}+/gu) ?? []).map((word) => UNIT_OF.get(word)))
  const other = [...quantitiesOf(claim)].find((one) => {
    const [value = '', unit = ''] = one.split(' ')
    const hasOther = [...quantities].some((held) => held.startsWith(`${value} `))
    return !quantities.has(one) && (hasOther || !units.has(unit))
  })
  return other === undefined ? undefined : `Its source does not hold ${other}.`
}

/** Each number of a claim, in the forms that it may have in a source. */
function numbersIn(claim: string): string[][] {
  const digits = (claim.match(/\d+(?:[.,:]\d+)*/g) ?? []).map((number) => [...numbersOf(number)])
  const words = (claim.toLowerCase().match(/[a-z]+/g) ?? []).flatMap((word) =>
    COUNTS.includes(word) ? [[...numbersOf(word)]] : [],
  )
  return [...digits, ...words]
}

interface NamePlaces {
  /** The sentence that is meant, or all of the text. */
  readonly near: string
  readonly all: string
  readonly isMeant: boolean
}

/** Letters that two forms of a name begin with, at least. */
const NAME_BEGINS = 5

function whyOtherName(claim: string, { near, all, isMeant }: NamePlaces): string | undefined {
  const held = new Set(nameWords(isMeant ? `${near}\n${all.slice(near.length)}` : all))
  const first = claim.search(/[\p{L}\p{N}]/u)
  const names = [...claim.matchAll(/\p{Lu}[\p{L}\p{M}\p{N}]*(?:['’-][\p{L}\p{N}]+)*/gu)].filter(
    ({ 0: name, index }) => {
      if (name.length < 2 || wordsOf(name).length === 0) return false
      // The first word of a sentence has a capital in any case: it counts where the sentence that is meant begins with another name.
      return index !== first || /\p{Lu}.*\p{Lu}|\d/u.test(name) || (isMeant && beginsOtherwise(claim, near))
    },
  )
  const other = names.find(({ 0: name }) => !nameWords(name).some((word) => holdsName(held, word)))
  return other === undefined ? undefined : `Its source does not name ${other[0]}.`
}

/** Whether the first word alone is another one than that of the sentence. */
function beginsOtherwise(claim: string, sentence: string): boolean {
  const [[first, second], [own, next]] = [claim, sentence].map((text) => nameWords(text).slice(0, 2)) as [
    string[],
    string[],
  ]
  return first !== own && second !== undefined && second === next && wordsOf(own ?? '').length > 0
}

function nameWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
}

function holdsName(held: ReadonlySet<string>, word: string): boolean {
  if (held.has(word) || held.has(`${word}s`) || held.has(word.replace(/s$/, ''))) return true
  if (word.length < NAME_BEGINS) return false
  return [...held].some((other) => {
    const shared = Math.min(word.length, other.length)
    return (
      shared >= NAME_BEGINS &&
      shared >= Math.max(word.length, other.length) - 3 &&
      other.slice(0, shared) === word.slice(0, shared)
    )
  })
}

const NEGATION =
  /(?<![\p{L}\p{N}])(?:not|no|never|none|nor|neither|without|cannot|nothing|nobody|nowhere|\p{L}+n['’]t|nicht|kein\p{L}*|nie|niemals|ohne|weder|pas|jamais|sans|aucune?|ningun\p{L}*|nunca|sin|не|нет|ни|никогда|без)(?![\p{L}\p{N}])|[不没沒無无未非]|ไม่|ไม่มี/giu

/** Words behind a negation among which stands what it denies. */
const SCOPE = 5

/** What a text denies: the telling words behind each negation; of one at the end those before it. */
function deniedIn(text: string): string[][] {
  return [...text.matchAll(NEGATION)].map(({ 0: word, index }) => {
    const behind = termsIn(text.slice(index + word.length).split(/(?<=[,;:.!?])\s/, 1)[0] ?? '').filter(
      (term) => term !== word,
    )
    const before = termsIn(text.slice(0, index))
    return behind.length > 0 ? behind.slice(0, SCOPE - 2) : before.slice(-2)
  })
}

function whyNegated(claim: string, source: string): string | undefined {
  const [own, theirs] = [deniedIn(claim), deniedIn(source)]
  const said = new Set(termsIn(claim))
  const shares = (one: readonly string[], others: readonly string[][]) =>
    one.length === 0 || others.some((other) => one.some((term) => other.includes(term)))
  if (own.some((terms) => !shares(terms, theirs))) return 'Its source does not deny it.'
  const isDenied = theirs.some(
    (terms) => terms.length > 0 && terms.slice(0, 2).every((term) => said.has(term)) && !shares(terms, own),
  )
  return isDenied ? 'Its source denies it.' : undefined
}
