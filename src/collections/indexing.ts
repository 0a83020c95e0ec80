import { ContextError } from '../core/errors.ts'
import { type Run, SILENT } from '../core/flow.ts'
import type { UpdateAnswer } from '../indexing/update.ts'
import type { Collection, Store } from '../stores/store.ts'

/** What an update of one collection came to; `problem`: why it could not be walked, and nothing was done. */
export interface IndexedCollection extends UpdateAnswer {
  readonly name: string
  readonly problem?: string
}

/** What an update came to, over all collections, and for each. */
export interface IndexAnswer extends Omit<UpdateAnswer, 'left'> {
  readonly collections: readonly IndexedCollection[]
}

export interface IndexRequest {
  /** Names of collections. Default: all. */
  readonly names?: readonly string[] | undefined
  /** Reads every file, whatever its size and times say. Default: false. */
  readonly force?: boolean | undefined
}

interface Indexing {
  readonly force?: boolean | undefined
  /** Milliseconds that another process is waited for. */
  readonly waitMs: number
}

/** Milliseconds between two looks at files of which no change was told. */
const RESCAN_MS = 60_000

const COUNTS = ['added', 'changed', 'moved', 'removed', 'unchanged', 'skipped', 'failed'] as const

const NOTHING: UpdateAnswer = {
  added: 0,
  changed: 0,
  moved: 0,
  removed: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  left: [],
}

/** Updates these. @throws ContextError as the first one does where none can be walked. */
export async function indexed(
  store: Store,
  wanted: readonly Collection[],
  indexing: Indexing,
  run: Run,
): Promise<IndexAnswer> {
  const errors: ContextError[] = []
  const collections = await updated(store, wanted, { ...indexing, onProblem: (error) => errors.push(error) }, run)
  const [first] = errors
  if (first && errors.length === wanted.length) throw first
  const sums = COUNTS.map((name) => [name, collections.reduce((all, answer) => all + answer[name], 0)])
  return { ...(Object.fromEntries(sums) as Omit<UpdateAnswer, 'left'>), collections }
}

/** One after the other, while no other process does. */
async function updated(
  store: Store,
  wanted: readonly Collection[],
  { force, waitMs, onProblem }: Indexing & { onProblem(error: ContextError): void },
  run: Run,
): Promise<IndexedCollection[]> {
  const { reading, update } = await import('../indexing/updating.ts')
  const collections: IndexedCollection[] = []
  const updating = () =>
    reading(async (textOf) => {
      for (const collection of wanted) {
        const answer = await update(store, collection, { textOf, force }, run).catch((error: unknown) => {
          if (!isOfRoot(error)) throw error
          onProblem(error)
          return { ...NOTHING, problem: error.message }
        })
        collections.push({ name: collection.name, ...answer })
      }
    })
  await store.index.exclusively(waitMs, updating, run.signal)
  return collections
}

/** Updates these again and again, until the signal fires. */
export async function* watched(
  store: Store,
  wanted: readonly Collection[],
  waitMs: number,
  signal?: AbortSignal,
): AsyncGenerator<IndexedCollection, void, void> {
  if (wanted.length === 0) return
  const run: Run = signal ? { ...SILENT, signal } : SILENT
  const { watchRoots } = await import('../indexing/updating.ts')
  const changes = await watchRoots(wanted.map(({ root }) => root))
  const problems = new Map<string, string | undefined>()
  try {
    for (let some = wanted, isFirst = true; !signal?.aborted; isFirst = false) {
      for (const one of await updated(store, some, { waitMs, onProblem: () => {} }, run)) {
        const isNews = problems.get(one.name) !== one.problem
        problems.set(one.name, one.problem)
        if (isFirst || isNews || isChange(one)) yield one
      }
      const roots = await changes.next(RESCAN_MS, signal)
      some = roots.size === 0 ? wanted : wanted.filter(({ root }) => roots.has(root))
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  } finally {
    await changes.close()
  }
}

function isChange({ added, changed, moved, removed }: UpdateAnswer): boolean {
  return added + changed + moved + removed > 0
}

/** The root is gone, is no directory, or may not be entered; whatever else fails would fail again. */
function isOfRoot(error: unknown): error is ContextError {
  return error instanceof ContextError && ['not-found', 'invalid-input', 'denied'].includes(error.code)
}
