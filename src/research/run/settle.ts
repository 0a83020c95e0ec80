/** How a question ends, and with it those above it. */

import { dividedInto } from '../report/branches.ts'
import { byPosition } from './evidence.ts'
import type { Journal } from './journal.ts'
import { isNodeOver, type NodeState } from './tree.ts'

/** A node is done; and with it those above it of which all children are. */
export async function settle(
  journal: Journal,
  id: string,
  end: { readonly status: NodeState['status'] },
): Promise<void> {
  const node = journal.state.nodes.get(id)
  if (!node) return
  const children = childrenIn(journal, node)
  const kinds = new Set([...node.evidence, ...children.flatMap(({ evidence }) => evidence)])
  const evidence = (['context', 'collections', 'web', 'earlier'] as const).filter((kind) => kinds.has(kind))
  const { round } = journal.state
  // The root is done once more with each round of questions.
  const key = id === '1' && round ? { key: String(round.seq) } : {}
  await journal.tell('node_completed', { node: id, ...key, payload: { ...end, evidence } })
  const parent = node.parent === null ? undefined : journal.state.nodes.get(node.parent)
  if (parent) await settleParent(journal, parent)
}

/** Where all of its children are done. */
export async function settleParent(journal: Journal, parent: NodeState): Promise<void> {
  const children = childrenIn(journal, parent)
  if (children.some(({ status }) => !isNodeOver(status)) || isNodeOver(parent.status)) return
  const { nodes } = journal.state
  await settle(journal, parent.id, { status: summedUp(parent, dividedInto(parent, nodes)) })
}

function childrenIn(journal: Journal, { children }: NodeState): NodeState[] {
  return children.flatMap((child) => journal.state.nodes.get(child) ?? []).sort((a, b) => byPosition(a.id, b.id))
}

function summedUp(parent: NodeState, children: readonly NodeState[]): NodeState['status'] {
  if (parent.sufficiency?.is_sufficient || children.every(({ status }) => status === 'answered')) return 'answered'
  const isNothing = parent.findings.length === 0 && children.every(({ status }) => status === 'unresolved')
  return isNothing ? 'unresolved' : 'partial'
}
