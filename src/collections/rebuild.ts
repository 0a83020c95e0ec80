import { type ContextError, orElse } from '../core/errors.ts'
import type { Run } from '../core/flow.ts'
import type { SalvagedContent } from '../stores/store.ts'
import type { RebuildAnswer } from './answers.ts'
import type { Library } from './library.ts'

/** Writes salvaged rows of a damaged database into a new database, and indexes the files again. */
export async function rebuildLibrary(
  { port, collections }: Library,
  { aside, counted, rows }: SalvagedContent,
  run: Run,
): Promise<RebuildAnswer> {
  const lost = new Set<string>()
  const counts: Record<string, number> = {}
  const countRows = async function* () {
    for await (const group of rows((lostPart) => lost.add(lostPart))) {
      counts[group.table] = (counts[group.table] ?? 0) + group.rows.length
      yield group
    }
  }
  const messageOf = ({ message }: ContextError) => message
  const failure = await orElse(
    port.rows.write(countRows(), { counted, replace: false }).then(() => undefined),
    messageOf,
  )
  const problems = failure === undefined ? [] : [`The content of the old database: ${failure}`]
  const restored = failure === undefined ? counts : {}
  // A missing directory of a collection does not stop the rebuild.
  const indexResult = restored.collections ? await orElse(collections.index({}, run), messageOf) : undefined
  const index = typeof indexResult === 'string' ? undefined : indexResult
  if (typeof indexResult === 'string') problems.push(indexResult)
  for (const { name, problem } of index?.collections ?? [])
    if (problem !== undefined) problems.push(`${name}: ${problem}`)
  return {
    aside,
    lost: [...lost],
    collections: restored.collections ?? 0,
    contexts: restored.path_contexts ?? 0,
    conversations: restored.conversations ?? 0,
    research: restored.research_sessions ?? 0,
    tokens: restored.tokens ?? 0,
    problems,
    ...(index && { index }),
  }
}
