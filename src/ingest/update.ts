/** Brings what is known of a collection in step with its files. */

import { createHash } from 'node:crypto'
import { ContextError, throwIfAborted } from '../core/errors.ts'
import type { Run } from '../core/flow.ts'
import { yieldToEvents } from '../core/steps.ts'
import type { Objects } from '../files/objects.ts'
import type { FileStamp, KnownFile, SkippedFile } from '../stores/document-store.ts'
import type { Collection, IndexStore, IndexWriter, Store } from '../stores/store.ts'
import { findSecret } from '../text/secrets.ts'
import { IndexBatch } from './indexing/batch.ts'
import type { FileBytes, FileText, NoText, TextOf } from './indexing/extraction.ts'
import { mergeSegments, segmentsToMerge } from './indexing/merge.ts'
import { ahead } from './indexing/prefetch.ts'
import { directoryTree, type IndexedTree } from './indexing/tree.ts'
import type { FoundFile } from './indexing/walk.ts'

/** What an update came to, in files. */
export interface UpdateAnswer {
  readonly added: number
  readonly changed: number
  /** Found under another path, with the same content. */
  readonly moved: number
  readonly removed: number
  readonly unchanged: number
  /** Without text to search: binary, empty, too large, secret. */
  readonly skipped: number
  /** Could not be read. */
  readonly failed: number
  /** The skipped and the failed, by path. */
  readonly left: readonly Pick<SkippedFile, 'path' | 'why' | 'detail'>[]
}

/** How an update is done. */
export interface UpdateOptions {
  readonly textOf: TextOf
  /** Reads every file, whatever its size and times say. Default: false. */
  readonly force?: boolean | undefined
  /** Opens what the collection holds, where its root is a bucket. Default: all are directories. */
  readonly objects?: ((collection: Collection) => Promise<Objects | undefined>) | undefined
  /** Milliseconds that another process that indexes it is waited for. Default: 0. */
  readonly waitMs?: number
}

/** Bytes of files that are read before they are asked for. */
const AHEAD = 32 * 1024 * 1024

/** Files looked at between two pauses. */
const SLICE = 64

/** Reasons that are no fault of the file system. */
const SKIPS = new Set(['binary', 'empty', 'over-limit', 'denied', 'excluded'])

/**
 * Looks at all files of the collection of this name, reads those that have changed, and stores them. What was stored stays when
 * it is stopped; the next update goes on from there.
 *
 * @throws ContextError `not-found` when the collection or its root is gone: nothing is removed then; `conflict` where another
 * process is at it for longer than is waited for, or the collection was removed or renamed meanwhile; `cancelled`.
 */
export async function update(
  store: Store,
  name: string,
  { textOf, force = false, objects, waitMs = 0 }: UpdateOptions,
  run: Run,
): Promise<UpdateAnswer> {
  const index = store.index.of(name)
  const inStep = async () => {
    // Not before it is held: until then somebody may have put another one in its place.
    const collection = await store.collections.get(name)
    if (!collection) throw collectionGone(name)
    const work = new Update(store, {
      collection,
      index,
      tree: await treeOf(collection, { textOf, objects: await objects?.(collection) }, run),
      textOf,
      force,
      run,
    })
    await work.load()
    try {
      await work.files()
    } finally {
      // Also when it was stopped: what was read is not read again.
      await work.end()
    }
    await work.finish()
    return work.answer
  }
  const answer = await index.exclusively(waitMs, inStep, run.signal)
  await tidy(store.index, run)
  await store.collections.update(name, { indexedAt: new Date().toISOString() })
  return answer
}

function collectionGone(name: string): ContextError {
  const hint = 'It was removed or renamed meanwhile: run "ambit index" for what there is now.'
  return new ContextError('not-found', `There is no collection "${name}" any more.`, { hint })
}

async function treeOf(
  { root, patterns, exclude }: Collection,
  { textOf, objects }: { readonly textOf: TextOf; readonly objects: Objects | undefined },
  { signal }: Run,
): Promise<IndexedTree> {
  const wanted = { patterns, exclude, signal }
  if (!objects) return directoryTree({ ...wanted, root }, textOf)
  const { bucketTree } = await import('./bucket-tree.ts')
  return bucketTree(objects, wanted)
}

/** Merges segments until there are few enough. Where another process does, it sees to all that there are by then. */
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

class Update {
  readonly #store: Store
  readonly #task: UpdateTask
  readonly #batch: IndexBatch
  #known = new Map<string, KnownFile>()
  /** Ids of documents that are indexed another way than they should be. */
  #unlike: ReadonlySet<number> = new Set()
  #skipped = new Map<string, SkippedFile>()
  readonly #left: SkippedFile[] = []
  readonly #gone: KnownFile[] = []
  readonly #addedHashes: string[] = []
  readonly #counts = { added: 0, changed: 0, unchanged: 0, failed: 0 }

  constructor(store: Store, task: UpdateTask) {
    this.#store = store
    this.#task = task
    this.#batch = new IndexBatch(task.index, task.collection.name)
  }

  async load(): Promise<void> {
    const { documents } = this.#store
    const { name } = this.#task.collection
    this.#known = new Map((await documents.known(name)).map((file) => [file.path, file]))
    this.#unlike = await documents.unlike(name)
    this.#skipped = new Map((await documents.skipped(name)).map((file) => [file.path, file]))
  }

