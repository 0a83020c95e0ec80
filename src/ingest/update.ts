/** Updates the index of a collection from its files. */

import { createHash } from 'node:crypto'
import { ContextError, throwIfAborted } from '../core/errors.ts'
import type { Run } from '../core/flow.ts'
import { yieldToEvents } from '../core/steps.ts'
import type { Objects } from '../files/objects.ts'
import type { FileStamp, KnownFile, SkippedFile } from '../stores/document-store.ts'
import type { Collection, IndexStore, IndexWriter, Store } from '../stores/store.ts'
import { IndexBatch } from './indexing/batch.ts'
import { mergeSegments, segmentsToMerge } from './indexing/merge.ts'
import { readAhead, slices } from './indexing/prefetch.ts'
import { isSkip, type UpdateAnswer, UpdateTally } from './indexing/tally.ts'
import {
  directoryTree,
  type IndexedTree,
  NO_STAMP,
  type NoText,
  type PreparedFile,
  type TextReader,
  type TreeFile,
  withoutSecret,
} from './indexing/tree.ts'

export type { UpdateAnswer } from './indexing/tally.ts'

export interface UpdateOptions {
  readonly reader: TextReader
  /** Whether to read all files, even those with unchanged size and times. Default: false. */
  readonly force?: boolean | undefined
  /** Opens the bucket of a collection. Default: all roots are directories. */
  readonly objects?: ((collection: Collection) => Promise<Objects | undefined>) | undefined
  /** Milliseconds to wait for another process that indexes the collection. Default: 0. */
  readonly waitMs?: number
}

/** Maximum bytes of files that are read ahead. */
const MAX_AHEAD_BYTES = 32 * 1024 * 1024

/** Number of files between two pauses. */
const FILES_PER_PAUSE = 64

/** Number of removed documents that are looked up at a time. */
const REMOVALS_PER_READ = 1000

/**
 * Reads the changed files of a collection, and stores their texts. When the update is stopped, stored documents stay,
 * and the next update reads only the remaining files.
 *
 * @throws ContextError `not-found` when the collection or its root is gone (then nothing is removed); `conflict` when
 * another process keeps indexing, or the collection was removed or renamed meanwhile; `cancelled`.
 */
export async function update(
  store: Store,
  name: string,
  { reader, force = false, objects, waitMs = 0 }: UpdateOptions,
  run: Run,
): Promise<UpdateAnswer> {
  const index = store.index.of(name)
  const updateLocked = async () => {
    // Read under the lock, because another collection may have taken the name before.
    const collection = await store.collections.get(name)
    if (!collection) throw collectionGone(name)
    const tree = await openTree(collection, { reader, objects: await objects?.(collection) }, run)
    // The collection has no access settings if an older version added it, or if its directory did not exist.
    if (!collection.access && tree.realPath)
      await store.collections.update(name, { access: { realPath: tree.realPath } })
    const updater = new CollectionUpdate(store, { collection, index, tree, reader, force, run })
    await updater.load()
    try {
      await updater.run()
    } finally {
      // Stores finished work after a stop, too, so that the next update need not read the same files again.
      await updater.end()
    }
    return updater.finish()
  }
  const answer = await index.exclusively(waitMs, updateLocked, run.signal)
  await mergeUntilFew(store.index, run)
  await store.collections.update(name, { indexedAt: new Date().toISOString() })
  return answer
}

function collectionGone(name: string): ContextError {
  const hint = 'It was removed or renamed meanwhile: run "ambit index" to update it.'
  return new ContextError('not-found', `There is no collection "${name}" any more.`, { hint })
}

async function openTree(
  { root, access, patterns, exclude }: Collection,
  { reader, objects }: { readonly reader: TextReader; readonly objects: Objects | undefined },
  { signal }: Run,
): Promise<IndexedTree> {
  const options = { patterns, exclude, signal }
  if (!objects) return directoryTree({ ...options, root, access }, reader)
  const { bucketTree } = await import('./bucket-tree.ts')
  return bucketTree(objects, options)
}

