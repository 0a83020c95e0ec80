/** Labelled statements about invented documents, and the verdicts of a report's check on them. */

import { readFileSync } from 'node:fs'
import type { Message } from '../../src/models/language.ts'
import { verifyAnswer } from '../../src/research/answer-check.ts'
import { CitationNumbers } from '../../src/research/report/citations.ts'
import { type ClaimBasis, checkClaims, claimKey, statementsIn } from '../../src/research/report/claims.ts'
import { ReportSources } from '../../src/research/report/sources.ts'
import { judgeRequests, openClaims, verdictsIn } from '../../src/research/run/check-report.ts'
import { spansOf } from '../../src/research/run/spans.ts'
import { type ClaimVerdict, type JudgeTask, withoutModel } from '../../src/research/run/stages.ts'
import { frameText } from '../../src/text/frames.ts'

export interface LabelledClaim {
  readonly id: string
  readonly docs: readonly string[]
  readonly claim: string
  readonly label: 'supported' | 'refuted' | 'not-stated'
  readonly kind: string
  readonly evidence: readonly string[]
  readonly near?: readonly string[]
  readonly question?: string
}

/** The folder of a set: its documents in `docs`, and files of JSON. */
export const OWN_SET = new URL('../../test/research/claims/', import.meta.url)

/** The second set was written before its author had seen the checker. */
export const CLAIM_SETS = { first: ['claims.json', 'controls.json'], second: ['second.json'] } as const

export function readLabelled<Row>(name: string, set = OWN_SET): Row[] {
  return JSON.parse(readFileSync(new URL(name, set), 'utf8'))
}

export function readDocument(name: string, set = OWN_SET) {
  const text = readFileSync(new URL(`docs/${name}`, set), 'utf8')
  const isCsv = name.endsWith('.csv')
  const syntax = name.endsWith('.md') ? ('markdown' as const) : ('plain' as const)
  return { alias: name, title: name, text, spans: spansOf({ text, syntax, isCsv }) }
}

export type Judge = 'perfect' | 'agrees' | 'nobody'

/**
 * Verdicts on a statement that cites the evidence of its label, or else all of its documents. `perfect`: a judge that knows the
 * label, and accepts a true statement only if it is sent the evidence. `agrees`: a judge that accepts everything. `nobody`: code
 * alone.
 */
export function verdictsBy(judge: Judge, claim: LabelledClaim, set = OWN_SET) {
  const files = claim.docs.map((name) => readDocument(name, set))
  const sources = new ReportSources(files, new Map())
  const relevantTexts = [...claim.evidence, ...(claim.near ?? [])].map(foldSpaces)
  const isRelevant = (text: string) =>
    relevantTexts.length === 0 || relevantTexts.some((one) => text.includes(one) || one.includes(text))
  const numbers = new CitationNumbers()
  const cited = files.flatMap(({ alias, spans }) =>
    spans.flatMap(({ id, text }) => (isRelevant(foldSpaces(text)) ? [`[${numbers.numberOf(`${alias}::${id}`)}]`] : [])),
  )
  const basis = { numbers, sourceOf: sources.claimSource, question: claim.question ?? '', computed: [] }
  const text = `${claim.claim} ${cited.join('')}`
  const judged = judge === 'nobody' ? undefined : judgeOpenClaims((task) => answerOf(judge, task, claim), text, basis)
  return checkClaims(text, { ...basis, judged }).claims.map(({ verdict }) => verdict)
}

/** Like `verdictsBy`, for an answer that cites whole documents. */
export async function answerVerdictsBy(judge: Judge, claim: LabelledClaim, set = OWN_SET) {
  const results = claim.docs.map((name, at) => {
    const sources = frameText({ tag: 'sources', attributes: {}, text: `[${at + 1}] ambit://docs/${name}` })
    const attributes = { uri: `ambit://docs/${name}`, lines: '1-999' }
    const text = `${sources}${frameText({ tag: 'document', attributes, text: readDocument(name, set).text })}`
    return { id: name, tool: 'read', isError: false, text }
  })
  const messages: Message[] = [{ role: 'tool', results }]
  const answer = `${claim.claim} ${claim.docs.map((_, at) => `[${at + 1}]`).join('')}`
  const asked = { question: claim.question ?? '', today: '', isQuoted: false, isRenumbered: true }
  const judging = async (task: JudgeTask) => withoutModel(answerOf(judge, task, claim))
  const { claims } = await verifyAnswer({ ...asked, answer, messages }, judge === 'nobody' ? undefined : judging)
  return claims.map(({ verdict }) => verdict)
}

/** Judges as a report does: statements that code leaves open are sent with their passages. */
function judgeOpenClaims(judge: (task: JudgeTask) => ClaimVerdict[], text: string, basis: ClaimBasis) {
  const requests = judgeRequests(openClaims(statementsIn(text, basis)), basis)
  const verdicts = requests.flatMap(({ task, claims }) => verdictsIn(judge(task), claims))
  return new Map(verdicts.map(({ claim, verdict, why }) => [claimKey(claim), { verdict, why }]))
}

function answerOf(judge: Judge, { claims, passages }: JudgeTask, { label, evidence }: LabelledClaim): ClaimVerdict[] {
  const sent = foldSpaces(passages.map(({ text }) => text).join('\n'))
  // A row is sent as its cells, each with the name of its column.
  const isSent = (one: string) =>
    sent.includes(foldSpaces(one)) || one.split(/[,|]/).every((cell) => sent.includes(cell.trim()))
  const isTrue = judge === 'agrees' || (label === 'supported' && evidence.every(isSent))
  return claims.map(({ id }) => ({ id, verdict: isTrue ? 'supported' : 'unsupported', why: '' }))
}

function foldSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