  async files(): Promise<void> {
    const { collection, tree, run } = this.#task
    const { name } = collection
    const { files, secrets, odd, wide } = tree
    for (const { file, detail } of odd) this.#leave(file, { why: 'excluded', detail })
    for (const file of secrets) this.#leave(file, { why: 'denied', detail: 'Its name is that of a secret.' })
    const paths = new Set(files.map(({ path }) => path))
    for (const file of this.#known.values()) {
      if (!paths.has(file.path) && !this.#isHidden(file.path)) this.#gone.push(file)
    }
    for (const { id } of this.#gone) this.#batch.remove(id)
    const todo = files.filter((file) => !this.#isUnchanged(file))
    let index = 0
    for await (const [file, read] of ahead(todo, tree.read, { wide, bytes: AHEAD })) {
      throwIfAborted(run.signal)
      if (index % SLICE === 0) {
        run.emit({ type: 'progress', what: name, done: index, total: todo.length })
        await yieldToEvents(run.signal)
      }
      await this.#file(file, read)
      index++
    }
    run.emit({ type: 'progress', what: name, done: todo.length, total: todo.length })
  }

  /** Nothing is known of what is below a directory that cannot be listed: it may still be there. */
  #isHidden(path: string): boolean {
    return this.#task.tree.closed.some(({ path: above }) => above === '' || path.startsWith(`${above}/`))
  }

  #isUnchanged(file: FoundFile): boolean {
    if (this.#task.force) return false
    const known = this.#known.get(file.path)
    if (known && !this.#unlike.has(known.id) && areSameStamps(known, file)) {
      this.#counts.unchanged++
      return true
    }
    const skipped = this.#skipped.get(file.path)
    if (!skipped || !areSameStamps(skipped, file)) return false
    this.#left.push(skipped)
    return true
  }

  async #file(file: FoundFile, read: FileBytes | NoText): Promise<void> {
    const known = this.#known.get(file.path)
    if (!read.ok) {
      if (known && SKIPS.has(read.why)) this.#batch.remove(known.id)
      this.#leave(file, read)
      return
    }
    const stamp = read.stamp
    const hash = createHash('sha256').update(read.bytes).digest('hex')
    // What an earlier version took in, and this one leaves out, is found by who has all read again.
    if (known?.hash === hash && !this.#unlike.has(known.id) && !this.#task.force) {
      this.#counts.unchanged++
      this.#batch.stamp(known.id, stamp)
      return
    }
    const extracted = withoutSecret(await this.#task.textOf.extract(file.path, read.bytes, this.#task.run.signal))
    if (known?.hash === hash && extracted.ok && !this.#unlike.has(known.id)) {
      this.#counts.unchanged++
      this.#batch.stamp(known.id, stamp)
      return
    }
    if (known && (extracted.ok || SKIPS.has(extracted.why))) this.#batch.remove(known.id)
    if (!extracted.ok) {
      this.#leave({ ...file, ...stamp }, extracted)
      return
    }
    this.#counts[known ? 'changed' : 'added']++
    if (!known) this.#addedHashes.push(hash)
    const { title, text, format, metadata } = extracted
    const { hasSubstrings } = this.#task.collection
    await this.#batch.add({ path: file.path, ...stamp, hash, title, text, format, metadata, hasSubstrings })
  }

  #leave({ path, size, mtime, ctime }: FoundFile, { why, detail }: Pick<SkippedFile, 'why' | 'detail'>): void {
    if (!SKIPS.has(why)) this.#counts.failed++
    this.#left.push({ path, size, mtime, ctime, why, detail })
  }

  async end(): Promise<void> {
    try {
      await this.#batch.flush()
    } finally {
      await this.#batch.end()
    }
  }

  /** What could not be read is tried again next time. */
  async finish(): Promise<void> {
    const { collection, index, tree } = this.#task
    for (const { path, detail } of tree.closed) {
      this.#counts.failed++
      this.#left.push({ path: path === '' ? '.' : path, size: 0, mtime: '0', ctime: '0', why: 'unreadable', detail })
    }
    const files = this.#left.filter(({ why }) => SKIPS.has(why))
    if (!isSameList(files, this.#skipped)) await index.apply({ skipped: { collection: collection.name, files } })
  }

  get answer(): UpdateAnswer {
    const gone = new Map<string, number>()
    for (const { hash } of this.#gone) gone.set(hash, (gone.get(hash) ?? 0) + 1)
    let moved = 0
    for (const hash of this.#addedHashes) {
      const left = gone.get(hash) ?? 0
      if (left > 0) moved++
      gone.set(hash, left - 1)
    }
    const left = this.#left.map(({ path, why, detail }) => ({ path, why, detail }))
    return {
      added: this.#counts.added - moved,
      changed: this.#counts.changed,
      moved,
      removed: this.#gone.length - moved,
      unchanged: this.#counts.unchanged,
      skipped: this.#left.length - this.#counts.failed,
      failed: this.#counts.failed,
      left: left.sort((a, b) => (a.path < b.path ? -1 : 1)),
    }
  }
}

/** A file that holds a secret is left out whole: whatever else it says, a part of it would show where the rest is. */
function withoutSecret(extracted: FileText | NoText): FileText | NoText {
  const found = extracted.ok ? findSecret(extracted.text) : undefined
  if (found === undefined) return extracted
  return { ok: false, why: 'denied', detail: `Line ${found.line} of its text holds ${found.what}.` }
}

function areSameStamps(one: FileStamp, other: FileStamp): boolean {
  return one.size === other.size && one.mtime === other.mtime && one.ctime === other.ctime
}

function isSameList(files: readonly SkippedFile[], known: ReadonlyMap<string, SkippedFile>): boolean {
  return files.length === known.size && files.every((file) => known.get(file.path) === file)
}
