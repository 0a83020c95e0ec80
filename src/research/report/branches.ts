import { byPosition } from '../run/evidence.ts'
import type { Branch } from '../run/stages.ts'
import type { RunState } from '../run/state.ts'

/** The questions of the tree, by position, with what was found out. */
export function branchesOf({ nodes }: RunState): Branch[] {
  const all = [...nodes.values()].sort((a, b) => byPosition(a.id, b.id))
  return all.map(({ id, question, depth, status, evidence, findings, sufficiency }) => ({
    id,
    question,
    depth,
    status: status === 'pending' || status === 'running' || status === 'decomposed' ? 'unresolved' : status,
    evidence,
    findings,
    gaps: sufficiency?.gaps ?? [],
    reasoning: sufficiency?.reasoning ?? 'It was not looked into.',
  }))
}