/** Merges segments (parts of the index) until there are few enough. Does nothing if another process is merging them. */
async function mergeUntilFew(index: IndexStore, { signal }: Run): Promise<void> {
  const findDue = async () => segmentsToMerge(await index.segments())
  if ((await findDue()).length === 0) return
  const mergeAll = async () => {
    for (let due = await findDue(); due.length > 0; due = await findDue()) await mergeSegments(index, due, signal)
  }
  await index.exclusively(0, mergeAll, signal).catch((error: unknown) => {
    if (!(error instanceof ContextError) || error.code !== 'conflict') throw error
  })
}

interface UpdateTask {
  readonly collection: Collection
  readonly index: IndexWriter
  readonly tree: IndexedTree
  readonly reader: TextReader
  readonly force: boolean
  readonly run: Run
}

/** A file, and the stored facts about it. */
interface FileTask {
  readonly size: number
  readonly file: TreeFile
  readonly known: KnownFile | undefined
}

class CollectionUpdate {
  readonly #store: Store
  readonly #task: UpdateTask
  readonly #batch: IndexBatch
  /** Number of documents before the update. */
  #storedCount = 0
  /** Ids of stored documents whose files were not found in the tree so far. */
  #unseenIds: Set<number> = new Set()
  /** Ids of documents that were indexed with another setting than the collection has now. */
  #differingIds: ReadonlySet<number> = new Set()
  #skipped = new Map<string, SkippedFile>()
  readonly #tally = new UpdateTally()
  /** Number of files to read, in the pages listed so far. */
  #total = 0

  constructor(store: Store, task: UpdateTask) {
    this.#store = store
    this.#task = task
    this.#batch = new IndexBatch(task.index, task.collection.name)
  }

  async load(): Promise<void> {
    const { documents } = this.#store
    const { name } = this.#task.collection
    this.#unseenIds = new Set(await documents.ids(name))
    this.#storedCount = this.#unseenIds.size
    this.#differingIds = await documents.listOutdated(name)
    this.#skipped = new Map((await documents.skipped(name)).map((file) => [file.path, file]))
  }

