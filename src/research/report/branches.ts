import type { Answered, PartEvidence } from '../run/evidence.ts'
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
  const children = dividedInto(node, nodes)
  const below = children.map(({ question, ...child }) => ({
    question,
    answered: answeredOf(partsAnswered({ question, ...child }, nodes)),
  }))
  const isBelow = children.length > 0 && below.every(({ answered }) => answered === 'yes')
  const own = node.parts.length > 0 ? node.parts : [nothingOn(node.question)]
  return own.map((part) => {
    const child = below.find(({ question }) => question === part.text)?.answered
    const answered = isBelow ? 'yes' : higherOf(ownAnswer(part, node), child)
    return { ...part, answered }
  })
}

function nothingOn(text: string): PartEvidence {
  return { text, answered: 'no', findings: [], missing: [] }
}

/** Only a model judges that something is answered; nothing is that it found nothing for. */
function ownAnswer({ answered }: PartEvidence, { findings, sufficiency }: NodeState): Answered {
  if (findings.length === 0) return 'no'
  return sufficiency?.is_sufficient ? 'yes' : answered
}

const ORDER: readonly Answered[] = ['no', 'part', 'yes']

function higherOf(one: Answered, other: Answered = 'no'): Answered {
  return ORDER.indexOf(other) > ORDER.indexOf(one) ? other : one
}
