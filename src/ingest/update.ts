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
import { ahead, slices } from './indexing/prefetch.ts'
import { isSkip, type UpdateAnswer, UpdateTally } from './indexing/tally.ts'
import {
  directoryTree,
  type FoundFile,
  type IndexedTree,
  type NoText,
  type PreparedFile,
  type TextOf,
  withoutSecret,
} from './indexing/tree.ts'

export type { UpdateAnswer } from './indexing/tally.ts'

export interface UpdateOptions {
  readonly textOf: TextOf
  /** Reads also files whose size and times are unchanged. Default: false. */
  readonly force?: boolean | undefined
  /** Opens the bucket of a collection. Default: all roots are directories. */
  readonly objects?: ((collection: Collection) => Promise<Objects | undefined>) | undefined
  /** Milliseconds to wait for another process that indexes the collection. Default: 0. */
  readonly waitMs?: number
}

/** Bytes of files that are read ahead. */
const AHEAD = 32 * 1024 * 1024

/** Files between two pauses. */
const SLICE = 64

/** Removed documents that are looked up at a time. */
const TOGETHER = 1000

/**
 * Reads the changed files of a collection, and stores them. When it is stopped, stored documents stay, and the next update
 * continues from there.
 *
 * @throws ContextError `not-found` when the collection or its root is gone (then nothing is removed); `conflict` when
 * another process keeps indexing, or the collection was removed or renamed meanwhile; `cancelled`.
 */
export async function update(
  store: Store,
  name: string,
  { textOf, force = false, objects, waitMs = 0 }: UpdateOptions,
  run: Run,
): Promise<UpdateAnswer> {
  const index = store.index.of(name)
  const inStep = async () => {
    // Read under the lock: before, another collection may have replaced it.
    const collection = await store.collections.get(name)
    if (!collection) throw collectionGone(name)
    const tree = await treeOf(collection, { textOf, objects: await objects?.(collection) }, run)
    // An older version added the collection, or its directory did not exist yet.
    if (!collection.access && tree.realPath) {
      await store.collections.update(name, { access: { realPath: tree.realPath } })
    }
    const work = new Update(store, { collection, index, tree, textOf, force, run })
    await work.load()
    try {
      await work.files()
    } finally {
      // Also after a stop, so that no file is read twice.
      await work.end()
    }
    return work.finish()
  }
  const answer = await index.exclusively(waitMs, inStep, run.signal)
  await tidy(store.index, run)
  await store.collections.update(name, { indexedAt: new Date().toISOString() })
  return answer
}

function collectionGone(name: string): ContextError {
  const hint = 'It was removed or renamed meanwhile: run "ambit index" to update it.'
  return new ContextError('not-found', `There is no collection "${name}" any more.`, { hint })
}

async function treeOf(
  { root, access, patterns, exclude }: Collection,
  { textOf, objects }: { readonly textOf: TextOf; readonly objects: Objects | undefined },
  { signal }: Run,
): Promise<IndexedTree> {
  const wanted = { patterns, exclude, signal }
  if (!objects) return directoryTree({ ...wanted, root, access }, textOf)
  const { bucketTree } = await import('./bucket-tree.ts')
  return bucketTree(objects, wanted)
}

/** Merges segments until there are few enough. Another process that merges also merges the new ones. */
async function tidy(index: IndexStore, { signal }: Run): Promise<void> {
  const wanted = async () => segmentsToMerge(await index.segments())
  if ((await wanted()).length === 0) return
  const merging = async () => {
    for (let some = await wanted(); some.length > 0; some = await wanted()) await mergeSegments(index, some, signal)
  }
  await index.exclusively(0, merging, signal).catch((error: unknown) => {
    if (!(error instanceof ContextError) || error.code !== 'conflict') throw error
  })
}

interface UpdateTask {
  readonly collection: Collection
  readonly index: IndexWriter
  readonly tree: IndexedTree
  readonly textOf: TextOf
  readonly force: boolean
  readonly run: Run
}

/** A file, and the stored facts about it. */
interface FileTask {
  readonly size: number
  readonly file: FoundFile
  readonly known: KnownFile | undefined
}

class Update {
  readonly #store: Store
  readonly #task: UpdateTask
  readonly #batch: IndexBatch
  /** Documents before the update, and the ids of those that were not found yet. */
  #stored = 0
  #unseen: Set<number> = new Set()
  /** Ids of documents that are indexed unlike the setting of the collection. */
  #unlike: ReadonlySet<number> = new Set()
  #skipped = new Map<string, SkippedFile>()
  readonly #tally = new UpdateTally()
  /** Number of files to read so far. */
  #total = 0

  constructor(store: Store, task: UpdateTask) {
    this.#store = store
    this.#task = task
    this.#batch = new IndexBatch(task.index, task.collection.name)
  }

  async load(): Promise<void> {
    const { documents } = this.#store
    const { name } = this.#task.collection
    this.#unseen = new Set(await documents.ids(name))
    this.#stored = this.#unseen.size
    this.#unlike = await documents.unlike(name)
    this.#skipped = new Map((await documents.skipped(name)).map((file) => [file.path, file]))
  }

