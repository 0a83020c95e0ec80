import { ContextError } from '../core/errors.ts'
import { type Run, SILENT } from '../core/flow.ts'
import { isBucketRoot } from '../files/bucket-root.ts'
import type { OpenRoot } from '../files/objects.ts'
import type { UpdateAnswer } from '../ingest/update.ts'
import type { Collection, Store } from '../stores/store.ts'
import type { IndexAnswer, IndexedCollection } from './answers.ts'

/** The result of an update of a watched collection. */
export interface WatchedCollection extends IndexedCollection {
  /** True if the files are polled, because the system has no watches left. */
  readonly polling?: true
}

export interface IndexRequest {
  /** Names of collections. Default: all. */
  readonly names?: readonly string[] | undefined
  /** Reads every file, even if its size and times are unchanged. Default: false. */
  readonly force?: boolean | undefined
}

interface IndexSettings {
  readonly force?: boolean | undefined
  /** Maximum wait for another process, in milliseconds. */
  readonly waitMs: number
  readonly open: OpenRoot
}

/** Milliseconds between two reads of the list of collections. */
const POLL_MS = 5_000

/**
 * Milliseconds between two scans without a change event: `RESCAN_FACTOR` times the duration of a scan, at least
 * `MIN_RESCAN_MS`, at most `MAX_RESCAN_MS`.
 */
const MIN_RESCAN_MS = 60_000
const MAX_RESCAN_MS = 600_000
const RESCAN_FACTOR = 100

/** Milliseconds between two scans of a bucket. A scan lists all objects, which costs money. */
const BUCKET_RESCAN_MS = 600_000

const COUNTS = ['added', 'changed', 'moved', 'removed', 'unchanged', 'skipped', 'failed'] as const

function mapCounts(countOf: (name: (typeof COUNTS)[number]) => number) {
  return Object.fromEntries(COUNTS.map((name) => [name, countOf(name)])) as Omit<UpdateAnswer, 'left'>
}

/** The result of indexing one collection: the counts of its update, or the error of its root. */
export type IndexOutcome = IndexedCollection | { readonly name: string; readonly error: ContextError }

/** @throws ContextError the first error if no root could be read. */
export function toIndexAnswer(outcomes: readonly IndexOutcome[]): IndexAnswer {
  const errors = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []))
  const [first] = errors
  if (first && errors.length === outcomes.length) throw first
  const collections = outcomes.map(toIndexedCollection)
  return { ...mapCounts((name) => collections.reduce((sum, counts) => sum + counts[name], 0)), collections }
}

function toIndexedCollection(outcome: IndexOutcome): IndexedCollection {
  if (!('error' in outcome)) return outcome
  const { name, error } = outcome
  return { name, ...mapCounts(() => 0), left: [], problem: error.message }
}

/** Updates collections in their order; collections that another process is updating come last, after a wait. */
export async function updateCollections(
  store: Store,
  collections: readonly Collection[],
  { force, waitMs, open }: IndexSettings,
  run: Run,
): Promise<IndexOutcome[]> {
  if (collections.length === 0) return []
  const { withExtractor, update } = await import('../ingest/updating.ts')
  const outcomes = new Map<string, IndexOutcome>()
  const objects = async ({ root, access }: Collection) => (isBucketRoot(root) ? open(root, access) : undefined)
  await withExtractor(async (reader) => {
    const updateOne = async (collection: Collection, waitMs: number): Promise<void> => {
      const { name } = collection
      try {
        outcomes.set(name, { name, ...(await update(store, name, { reader, force, objects, waitMs }, run)) })
      } catch (error) {
        if (!isRootError(error, collection)) throw error
        outcomes.set(name, { name, error })
      }
    }
    const busy: Collection[] = []
    for (const collection of collections) {
      await updateOne(collection, 0).catch((error: unknown) => {
        if (!(error instanceof ContextError && error.code === 'conflict')) throw error
        busy.push(collection)
      })
    }
    for (const collection of busy) await updateOne(collection, waitMs)
  })
  return collections.flatMap(({ name }) => outcomes.get(name) ?? [])
}

/** Updates the watched collections repeatedly, until the signal fires. Lists the collections again each time. */
export async function* watchCollections(
  store: Store,
  listWatched: () => Promise<readonly Collection[]>,
  settings: Omit<IndexSettings, 'force'>,
  signal?: AbortSignal,
): AsyncGenerator<WatchedCollection, void, void> {
  const run: Run = signal ? { ...SILENT, signal } : SILENT
  const { Changes } = await import('../ingest/updating.ts')
  const changes = new Changes()
  const schedule = new ScanSchedule()
  let changed: ReadonlySet<string> = new Set()
  try {
    while (!signal?.aborted) {
      const watched = await listWatched()
      await changes.watch(watched.filter(({ root }) => !isBucketRoot(root)))
      const start = performance.now()
      const dueCollections = schedule.listDue(watched, changed, start)
      const outcomes = await updateCollections(store, dueCollections, settings, run)
      schedule.noteScans(dueCollections, start)
      const polled = new Set(dueCollections.flatMap(({ name, root }) => (changes.isPolled(root) ? [name] : [])))
      for (const collection of outcomes.map(toIndexedCollection)) {
        if (schedule.isNews(collection)) yield { ...collection, ...(polled.has(collection.name) && { polling: true }) }
      }
      changed = await changes.next(POLL_MS, signal)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  } finally {
    await changes.close()
  }
}

/** The times and results of the scans of collections. */
class ScanSchedule {
  /** Start of the last round of scans that included the collection, and the duration of the whole round. */
  readonly #scans = new Map<string, { readonly at: number; readonly durationMs: number }>()
  readonly #problems = new Map<string, string | undefined>()

  /** The collections to scan now. */
  listDue(collections: readonly Collection[], changed: ReadonlySet<string>, now: number): Collection[] {
    return collections.filter(({ name, root }) => {
      const { at, durationMs } = this.#scans.get(JSON.stringify([name, root])) ?? { at: -Infinity, durationMs: 0 }
      const rescanMs = Math.min(MAX_RESCAN_MS, Math.max(MIN_RESCAN_MS, durationMs * RESCAN_FACTOR))
      return changed.has(root) || now - at >= (isBucketRoot(root) ? BUCKET_RESCAN_MS : rescanMs)
    })
  }

  noteScans(collections: readonly Collection[], at: number): void {
    const scan = { at, durationMs: performance.now() - at }
    for (const { name, root } of collections) this.#scans.set(JSON.stringify([name, root]), scan)
  }

  /**
   * Whether an update is the first of its collection, has changes, or has a problem that begins or ends. Remembers its
   * problem.
   */
  isNews({ name, problem, added, changed, moved, removed }: IndexedCollection): boolean {
    const isChanged = !this.#problems.has(name) || this.#problems.get(name) !== problem
    this.#problems.set(name, problem)
    return isChanged || added + changed + moved + removed > 0
  }
}

/** Codes of errors that concern one root. Other errors would occur for all collections. */
const ROOT_ERROR_CODES = ['not-found', 'invalid-input', 'denied']

/** Whether an error concerns only this root, such as a missing directory, or a bucket whose service does not answer. */
export function isRootError(error: unknown, { root }: Collection): error is ContextError {
  const codes = isBucketRoot(root) ? [...ROOT_ERROR_CODES, 'unavailable'] : ROOT_ERROR_CODES
  return error instanceof ContextError && codes.includes(error.code)
}
