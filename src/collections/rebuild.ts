import { ContextError } from '../core/errors.ts'
import type { Run } from '../core/flow.ts'
import type { Salvaged } from '../stores/store.ts'
import type { IndexAnswer, RebuildAnswer } from './answers.ts'
import type { Library } from './library.ts'

/** Puts what was salvaged into a new, empty database, and reads the files anew. */
export async function rebuilt(
  { port, collections }: Library,
  { aside, ...salvaged }: Salvaged,
  run: Run,
): Promise<RebuildAnswer> {
  const { lost, problems, ...own } = await ownRows(port, salvaged)
  for (const { isPaused, ...collection } of salvaged.collections) {
    await port.collections.add(collection)
    if (isPaused) await port.collections.update(collection.name, { isPaused })
  }
  let contexts = 0
  for (const { collection, pathPrefix, context } of salvaged.contexts) {
    const key = { collection: collection ?? '', pathPrefix }
    const problem = await catchProblem(() => port.contexts.set(key, context))
    if (problem === undefined) contexts++
    else problems.push(`The path context of ${collection}${pathPrefix}: ${problem}`)
  }
  for (const { head, exchanges, owner = '' } of salvaged.conversations) {
    const { conversations } = port.of(owner)
    await conversations.begin(head)
    for (const [at, exchange] of exchanges.entries()) await conversations.put(head.id, at, exchange)
  }
  const kept = { collections: salvaged.collections.length, contexts, conversations: salvaged.conversations.length }
  const answer = { aside, lost, ...kept, ...own, problems }
  if (salvaged.collections.length === 0) return answer
  let index: IndexAnswer | undefined
  const problem = await catchProblem(async () => {
    index = await collections.index({}, run)
  })
  if (problem !== undefined) problems.push(problem)
  for (const { name, problem: of } of index?.collections ?? []) if (of !== undefined) problems.push(`${name}: ${of}`)
  return { ...answer, ...(index && { index }) }
}

/** Research and tokens, as rows: first, since rows are put into an empty store. */
async function ownRows({ rows }: Library['port'], { counted, lost, ...salvaged }: Omit<Salvaged, 'aside'>) {
  const unread = new Set(lost)
  const tables: Record<string, number> = {}
  const groups = salvaged.rows((what) => unread.add(what))
  const counting = async function* () {
    for await (const group of groups) {
      tables[group.table] = (tables[group.table] ?? 0) + group.rows.length
      yield group
    }
  }
  const problem = await catchProblem(() => rows.write(counting(), { counted, replace: false }))
  const { research_sessions: research = 0, tokens = 0 } = problem === undefined ? tables : {}
  const problems = problem === undefined ? [] : [`Research and tokens: ${problem}`]
  return { lost: [...unread], problems, research, tokens }
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
