/** An answer of the assistant, held against what its conversation has of the sources that it cites. */

import type { LanguageModel, Message } from '../models/language.ts'
import { citedAs, givenElements, sourceNumbers } from '../text/citations.ts'
import { type FramedElement, unescapeText } from '../text/elements.ts'
import { lineAt, lineStarts } from '../text/lines.ts'
import { modelStages } from './model/model-stages.ts'
import { renumber } from './report/citations.ts'
import {
  checkClaims,
  claimKey,
  type JudgedClaim,
  type ReportClaim,
  statementsIn,
  toReportClaim,
} from './report/claims.ts'
import { excerptFor, rankPlaces, relevance } from './routing/route.ts'
import { askedOf, judgeRequests, openClaims, verdictsIn } from './run/check-report.ts'
import { addSpent, NOTHING_SPENT, type Spent, type Stages } from './run/stages.ts'

/** A source of an answer, with the text that is cited. */
export interface AnswerSource {
  readonly number: number
  readonly place: string
  readonly line?: number
  /** The headings that it stands under. */
  readonly heading?: string
}

export interface CheckedAnswer {
  /** With a mark behind each statement that its sources do not bear out. */
  readonly text: string
  /** In the order in which they are cited. */
  readonly citations: readonly AnswerSource[]
  /** The statements that cite something. */
  readonly claims: readonly ReportClaim[]
  /** Usage of the judge. */
  readonly spent: Spent
}

interface AnswerToCheck {
  readonly question: string
  /** ISO 8601: on which it was asked. */
  readonly today: string
  readonly answer: string
  /** The conversation, with the sources in it. */
  readonly messages: readonly Message[]
  /** Whether it quotes and says nothing of its own: nothing is checked. */
  readonly isQuoted: boolean
  /** Whether sources are numbered anew, from 1. */
  readonly isRenumbered: boolean
  readonly signal?: AbortSignal
}

/** A judge for `verifyAnswer`. */
export function judgeBy(model: LanguageModel): NonNullable<Stages['judge']> {
  return modelStages(model).judge
}

/** Code checks quotations and numbers; `judge` the rest, where there is one. */
export async function verifyAnswer(given: AnswerToCheck, judge?: Stages['judge']): Promise<CheckedAnswer> {
  const { question, today, answer, messages, isQuoted, isRenumbered, signal = new AbortController().signal } = given
  const sources = sourcesIn(messages)
  const offered = { refOf: (number: number) => sources.find((one) => one.number === number)?.place }
  const { text, refs } = renumber(answer, offered)
  const byPlace = new Map(sources.map((source) => [source.place, source]))
  const sourceOf = (ref: string) => byPlace.get(ref)?.whole
  const shown = isRenumbered
    ? { text, numbers: { refOf: (number: number) => refs[number - 1] } }
    : { text: answer, numbers: offered }
  const basis = { numbers: shown.numbers, sourceOf, question, today, computed: [], citedOnly: true }
  const { judged, spent } = await judgeClaims({ ...given, judge, signal }, shown.text, basis)
  const { claims, text: marked } = isQuoted
    ? { claims: [], text: shown.text }
    : checkClaims(shown.text, { ...basis, judged })
  const citations = refs.map((ref, at): AnswerSource => {
    const claim = claims.find((one) => one.citations.includes(ref))
    const { number = at + 1, passages = [] } = byPlace.get(ref) ?? {}
    return { number: isRenumbered ? at + 1 : number, place: ref, ...(claim && placeOf(passages, claim.text)) }
  })
  return { text: marked, citations, claims: claims.map((claim) => toReportClaim(claim)), spent }
}

async function judgeClaims(
  {
    question,
    today,
    judge,
    signal,
  }: Pick<AnswerToCheck, 'question' | 'today'> & { readonly judge: Stages['judge']; readonly signal: AbortSignal },
  text: string,
  basis: Parameters<typeof statementsIn>[1],
): Promise<{ readonly judged: ReadonlyMap<string, JudgedClaim>; readonly spent: Spent }> {
  const judged = new Map<string, JudgedClaim>()
  let spent = NOTHING_SPENT
  if (!judge) return { judged, spent }
  const excerpt = (ref: string, near: readonly string[]) => {
    const source = basis.sourceOf(ref)
    return source && { id: ref, under: source.context, text: excerptFor(source.text, near) }
  }
  const most = { calls: Number.POSITIVE_INFINITY, input: Number.POSITIVE_INFINITY, output: 0 }
  for (const request of judgeRequests(openClaims(statementsIn(text, basis)), excerpt)) {
    const done = await judge({ question, today, ...askedOf(request) }, { signal, most })
    spent = addSpent(spent, done.spent)
    for (const { claim, verdict, why } of verdictsIn(done.value, request)) judged.set(claimKey(claim), { verdict, why })
  }
  return { judged, spent }
}

interface SourcePassage {
  readonly text: string
  /** The line that it begins on. */
  readonly line: number
}

/** The sources that elements number: `[1] ambit://docs/a.md`. A source may have several addresses; its place is the first. */
function sourcesIn(messages: readonly Message[]) {
  const elements = givenElements(messages.flatMap(textsIn))
  const standing = unescapeText(elements.findLast(({ tag }) => tag === 'place')?.body ?? '')
  const cited = Map.groupBy(elements, (one) => citedAs(one, { place: standing }) ?? '')
  const byNumber = Map.groupBy(sourceNumbers(elements), ([, number]) => number)
  return [...byNumber].map(([number, names]) => {
    const passages = names.flatMap(([name]) => cited.get(name) ?? []).map(passageOf)
    const place = names[0]?.[0] ?? ''
    return { number, place, passages, whole: { text: passages.map((one) => one.text).join('\n\n'), context: place } }
  })
}

function textsIn(message: Message): readonly string[] {
  if (message.role === 'tool') return message.results.map(({ text }) => text)
  return message.role === 'context' ? [message.text] : []
}

/** Without what people said of the place, which stands in frames before a text. */
function passageOf({ body, attributes: { lines = '1' } }: FramedElement): SourcePassage {
  const text = body.replace(/^(?:<(path-context|notice)[^>\n]*>\n(?:(?!<\/)[^\n]*\n)*<\/\1>\n)+/, '')
  return { text: unescapeText(text), line: Number.parseInt(lines, 10) || 1 }
}

/** The line and the heading of the paragraph that is nearest to a statement. */
function placeOf(passages: readonly SourcePassage[], statement: string): Pick<AnswerSource, 'line' | 'heading'> {
  const paragraphs = passages.flatMap((from) => {
    return [...from.text.matchAll(/[^\n]+(?:\n[^\n]+)*/g)].map(({ 0: text, index }) => ({ text, index, from }))
  })
  const texts = paragraphs.map(({ text }) => text)
  const best = paragraphs[rankPlaces(relevance(texts, statement))[0] ?? -1]
  if (!best) return {}
  const { index, from } = best
  const heading = [...from.text.slice(0, index + best.text.length).matchAll(/^#{1,6} (.+)$/gm)].at(-1)?.[1]
  const line = from.line + lineAt(lineStarts(from.text), index)
  return { line, ...(heading !== undefined && { heading }) }
}
