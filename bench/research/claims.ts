/** Labelled statements about made documents, and what the check of a report says of them. */

import { readFileSync } from 'node:fs'
import { CitationNumbers } from '../../src/research/report/citations.ts'
import { checkClaims, claimKey } from '../../src/research/report/claims.ts'
import { ReportSources } from '../../src/research/report/sources.ts'
import { spansOf } from '../../src/research/run/spans.ts'

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

const SET = new URL('../../test/research/claims/', import.meta.url)

/** The second set was written before its author had seen the checker. */
export const CLAIM_SETS = { first: ['claims.json', 'controls.json'], second: ['second.json'] } as const

export function readLabelled<Row>(name: string): Row[] {
  return JSON.parse(readFileSync(new URL(name, SET), 'utf8'))
}

export function readDocument(name: string) {
  const text = readFileSync(new URL(`docs/${name}`, SET), 'utf8')
  const isCsv = name.endsWith('.csv')
  const syntax = name.endsWith('.md') ? ('markdown' as const) : ('plain' as const)
  return { alias: name, title: name, text, spans: spansOf({ text, syntax, isCsv }) }
}

/** Verdicts on a statement that cites what its label rests on; `nobody`: by code alone. */
export function verdictsBy(judge: 'perfect' | 'agrees' | 'nobody', claim: LabelledClaim) {
  const files = claim.docs.map(readDocument)
  const sources = new ReportSources(files, new Map())
  const told = [...claim.evidence, ...(claim.near ?? [])].map((one) => one.replace(/\s+/g, ' '))
  const numbers = new CitationNumbers()
  const cited = files.flatMap(({ alias, spans }) =>
    spans.flatMap(({ id, text }) => {
      const isTold = told.some((one) => text.replace(/\s+/g, ' ').includes(one))
      return isTold ? [`[${numbers.numberOf(`${alias}::${id}`)}]`] : []
    }),
  )
  const basis = { numbers, sourceOf: sources.claimSource, question: claim.question ?? '', computed: [] }
  const text = `${claim.claim} ${cited.join('')}`
  const isTrue = judge === 'agrees' || claim.label === 'supported'
  const said = { verdict: isTrue ? ('supported' as const) : ('unsupported' as const), why: '' }
  const judged = new Map(checkClaims(text, basis).claims.map((one) => [claimKey(one), said]))
  return checkClaims(text, { ...basis, ...(judge !== 'nobody' && { judged }) }).claims.map(({ verdict }) => verdict)
}
