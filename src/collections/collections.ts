import { type ContextError, invalidInput } from '../core/errors.ts'
import { type Run, SILENT } from '../core/flow.ts'
import { isBucketRoot } from '../files/bucket-root.ts'
import type { OpenRoot } from '../files/objects.ts'
import { rootPath } from '../files/root-path.ts'
import { nameVectors } from '../ingest/embedded.ts'
import { INCLUDE_HIDDEN, INCLUDE_IGNORED } from '../ingest/file-filter.ts'
import type { EmbedAnswer, EmbeddingModel } from '../models/embedding.ts'
import type { Collection, Store } from '../stores/store.ts'
import { unknownCollection } from '../text/unknown-collection.ts'
import type { IndexAnswer, StatusAnswer } from './answers.ts'
import {
  type IndexRequest,
  toIndexAnswer,
  updateCollections,
  type WatchedCollection,
  watchCollections,
} from './indexing.ts'
import { isCollectionName } from './library/address.ts'
import { assertNoSecrets, type BucketAccess, catchProblem, readRoot, rootAccess } from './library/collection-root.ts'

export interface AddRequest extends BucketAccess {
  readonly name: string
  /** A directory, with `~` for the home directory; or `s3://bucket/prefix`. */
  readonly root: string
  /** Globs of the files that belong to the collection. Default: all files. */
  readonly pattern?: readonly string[] | undefined
  /** Globs of files that do not belong to the collection. Default: none. */
  readonly exclude?: readonly string[] | undefined
  /** Includes files and directories whose names begin with a dot. Default: false. */
  readonly hidden?: boolean | undefined
  /** Whether to obey `.gitignore`. Default: true. */
  readonly ignore?: boolean | undefined
  /** Adds the collection even if the name of its directory is known for secrets. Default: false. */
  readonly yes?: boolean | undefined
  /**
   * Indexes all substrings of the texts, in addition to their words. This makes searches with `contains:` fast.
   * Default: false.
   */
  readonly substrings?: boolean | undefined
}

/** Maximum wait in milliseconds for an update by another process. */
const UPDATE_WAIT_MS = 60_000

/** The embedding model, loaded at the first call; undefined if none is configured. */
export type LazyModel = () => Promise<EmbeddingModel | undefined>

/** Manages collections, which are named directories and buckets. */
export class Collections {
  readonly #store: Store
  readonly #loadModel: LazyModel
  readonly #openRoot: OpenRoot

  constructor(store: Store, model: LazyModel, objects: OpenRoot) {
    this.#store = store
    this.#loadModel = model
    this.#openRoot = objects
  }

  /**
   * Adds a collection, without reading its files: see `index`.
   *
   * @throws ContextError `invalid-input` for a bad name or bucket; `not-found` for a root that is not a directory; `conflict`; `denied` for a
   * directory whose name is known for secrets.
   */
  async add({ name, root, pattern = [], substrings = false, ...request }: AddRequest): Promise<Collection> {
    if (!isCollectionName(name)) throw invalidNameError(name)
    const { exclude = [], hidden = false, ignore = true, yes = false } = request
    const filterFlags = [...(hidden ? [INCLUDE_HIDDEN] : []), ...(ignore ? [] : [INCLUDE_IGNORED])]
    const settings = { patterns: pattern, exclude: [...exclude, ...filterFlags], hasSubstrings: substrings }
    const resolvedRoot = readRoot(root)
    if (!yes) assertNoSecrets(resolvedRoot)
    const access = rootAccess(resolvedRoot, request)
    return this.#store.collections.add({ name, root: resolvedRoot, ...settings, ...(access && { access }) })
  }

  list(): Promise<Collection[]> {
    return this.#store.collections.list()
  }

  /** @throws ContextError `not-found`, with the nearest names. */
  async show(name: string): Promise<Collection> {
    const collection = await this.#store.collections.get(name)
    if (!collection) throw unknownCollection(name, await this.list())
    return collection
  }

  /** Removes a collection, its documents and its path contexts; the files stay. @throws ContextError `not-found`. */
  async remove(name: string): Promise<Collection> {
    const collection = await this.show(name)
    await this.#store.collections.remove(name)
    return collection
  }

  /** @throws ContextError `not-found`; `conflict`; `invalid-input`. */
  async rename(name: string, newName: string): Promise<Collection> {
    await this.show(name)
    if (!isCollectionName(newName)) throw invalidNameError(newName)
    await this.#store.collections.rename(name, newName)
    return this.show(newName)
  }

