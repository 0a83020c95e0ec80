/** Checks an answer of the assistant against the texts of its cited sources that the conversation contains. */

import { givenTexts, textFilesOf } from '../agent/transcript.ts'
import type { LanguageModel, Message } from '../models/language.ts'
import { citationUri, givenElements, sourceNumbers } from '../text/citations.ts'
import { type FramedElement, unescapeText } from '../text/elements.ts'
import { attachmentElement, attachmentUri } from '../text/frames.ts'
import { modelStages } from './model/model-stages.ts'
import { type CitedAnswer, readAnswer, type SourcePassage } from './report/answer.ts'
import { claimKey, type JudgedClaim, statementsIn } from './report/claims.ts'
import { judgeRequests, openClaims, verdictsIn } from './run/check-report.ts'
import { addUsage, NO_USAGE, type Stages } from './run/stages.ts'
import { checkCitedAnswer } from './run/text-thread.ts'

export type CheckedAnswer = Awaited<ReturnType<typeof verifyAnswer>>

interface AnswerToCheck extends Omit<CitedAnswer, 'sources'> {
  /** The conversation, which contains the texts of the sources. */
  readonly messages: readonly Message[]
  readonly signal?: AbortSignal
}

/** A judge for `verifyAnswer`. */
export function createJudge(model: LanguageModel): NonNullable<Stages['judge']> {
  return modelStages(model).judge
}

/** Code checks quotations and numbers; `judge`, if given, checks the other statements. `spent`: usage of the judge. */
export async function verifyAnswer(
  { messages, signal = new AbortController().signal, ...citedAnswer }: AnswerToCheck,
  judge?: Stages['judge'],
) {
  const answer = { ...citedAnswer, sources: sourcesIn(messages, citedAnswer.answer) }
  const { judged, spent } = await judgeClaims(answer, judge, signal)
  return { ...(await checkCitedAnswer({ ...answer, judged })), spent }
}

async function judgeClaims(answer: CitedAnswer, judge: Stages['judge'], signal: AbortSignal) {
  const judged = new Map<string, JudgedClaim>()
  let spent = NO_USAGE
  if (!judge) return { judged, spent }
  const { text, basis } = readAnswer(answer)
  const noLimit = Number.POSITIVE_INFINITY
  const limits = { calls: noLimit, tokens: noLimit, cost: noLimit }
  for (const { task, claims } of judgeRequests(openClaims(statementsIn(text, basis)), basis)) {
    const { value, spent: used } = await judge(task, { signal, limits })
    spent = addUsage(spent, used)
    for (const { claim, verdict, why } of verdictsIn(value, claims)) judged.set(claimKey(claim), { verdict, why })
  }
  return { judged, spent }
}

/**
 * The numbered sources of a conversation: `[1] ambit://docs/a.md`. A source may have several addresses; its place is
 * the first address. An attached file is read if the answer cites it.
 */
function sourcesIn(messages: readonly Message[], answer: string): CitedAnswer['sources'] {
  const given = givenElements(messages.flatMap(givenTexts))
  const place = unescapeText(given.findLast(({ tag }) => tag === 'place')?.body ?? '')
  const numbers = sourceNumbers(given)
  const cited = new Set([...numbers].flatMap(([name, number]) => (answer.includes(`[${number}]`) ? [name] : [])))
  const attached = messages.flatMap(textFilesOf).filter(({ name }) => cited.has(attachmentUri(name)))
  const elements = [...given, ...givenElements(attached.map(attachmentElement))]
  const elementsByName = Map.groupBy(elements, (one) => citationUri(one, { place }) ?? '')
  const byNumber = Map.groupBy(numbers, ([, number]) => number)
  return [...byNumber].map(([number, namedNumbers]) => {
    const passages = namedNumbers.flatMap(([name]) => elementsByName.get(name) ?? []).map(passageOf)
    return { number, place: namedNumbers[0]?.[0] ?? '', passages }
  })
}

/** The text of an element, without the path contexts and notices before it. */
function passageOf({ body, attributes: { lines = '' } }: FramedElement): SourcePassage {
  const text = body.replace(/^(?:<(path-context|notice)[^>\n]*>\n(?:(?!<\/)[^\n]*\n)*<\/\1>\n)+/, '')
  return { text: unescapeText(text), line: Number.parseInt(lines, 10) || 1 }
}
