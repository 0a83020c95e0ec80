/** Which sentences say most of what their neighbours say: a graph of sentences by the words that they share. */

import { termsIn } from '../routing/terms.ts'

/** Sentences that are compared with each other at most: what is compared grows by the square. */
const MOST = 150
const ROUNDS = 20
const DAMPING = 0.85

/** The places of sentences, the most telling first. The same sentences give the same order on every machine. */
export function textRank(sentences: readonly string[]): number[] {
  const compared = sentences.slice(0, MOST).map((sentence) => new Set(termsIn(sentence)))
  const edges = edgesOf(compared)
  const totals = edges.map((row) => row.reduce((sum, { weight }) => sum + weight, 0))
  let scores = compared.map(() => 1)
  for (let round = 0; round < ROUNDS; round++)
    scores = scores.map((_, at) => propagateScore(at, edges, { scores, totals }))
  // Not finer than every machine agrees on.
  const rounded = scores.map((score, at) => Math.round(score * lengthBonus(compared[at]?.size ?? 0) * 1e6))
  const order = rounded.map((_, at) => at).sort((a, b) => (rounded[b] ?? 0) - (rounded[a] ?? 0) || a - b)
  return [...order, ...sentences.map((_, at) => at).slice(MOST)]
}

/** A sentence of two words tells little, whatever it shares. */
function lengthBonus(terms: number): number {
  return Math.min(1, terms / 5)
}

interface Edge {
  readonly to: number
  readonly weight: number
}

function edgesOf(terms: readonly ReadonlySet<string>[]): Edge[][] {
  const edges: Edge[][] = terms.map(() => [])
  for (const [a, own] of terms.entries()) {
    for (let b = a + 1; b < terms.length; b++) {
      const weight = similarity(own, terms[b] ?? new Set())
      if (weight === 0) continue
      edges[a]?.push({ to: b, weight })
      edges[b]?.push({ to: a, weight })
    }
  }
  return edges
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const term of a) if (b.has(term)) shared++
  return shared === 0 ? 0 : shared / (Math.log(1 + a.size) + Math.log(1 + b.size))
}

function propagateScore(
  at: number,
  edges: readonly (readonly Edge[])[],
  { scores, totals }: { readonly scores: readonly number[]; readonly totals: readonly number[] },
): number {
  const told = (edges[at] ?? []).reduce((sum, { to, weight }) => {
    return sum + (weight / (totals[to] || 1)) * (scores[to] ?? 0)
  }, 0)
  return 1 - DAMPING + DAMPING * told
}
