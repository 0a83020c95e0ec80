import { ContextError } from '../core/errors.ts'
import type { Run } from '../core/flow.ts'
import type { Salvaged } from '../stores/store.ts'
import type { IndexAnswer, RebuildAnswer } from './answers.ts'
import type { Library } from './library.ts'

/** Puts what was salvaged into a new, empty database, and indexes the files again. */
export async function rebuildLibrary(
  { port, collections }: Library,
  { aside, counted, rows }: Salvaged,
  run: Run,
): Promise<RebuildAnswer> {
  const lost = new Set<string>()
  const counts: Record<string, number> = {}
  const countRows = async function* () {
    for await (const group of rows((what) => lost.add(what))) {
      counts[group.table] = (counts[group.table] ?? 0) + group.rows.length
      yield group
    }
  }
  const failure = await catchProblem(() => port.rows.write(countRows(), { counted, replace: false }))
  const problems = failure === undefined ? [] : [`The content of the old database: ${failure}`]
  const kept = failure === undefined ? counts : {}
  let index: IndexAnswer | undefined
  const problem = kept.collections
    ? await catchProblem(async () => {
        index = await collections.index({}, run)
      })
    : undefined
  if (problem !== undefined) problems.push(problem)
  for (const { name, problem: of } of index?.collections ?? []) if (of !== undefined) problems.push(`${name}: ${of}`)
  return {
    aside,
    lost: [...lost],
    collections: kept.collections ?? 0,
    contexts: kept.path_contexts ?? 0,
    conversations: kept.conversations ?? 0,
    research: kept.research_sessions ?? 0,
    tokens: kept.tokens ?? 0,
    problems,
    ...(index && { index }),
  }
}

/** A collection whose directory is gone keeps nothing else from being taken over. */
async function catchProblem(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof ContextError && error.code !== 'cancelled') return error.message
    throw error
  }
}