  /**
   * Changes settings of a collection. A search without named collections skips paused collections. The next `index`
   * applies `hasSubstrings`.
   *
   * @throws ContextError `not-found`.
   */
  async change(name: string, settings: Partial<Pick<Collection, 'isPaused' | 'hasSubstrings'>>): Promise<Collection> {
    await this.show(name)
    await this.#store.collections.update(name, settings)
    return this.show(name)
  }

  /**
   * Updates the index from the files. A stopped update leaves the documents that it stored. If the root of a collection
   * cannot be read, the answer has its `problem`, its documents stay, and the other collections are updated.
   *
   * @throws ContextError `not-found`; the error of the first root if no root could be read; `conflict` if another process still indexes after a
   * minute; `cancelled`.
   */
  async index({ names = [], force }: IndexRequest = {}, run: Run = SILENT): Promise<IndexAnswer> {
    const settings = { force, waitMs: UPDATE_WAIT_MS, open: this.#openRoot }
    return toIndexAnswer(await updateCollections(this.#store, await this.#showNamed(names), settings, run))
  }

  /**
   * Updates the index when files change, and every one to ten minutes, because no operating system reports all changes.
   * Buckets, which report no changes, are read every ten minutes. Without names, includes collections that are added
   * meanwhile. Yields the first update of each collection, each update with changes, and an update when a problem with
   * a root begins or ends.
   *
   * @throws ContextError `not-found`; `conflict` if another process still indexes after a minute.
   */
  async *watch(
    { names = [] }: Pick<IndexRequest, 'names'> = {},
    signal?: AbortSignal,
  ): AsyncGenerator<WatchedCollection, void, void> {
    await this.#showNamed(names)
    const listWatched = async () => (await this.list()).filter(({ name }) => names.length === 0 || names.includes(name))
    yield* watchCollections(this.#store, listWatched, { waitMs: UPDATE_WAIT_MS, open: this.#openRoot }, signal)
  }

  /** The named collections; all collections without names. */
  async #showNamed(names: readonly string[]): Promise<Collection[]> {
    return names.length === 0 ? this.list() : Promise.all([...new Set(names)].map((name) => this.show(name)))
  }

  /**
   * Computes the missing vectors of documents, for the search by meaning; with `force`, computes all vectors again. If
   * stopped, the stored vectors stay.
   *
   * @throws ContextError `invalid-input` without an embedding model; `not-found`; `unavailable` or `denied` from the embedding service; `conflict`
   * if another process still embeds after a minute; `cancelled`.
   */
  async embed({ names = [], force }: IndexRequest = {}, run: Run = SILENT): Promise<EmbedAnswer> {
    const model = await this.#loadModel()
    if (!model) {
      const hint =
        'Run "ambit embed --get" to download a small one, or set AMBIT_EMBEDDING_URL and AMBIT_EMBEDDING_MODEL, such as http://127.0.0.1:11434/v1 and nomic-embed-text.'
      throw invalidInput('No embedding model is set.', hint)
    }
    const collections = await Promise.all([...new Set(names)].map(async (name) => (await this.show(name)).name))
    const { embedDocuments: embed } = await import('../ingest/embed.ts')
    const embedAll = () => embed(this.#store, model, { collections, force }, run)
    return this.#store.vectors.exclusively(UPDATE_WAIT_MS, embedAll, run.signal)
  }

  async status(): Promise<StatusAnswer> {
    const [collections, model] = [await this.list(), await this.#loadModel()]
    const { segments } = await this.#store.index.read({ terms: [], filter: {} })
    const busyNames = await this.#store.collections.indexing()
    const addState = async (collection: (typeof collections)[number]) => {
      const { length: skipped } = await this.#store.documents.skipped(collection.name)
      return { ...collection, skipped, isIndexing: busyNames.includes(collection.name), ...rootProblem(collection) }
    }
    return {
      database: this.#store.name,
      bytes: await this.#store.size(),
      documents: collections.reduce((sum, { documents }) => sum + documents, 0),
      collections: await Promise.all(collections.map(addState)),
      segments: segments.length,
      ...(model && { embedding: { model: model.name, ...(await this.#store.vectors.counts(nameVectors(model))) } }),
    }
  }
}

function invalidNameError(name: string): ContextError {
  const hint = 'A name begins with a letter or a digit, and has letters, digits, spaces, and _ - . @ + after it.'
  return invalidInput(`${JSON.stringify(name)} is not the name of a collection.`, hint)
}

/** Why the root of a collection cannot be read; empty if it can. Buckets are not checked. */
function rootProblem({ root, access }: Collection): { readonly problem?: string } {
  if (isBucketRoot(root)) return {}
  const result = catchProblem(() => rootPath(root, false, access?.realPath))
  return 'problem' in result ? result : {}
}
