/**
 * What each node may take. It is given down the tree, half-way by nobody's speed: what a branch may take does not depend on
 * which of its siblings was faster, so the tree is the same however many are worked on at once.
 */

import { type Budget, RESERVE } from '../settings.ts'
import { addSpent, NOTHING_SPENT, type Spent } from './stages.ts'
import type { NodeState, RunState } from './state.ts'

export interface Allotment {
  readonly calls: number
  readonly tokens: number
  /** US dollars; Infinity where there is no limit. */
  readonly cost: number
  /** Nodes below it. */
  readonly nodes: number
  /** Searches of the web, and pages that are read. */
  readonly searches: number
  readonly pages: number
}

/** Of what a run may take at all, what is kept back for its report. */
export function reserveOf({
  calls,
  tokens,
  cost = Number.POSITIVE_INFINITY,
}: Budget): Pick<Allotment, 'calls' | 'tokens' | 'cost'> {
  const most = (all: number) => (Number.isFinite(all) ? all * RESERVE.share : all)
  return { calls: Math.min(calls, RESERVE.calls), tokens: Math.floor(most(tokens)), cost: most(cost) }
}

/** What a node and all below it may take, before it took anything. */
export function allotmentOf(state: RunState, budget: Budget, id: string): Allotment {
  const node = state.nodes.get(id)
  const parent = node?.parent == null ? undefined : state.nodes.get(node.parent)
  return parent ? shareOf(state, budget, { parent, id }) : wholeOf(state, budget)
}

function wholeOf(state: RunState, budget: Budget): Allotment {
  const reserve = reserveOf(budget)
  const files = [...state.made.keys()].flatMap((key) =>
    key.startsWith('file-') ? [key.slice(0, key.indexOf('/'))] : [],
  )
  const bound = [...new Set(files)].map((owner) => state.spentBy(owner)).reduce(addSpent, NOTHING_SPENT)
  const whole = {
    calls: budget.calls - reserve.calls,
    tokens: budget.tokens - reserve.tokens,
    cost: budget.cost === undefined ? Number.POSITIVE_INFINITY : budget.cost - reserve.cost,
    nodes: budget.nodes - 1,
    searches: budget.searches ?? Number.POSITIVE_INFINITY,
    pages: budget.pages ?? Number.POSITIVE_INFINITY,
  }
  return less(whole, bound)
}

/** An equal share of what the parent left; what cannot be divided goes to the first. */
function shareOf(
  state: RunState,
  budget: Budget,
  { parent, id }: { readonly parent: NodeState; readonly id: string },
): Allotment {
  const left = less(allotmentOf(state, budget, parent.id), state.spentBy(parent.id))
  const count = parent.children.length
  const at = parent.children.indexOf(id)
  const whole = (all: number) => (Number.isFinite(all) ? Math.floor(all / count) + (at < all % count ? 1 : 0) : all)
  return {
    calls: whole(left.calls),
    tokens: whole(left.tokens),
    cost: left.cost / count,
    nodes: whole(Math.max(0, left.nodes - count)),
    searches: whole(left.searches),
    pages: whole(left.pages),
  }
}

/** What is left of it. */
export function less({ calls, tokens, cost, nodes, searches, pages }: Allotment, spent: Spent): Allotment {
  return {
    calls: Math.max(0, calls - spent.calls),
    tokens: Math.max(0, tokens - spent.input - spent.output),
    cost: Math.max(0, cost - (spent.cost ?? 0)),
    nodes,
    searches: Math.max(0, searches - (spent.searches ?? 0)),
    pages: Math.max(0, pages - (spent.pages ?? 0)),
  }
}
