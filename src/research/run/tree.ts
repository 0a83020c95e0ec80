/** The tree of questions of a run, and how its nodes are worked through. */

import type { EvidenceKind } from '../answers.ts'
import {
  answeredOf,
  byPosition,
  type EvidenceItem,
  type NodeContextSlice,
  type PartEvidence,
  type Sufficiency,
} from './evidence.ts'

type NodeStatus = 'pending' | 'running' | 'decomposed' | 'answered' | 'partial' | 'unresolved'

/** One question of the tree. */
export interface NodeState {
  /** Its position: `1`, `1.2`, `1.2.1`. */
  readonly id: string
  readonly parent: string | null
  readonly question: string
  /** From 1 (the root). */
  readonly depth: number
  status: NodeStatus
  isPinned: boolean
  queries: readonly string[]
  findings: readonly EvidenceItem[]
  evidence: readonly EvidenceKind[]
  /** Passages nearest to each part of the question. Sources that were not searched have none. */
  parts: readonly PartEvidence[]
  sufficiency: Sufficiency | undefined
  slice: NodeContextSlice | undefined
  children: readonly string[]
  /** Whether the question was added to a finished run. Such a question is below the root, but not a part of it. */
  readonly isAdded: boolean
}

export function isNodeOver(status: NodeStatus): boolean {
  return status === 'answered' || status === 'partial' || status === 'unresolved'
}

/** Key of the routing of an added question. */
export const ROUTED_ADDED = 'added-router'

type QuestionTree = { readonly nodes: Map<string, NodeState> }

/** A question before any work. */
export function newNode(id: string, { question, pinned = false }: PlannedChild, isAdded = false): NodeState {
  const depth = id.split('.').length
  const parent = depth === 1 ? null : id.slice(0, id.lastIndexOf('.'))
  const place = { id, parent, question, depth, isPinned: pinned, isAdded }
  const noResults = { queries: [], findings: [], evidence: [], parts: [], children: [] }
  return { ...place, status: 'pending', ...noResults, sufficiency: undefined, slice: undefined }
}

/** Divides a question. Its earlier subquestions are deleted. */
export function setChildren({ nodes }: QuestionTree, id: string, children: readonly PlannedChild[]): void {
  const node = nodes.get(id)
  if (!node) return
  for (const old of node.children) nodes.delete(old)
  node.children = children.map((_, at) => `${id}.${at + 1}`)
  if (children.length > 0) node.status = 'decomposed'
  for (const [at, child] of children.entries()) nodes.set(`${id}.${at + 1}`, newNode(`${id}.${at + 1}`, child))
}

/** Adds a question below the root. */
export function addQuestion({ nodes }: QuestionTree, id: string, planned: PlannedChild): void {
  const root = nodes.get('1')
  if (!root) return
  root.children = [...root.children, id]
  root.status = 'decomposed'
  nodes.set(id, newNode(id, planned, true))
}

export interface QuestionTreeOptions {
  /** Maximum nodes to work on in parallel. */
  readonly concurrency: number
  /** Nodes to begin with. */
  readonly ready: readonly string[]
  readonly signal: AbortSignal
  /** Works on one node, and writes its events. Returns the nodes that are ready afterwards. */
  work(id: string): Promise<readonly string[]>
}

/**
 * Works through the nodes of a tree, several at once. The ready node with the first position is next; with a concurrency of 1,
 * this is depth first. After a failure, no other node is begun. The error is thrown when the running nodes have ended.
 */
export async function workThroughTree({ concurrency, ready: first, signal, work }: QuestionTreeOptions): Promise<void> {
  const ready = [...first]
  const running = new Set<Promise<void>>()
  const begin = async (id: string) => void ready.push(...(await work(id)))
  try {
    for (;;) {
      ready.sort(byPosition)
      while (ready.length > 0 && !signal.aborted && running.size < concurrency) {
        const begun = begin(ready.shift() ?? '').finally(() => running.delete(begun))
        running.add(begun)
      }
      if (running.size === 0) return
      await Promise.race(running)
    }
  } finally {
    await Promise.allSettled(running)
  }
}

/** A question of the tree, for the report. Its `parts` count as answered by its own evidence or by subquestions. */
export interface Branch extends NodeState {
  readonly gaps: readonly string[]
}

export interface PlannedChild {
  readonly question: string
  readonly pinned?: boolean
}

/** The questions of the tree by position, with their findings. An unfinished question is unresolved. */
export function branchesOf({ nodes }: QuestionTree): Branch[] {
  const all = [...nodes.values()].sort((a, b) => byPosition(a.id, b.id))
  return all.map((node) => ({
    ...node,
    status: isNodeOver(node.status) ? node.status : 'unresolved',
    parts: partsAnswered(node, nodes),
    gaps: node.sufficiency?.gaps ?? [],
  }))
}

/** The subquestions of a question, without questions that were added to a finished run. */
export function subquestionsOf({ children }: NodeState, nodes: ReadonlyMap<string, NodeState>): NodeState[] {
  return children.flatMap((child) => nodes.get(child) ?? []).filter(({ isAdded }) => !isAdded)
}

/** The parts of a question, each with its answer status: by its own evidence, or by subquestions. */
export function partsAnswered(node: NodeState, nodes: ReadonlyMap<string, NodeState>): readonly PartEvidence[] {
  const below = subquestionsOf(node, nodes).map((child) => {
    return { question: child.question, answered: answeredOf(partsAnswered(child, nodes)) }
  })
  const isBelow = below.length > 0 && below.every(({ answered }) => answered === 'yes')
  const { question, parts, findings, sufficiency } = node
  const ownParts = parts.length > 0 ? parts : [{ text: question, answered: 'no' as const, findings: [], missing: [] }]
  return ownParts.map((part) => {
    // Only a model judges that a part is answered. Without findings, it is not answered.
    const ownAnswer = findings.length === 0 ? 'no' : sufficiency?.is_sufficient ? 'yes' : part.answered
    const child = below.find((one) => one.question === part.text)?.answered
    const isYes = isBelow || ownAnswer === 'yes' || child === 'yes'
    return { ...part, answered: isYes ? 'yes' : child === 'part' ? child : ownAnswer }
  })
}
