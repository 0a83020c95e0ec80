/** Every stage without a model: the same input gives the same answer. */

import { type Choice, noteOn } from '../run/slices.ts'
import { type Done, NOTHING_SPENT, type Routed, type RouterTask, type Staff } from '../run/stages.ts'
import { digestText, divideByText, routeItems } from '../run/text-thread.ts'
import { EXTRACTIVE } from '../settings.ts'
import { queriesFor } from './queries.ts'
import { sufficiencyOf } from './sufficiency.ts'
import { reportBody, synthesisOf } from './synthesis.ts'

export const extractiveWorkers: Staff = {
  // What words show is found when digests are put together.
  aggregate: async () => withoutCost([]),
  digest: async ({ spans }, signal) => withoutCost({ items: await digestText(spans, signal), rejected: 0 }),
  queries: async (task) => withoutCost(queriesFor(task)),
  synthesis: async (task) => withoutCost(synthesisOf(task)),
  sufficiency: async (task) => withoutCost(sufficiencyOf(task)),
  decompose: async (task) => withoutCost(await divideByText(task)),
  router: async (task) => withoutCost(await routeByWords(task)),
  report: async (task) => withoutCost(reportBody(task)),
}

function withoutCost<Value>(value: Value): Done<Value> {
  return { value, spent: NOTHING_SPENT, by: EXTRACTIVE }
}

/** Which items go to which child, by their words. */
export async function routeByWords(task: RouterTask): Promise<Routed> {
  const { slice, children } = task
  const byChild = await routeItems(task)
  const choices = children.map(({ id, question }): readonly [string, Choice] => {
    const ids = byChild.get(id) ?? []
    const chosen = new Set(ids)
    const note = noteOn(
      question,
      slice.selected_items.filter((item) => chosen.has(item.id)),
    )
    const reason =
      'The items whose words and places fit this question best, with the constraints and definitions that have words of it.'
    return [id, { item_ids: ids, selection_reason: reason, coverage_note: note }]
  })
  return { choices: Object.fromEntries(choices), unknown: 0 }
}
