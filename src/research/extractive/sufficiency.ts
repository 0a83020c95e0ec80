import { numbersIn, termsIn } from '../routing/terms.ts'
import type { Sufficiency } from '../run/evidence.ts'
import type { SufficiencyTask } from '../run/stages.ts'
import { splitQuestion } from './decompose.ts'

const DATE =
  /\b(?:1\d|20)\d\d\b|\b\d{1,2}[:.]\d\d\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|noon|midnight)\b/i

/** What is asked for, besides the words: an answer must hold one of these. */
const TYPES: readonly (readonly [asks: RegExp, holds: RegExp, called: string])[] = [
  [
    /\b(?:how (?:many|much|long|far|often|old|high|deep|large|big)|what (?:number|percentage|share|price|cost))\b/i,
    /\d/,
    'a number',
  ],
  [/\b(?:when|what year|which year|what date)\b/i, DATE, 'a date'],
]

/** Share of the words of a question that its evidence must hold. */
const ENOUGH = 0.75

/**
 * Whether what was found answers a question: every number of it and most of its words are in the evidence, of which one
 * sentence holds half of them, and what it asks for (a number, a date) is there. Judged alike on files, collections and web.
 */
export function sufficiencyOf({ question, findings, depth, headingsOf }: SufficiencyTask): Sufficiency {
  const terms = [...new Set(termsIn(question))]
  const texts = findings.map(({ text, ref }) => ({
    text,
    terms: new Set(termsIn([...headingsOf(ref).slice(-1), text].join('\n'))),
  }))
  const isThere = (term: string) => texts.some((one) => one.terms.has(term))
  const missing = terms.filter((term) => !isThere(term))
  const unknown = numbersIn(question).filter((number) => !texts.some(({ text }) => numbersIn(text).includes(number)))
  const close = texts.filter((one) => terms.filter((term) => one.terms.has(term)).length * 2 >= terms.length)
  const type = TYPES.find(([asks]) => asks.test(question))
  const gaps = [
    ...(findings.length === 0 ? [`Nothing was found about: ${question}`] : []),
    ...missingWords(question, missing).map((word) => `Nothing says anything of “${word}”.`),
    ...unknown.map((number) => `Nothing holds ${number}.`),
    ...(type && !close.some(({ text }) => type[1].test(text)) ? [`No answer holds ${type[2]}.`] : []),
  ]
  const share = terms.length === 0 ? 0 : (terms.length - missing.length) / terms.length
  const parts = depth === 1 ? splitQuestion(question).length : 1
  const isSufficient = share >= ENOUGH && unknown.length === 0 && close.length > 0 && parts < 2 && !lacksType(gaps)
  const covered = `${terms.length - missing.length} of ${terms.length} words of the question are in the evidence`
  const reasoning = parts >= 2 ? `${covered}; the question has ${parts} parts.` : `${covered}.`
  return { is_sufficient: isSufficient, reasoning, gaps: isSufficient ? [] : gaps }
}

function lacksType(gaps: readonly string[]): boolean {
  return gaps.some((gap) => gap.startsWith('No answer holds'))
}

/** The words as they stand in the question. */
function missingWords(question: string, missing: readonly string[]): string[] {
  const wanted = new Set(missing)
  const words = question.match(/[\p{L}\p{M}\p{N}’'-]+/gu) ?? []
  return [...new Set(words.filter((word) => termsIn(word).some((term) => wanted.has(term))))]
}