  async run(): Promise<void> {
    const { collection, tree, run } = this.#task
    const { name } = collection
    const limits = { concurrency: tree.concurrency, maxBytes: MAX_AHEAD_BYTES }
    let done = 0
    for await (const [task, read] of readAhead(this.#listTasks(), (file) => this.#prepare(file), limits)) {
      throwIfAborted(run.signal)
      if (done % FILES_PER_PAUSE === 0) {
        run.emit({ type: 'progress', what: name, done, total: this.#total })
        await yieldToEvents(run.signal)
      }
      await this.#storeResult(task, read)
      done++
    }
    run.emit({ type: 'progress', what: name, done, total: this.#total })
    await this.#removeUnseen()
  }

  /** The files to read, in the order of the walk. */
  async *#listTasks(): AsyncGenerator<readonly FileTask[], void> {
    for await (const { files, left } of this.#task.tree.pages()) {
      for (const { file, ...why } of left) await this.#leave(file, why)
      const knownFiles = await this.#readKnown(files)
      const tasks = files.flatMap((file) => this.#planFile(file, knownFiles.get(file.path)))
      this.#total += tasks.length
      yield tasks
    }
  }

  async #readKnown(files: readonly TreeFile[]): Promise<ReadonlyMap<string, KnownFile>> {
    if (this.#unseenIds.size === 0 || files.length === 0) return new Map()
    // If most rows are needed, reading all rows is faster.
    const paths = files.length < this.#storedCount ? files.map(({ path }) => path) : undefined
    const rows = await this.#store.documents.known(this.#task.collection.name, paths)
    const knownFiles = new Map(rows.map((file) => [file.path, file]))
    for (const { path } of files) this.#unseenIds.delete(knownFiles.get(path)?.id ?? -1)
    return knownFiles
  }

  /**
   * Removes documents whose files are gone. Documents below an unlisted directory stay, because their files may exist.
   */
  async #removeUnseen(): Promise<void> {
    const { unknownPlaces } = this.#task.tree
    const isBelowUnknown = (path: string) =>
      unknownPlaces.some((unknown) => unknown.path === '' || path.startsWith(`${unknown.path}/`))
    for (const ids of slices(this.#unseenIds, REMOVALS_PER_READ)) {
      for (const { id, path, hash } of await this.#store.documents.byId(ids)) {
        if (isBelowUnknown(path)) continue
        this.#tally.remove(hash)
        this.#batch.remove(id)
      }
    }
  }

  /** The task for a file; none if the file is unchanged. */
  #planFile(file: TreeFile, known: KnownFile | undefined): readonly FileTask[] {
    const task = [{ size: file.size, file, known }]
    if (this.#task.force) return task
    if (known && !this.#differingIds.has(known.id) && areSameStamps(known, file)) {
      this.#tally.count('unchanged')
      return []
    }
    const skipped = this.#skipped.get(file.path)
    if (!skipped || !areSameStamps(skipped, file)) return task
    this.#tally.leave(skipped)
    return []
  }

  /** Reads a file, and its text if it may have changed. Runs concurrently. */
  async #prepare({ file, known }: FileTask): Promise<PreparedFile | NoText> {
    const { tree, reader, force, run } = this.#task
    const read = await tree.read(file)
    if (!read.ok) return read
    const { bytes, stamp } = read
    const hash = createHash('sha256').update(bytes).digest('hex')
    // An unchanged file is not extracted again. Only `force` finds a file that an earlier version indexed and this version
    // leaves out.
    if (known?.hash === hash && !this.#differingIds.has(known.id) && !force) return { ok: true, stamp, hash }
    return { ok: true, stamp, hash, extracted: withoutSecret(await reader.extract(file.path, bytes, run.signal)) }
  }

  async #storeResult({ file, known }: FileTask, read: PreparedFile | NoText): Promise<void> {
    if (!read.ok) {
      if (known && isSkip(read.why)) this.#batch.remove(known.id)
      await this.#leave(file, read)
      return
    }
    const { stamp, hash, extracted } = read
    const isSame = known?.hash === hash && !this.#differingIds.has(known.id)
    if (!extracted || (isSame && extracted.ok)) {
      this.#tally.count('unchanged')
      if (known) this.#batch.stamp(known.id, stamp)
      return
    }
    if (known && (extracted.ok || isSkip(extracted.why))) this.#batch.remove(known.id)
    if (!extracted.ok) {
      await this.#leave({ ...file, ...stamp }, extracted)
      return
    }
    if (known) this.#tally.count('changed')
    else this.#tally.add(hash, this.#unseenIds.size > 0)
    const { title, text, format, metadata } = extracted
    const { hasSubstrings } = this.#task.collection
    await this.#batch.add({ path: file.path, ...stamp, hash, title, text, format, metadata, hasSubstrings })
  }

  /** Counts a file without text. Stores that a file is skipped; an unreadable file is read again by the next update. */
  async #leave({ path, size, mtime, ctime }: TreeFile, reason: Pick<SkippedFile, 'why' | 'detail'>): Promise<void> {
    const file = { path, size, mtime, ctime, why: reason.why, detail: reason.detail }
    const before = this.#skipped.get(path)
    const isKnown = before && areSameStamps(before, file) && before.why === file.why && before.detail === file.detail
    if (this.#tally.leave(isKnown ? before : file) && !isKnown) await this.#batch.skip(file)
  }

  async end(): Promise<void> {
    try {
      await this.#batch.flush()
    } finally {
      await this.#batch.end()
    }
  }

  async finish(): Promise<UpdateAnswer> {
    const { collection, index, tree } = this.#task
    for (const { path, detail } of tree.unknownPlaces) {
      this.#tally.leave({ path: path === '' ? '.' : path, ...NO_STAMP, why: 'unreadable', detail })
    }
    const obsolete = this.#tally.notSkipped(this.#skipped.keys())
    if (obsolete.length > 0) await index.apply({ skipped: { collection: collection.name, files: [], gone: obsolete } })
    return this.#tally.answer
  }
}

function areSameStamps(one: FileStamp, other: FileStamp): boolean {
  return one.size === other.size && one.mtime === other.mtime && one.ctime === other.ctime
}
