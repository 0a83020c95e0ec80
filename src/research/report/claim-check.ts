/** Whether a passage says what is claimed of it, by what shows without a model: words, numbers, units, dates, names, negations. */

import { sentencesOf } from '../../text/sentences.ts'
import { termsIn } from '../routing/terms.ts'
import { whyDeniedBetween, whyNegated } from './claim-negations.ts'
import { toOneNotation, toUnrounded } from './claim-notation.ts'
import { numeralsOf, whyOtherDay, whyOtherNumber, whyReplacedNumber } from './claim-numbers.ts'
import { whyOpposite } from './claim-opposites.ts'
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

/** Why the sources do not bear out a claim, a sentence; undefined where they do, as they are written or in one notation. */
export function whyUnsupported(claim: string, sources: readonly ClaimSource[]): string | undefined {
  const why = whyNotSaid(claim, sources)
  if (why === undefined) return undefined
  const same = sources.map(({ text, context }) => ({ text: toOneNotation(text), context: toOneNotation(context) }))
  const rewritten = toUnrounded(toOneNotation(claim), same.map(({ text }) => text).join('\n'))
  return whyNotSaid(rewritten, same) === undefined ? undefined : why
}

/** As `whyUnsupported`, by what is written alone. */
function whyNotSaid(claim: string, sources: readonly ClaimSource[]): string | undefined {
  const bare = bareClaim(claim)
  const text = sources.map((source) => source.text).join('\n\n')
  if (isQuoted(bare, text) || isQuoted(bare, text.replace(/\*\*|__/g, ''))) return undefined
  const context = sources.map((source) => source.context).join('\n')
  const terms = [...new Set(wordsOf(bare))]
  const missing = missingIn(terms, `${text}\n${context}`)
  if (terms.length > 0 && missing.length > terms.length * (1 - HELD)) return 'Its source says something else.'
  const meant = meantSentence(bare, terms, text)
  const near = meant ?? text
  return (
    whyOtherNumber(bare, `${near}\n${context}`) ??
    whyOtherDay(bare, `${near}\n${context}`) ??
    whyReplacedNumber(bare, near) ??
    whyOtherName(bare, { near, all: `${text}\n${context}`, isMeant: meant !== undefined }) ??
    whyNegated(bare, meant ?? sentencesMeant(terms, text)) ??
    (meant === undefined ? undefined : whyDeniedBetween(bare, meant)) ??
    whyOpposite(bare, meant ?? sentencesMeant(terms, text))
  )
}

/** A claim without quotation marks and what only names its source. */
export function bareClaim(claim: string): string {
  return claim.replace(/^[\s“”"'>*•-]+|(?<![\s“”"'*])[\s“”"'*]+$/g, '').replace(INTRODUCTION, '')
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
    const numbers = [...numeralsOf(claim)]
    const same = numbers.filter((number) => numeralsOf(one).has(number)).length / Math.max(1, numbers.length)
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
