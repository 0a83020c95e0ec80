import type { PartEvidence } from '../run/evidence.ts'
import { answeredOf, byPosition } from '../run/evidence.ts'
import type { Branch } from '../run/stages.ts'
import type { RunState } from '../run/state.ts'
import type { NodeState } from '../run/tree.ts'

/** The questions of the tree, by position, with what was found out. */
export function branchesOf({ nodes }: Pick<RunState, 'nodes'>): Branch[] {
  const all = [...nodes.values()].sort((a, b) => byPosition(a.id, b.id))
  return all.map((node) => {
    const { id, question, depth, status, evidence, findings, sufficiency } = node
    return {
      id,
      question,
      depth,
      status: status === 'pending' || status === 'running' || status === 'decomposed' ? 'unresolved' : status,
      evidence,
      findings,
      parts: partsAnswered(node, nodes),
      ...(node.isAdded && { is_added: true }),
      gaps: sufficiency?.gaps ?? [],
      reasoning: sufficiency?.reasoning ?? 'It was not looked into.',
    }
  })
}

/** The questions that a question was divided into: not those that were asked of a run that was over. */
export function dividedInto({ children }: NodeState, nodes: ReadonlyMap<string, NodeState>): NodeState[] {
  return children.flatMap((child) => nodes.get(child) ?? []).filter(({ isAdded }) => !isAdded)
}

/** Parts of a question; each is answered by its own evidence, or by the questions that it was divided into. */
export function partsAnswered(node: NodeState, nodes: ReadonlyMap<string, NodeState>): readonly PartEvidence[] {
  const below = dividedInto(node, nodes).map((child) => {
    return { question: child.question, answered: answeredOf(partsAnswered(child, nodes)) }
  })
  const isBelow = below.length > 0 && below.every(({ answered }) => answered === 'yes')
  const { question, parts, findings, sufficiency } = node
  const own: readonly PartEvidence[] =
    parts.length > 0 ? parts : [{ text: question, answered: 'no', findings: [], missing: [] }]
  return own.map((part) => {
    // Only a model judges that something is answered; nothing is that it found nothing for.
    const by = findings.length === 0 ? 'no' : sufficiency?.is_sufficient ? 'yes' : part.answered
    const child = below.find((one) => one.question === part.text)?.answered
    const isYes = isBelow || by === 'yes' || child === 'yes'
    return { ...part, answered: isYes ? 'yes' : child === 'part' ? child : by }
  })
}