  async files(): Promise<void> {
    const { collection, tree, run } = this.#task
    const { name } = collection
    const { wide } = tree
    let done = 0
    const prepare = (task: FileTask) => this.#prepare(task)
    for await (const [task, read] of ahead(this.#tasks(), prepare, { wide, bytes: AHEAD })) {
      throwIfAborted(run.signal)
      if (done % SLICE === 0) {
        run.emit({ type: 'progress', what: name, done, total: this.#total })
        await yieldToEvents(run.signal)
      }
      await this.#file(task, read)
      done++
    }
    run.emit({ type: 'progress', what: name, done, total: this.#total })
    await this.#removeUnseen()
  }

  /** The files to read, in the order of the walk. */
  async *#tasks(): AsyncGenerator<readonly FileTask[], void> {
    for await (const { files, left } of this.#task.tree.pages()) {
      for (const { file, ...why } of left) await this.#leave(file, why)
      const known = await this.#knownOf(files)
      const todo = files.flatMap((file) => this.#taskOf(file, known.get(file.path)))
      this.#total += todo.length
      yield todo
    }
  }

  async #knownOf(files: readonly FoundFile[]): Promise<ReadonlyMap<string, KnownFile>> {
    if (this.#unseen.size === 0 || files.length === 0) return new Map()
    // If most are needed, reading all is faster.
    const paths = files.length < this.#stored ? files.map(({ path }) => path) : undefined
    const rows = await this.#store.documents.known(this.#task.collection.name, paths)
    const known = new Map(rows.map((file) => [file.path, file]))
    for (const { path } of files) this.#unseen.delete(known.get(path)?.id ?? -1)
    return known
  }

  /** Removes missing files. Files below a directory that cannot be listed stay, because they may exist. */
  async #removeUnseen(): Promise<void> {
    const { closed } = this.#task.tree
    const isHidden = (path: string) => closed.some(({ path: above }) => above === '' || path.startsWith(`${above}/`))
    for (const ids of slices(this.#unseen, TOGETHER)) {
      for (const { id, path, hash } of await this.#store.documents.byId(ids)) {
        if (isHidden(path)) continue
        this.#tally.remove(hash)
        this.#batch.remove(id)
      }
    }
  }

  /** The task for a file; none if the file is unchanged. */
  #taskOf(file: FoundFile, known: KnownFile | undefined): readonly FileTask[] {
    const task = [{ size: file.size, file, known }]
    if (this.#task.force) return task
    if (known && !this.#unlike.has(known.id) && areSameStamps(known, file)) {
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
    const { tree, textOf, force, run } = this.#task
    const read = await tree.read(file)
    if (!read.ok) return read
    const { bytes, stamp } = read
    const hash = createHash('sha256').update(bytes).digest('hex')
    // An unchanged file is not extracted again. Only `force` finds one that an earlier version indexed and this version
    // leaves out.
    if (known?.hash === hash && !this.#unlike.has(known.id) && !force) return { ok: true, stamp, hash }
    return { ok: true, stamp, hash, extracted: withoutSecret(await textOf.extract(file.path, bytes, run.signal)) }
  }

  async #file({ file, known }: FileTask, read: PreparedFile | NoText): Promise<void> {
    if (!read.ok) {
      if (known && isSkip(read.why)) this.#batch.remove(known.id)
      await this.#leave(file, read)
      return
    }
    const { stamp, hash, extracted } = read
    const isSame = known?.hash === hash && !this.#unlike.has(known.id)
    if (known && (!extracted || (isSame && extracted.ok))) {
      this.#tally.count('unchanged')
      this.#batch.stamp(known.id, stamp)
      return
    }
    if (!extracted) return
    if (known && (extracted.ok || isSkip(extracted.why))) this.#batch.remove(known.id)
    if (!extracted.ok) {
      await this.#leave({ ...file, ...stamp }, extracted)
      return
    }
    if (known) this.#tally.count('changed')
    else this.#tally.add(hash, this.#unseen.size > 0)
    const { title, text, format, metadata } = extracted
    const { hasSubstrings } = this.#task.collection
    await this.#batch.add({ path: file.path, ...stamp, hash, title, text, format, metadata, hasSubstrings })
  }

  /** An unreadable file is not stored, so that the next update tries it again. */
  async #leave({ path, size, mtime, ctime }: FoundFile, why: Pick<SkippedFile, 'why' | 'detail'>): Promise<void> {
    const file = { path, size, mtime, ctime, why: why.why, detail: why.detail }
    const known = this.#skipped.get(path)
    const isKnown = known && areSameStamps(known, file) && known.why === file.why && known.detail === file.detail
    if (this.#tally.leave(isKnown ? known : file) && !isKnown) await this.#batch.skip(file)
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
    for (const { path, detail } of tree.closed) {
      this.#tally.leave({ path: path === '' ? '.' : path, ...NO_STAMP, why: 'unreadable', detail })
    }
    const gone = this.#tally.notSkipped(this.#skipped.keys())
    if (gone.length > 0) await index.apply({ skipped: { collection: collection.name, files: [], gone } })
    return this.#tally.answer
  }
}

const NO_STAMP: FileStamp = { size: 0, mtime: '0', ctime: '0' }

function areSameStamps(one: FileStamp, other: FileStamp): boolean {
  return one.size === other.size && one.mtime === other.mtime && one.ctime === other.ctime
}
