/** Browses the present files of collections, indexed or not. */

import { ContextError, orElse } from '../../core/errors.ts'
import { type Run, SILENT, type Why } from '../../core/flow.ts'
import { setNewest } from '../../core/set-newest.ts'
import { bucketRoot, isBucketRoot } from '../../files/bucket-root.ts'
import type { ObjectInfo, Objects, OpenRoot } from '../../files/objects.ts'
import { rootPath } from '../../files/root-path.ts'
import type { Document, KnownPaths } from '../../stores/document-store.ts'
import type { Collection, Store } from '../../stores/store.ts'
import { type Address, uriOf } from '../../text/collection-uri.ts'
import { nearest } from '../../text/nearest.ts'
import { unknownCollection } from '../../text/unknown-collection.ts'
import type { BrowseAnswer, BrowsedFile, BrowseEntry, BrowseRequest, IndexState } from '../answers.ts'
import { readAddress } from '../library/address.ts'
import type { ContextResolver } from '../path-contexts.ts'
import { docidOf } from '../search.ts'
import { type Judge, judgeAt } from './judge.ts'
import { type ListedPage, type PageEntry, pageOf } from './page.ts'

/** A place with everything needed to read it. */
interface Looked extends Address {
  readonly known: LookedRoot
  readonly objects: Objects
  readonly contexts: ContextResolver
  readonly signal?: AbortSignal | undefined
}

/** A collection; or a bucket outside of collections, with the name `''`. */
type LookedRoot = Pick<Collection, 'name' | 'root' | 'patterns' | 'exclude'>

const MOST = 1000

/** Reads the places of collections as they are now. Nothing outside of a collection's root is read: links are checked when opened. */
export class Browser {
  readonly #store: Store
  readonly #contexts: () => Promise<ContextResolver>
  readonly #objects: ReturnType<typeof keepOpen>

  constructor(store: Store, contexts: () => Promise<ContextResolver>, open: OpenRoot) {
    this.#store = store
    this.#contexts = contexts
    this.#objects = keepOpen(open)
  }

  /**
   * A page of the entries of a place, or facts about a file.
   *
   * @throws ContextError `not-found` with the nearest names; `denied` for paths that lead out of the collection; `denied` and `unavailable` by the
   * bucket; `cancelled`.
   */
  async browse(
    { place = '', limit = MOST, after }: BrowseRequest = {},
    { signal }: Run = SILENT,
  ): Promise<BrowseAnswer> {
    if (/^\/*$/.test(place)) return this.#collections()
    const looked = isBucketRoot(place)
      ? await this.#inBucket(place, signal)
      : await this.#at(await readAddress(place, this.#store), signal)
    const { objects, path } = looked
    try {
      const [page, file] = await Promise.all([
        orElse(pageOf(objects, path, { limit, after, signal }), (error) => error),
        after === undefined && path !== '' ? orElse(objects.head(path, { signal }), (error) => error) : undefined,
      ])
      return await this.#answer(looked, page, file)
    } catch (error) {
      throw inWords(error, looked)
    }
  }

  /**
   * Opens the objects of a collection, to read one of its files.
   *
   * @throws ContextError `not-found` for an unknown collection; as opening does.
   */
  async open(name: string): Promise<Pick<Looked, 'known' | 'objects'>> {
    const known = await this.#store.collections.get(name)
    if (!known) throw unknownCollection(name, await this.#store.collections.list())
    return { known, objects: await this.#objects(known) }
  }

  async #at(address: Address, signal: AbortSignal | undefined): Promise<Looked> {
    const contexts = await this.#contexts()
    return { ...address, ...(await this.open(address.collection)), contexts, signal }
  }

  /** A place in a bucket: in the innermost collection around it, else without an index. */
  async #inBucket(place: string, signal: AbortSignal | undefined): Promise<Looked> {
    const { bucket, prefix: path = '', uri } = bucketRoot(place)
    const collections = await this.#store.collections.list()
    const held = collections.filter(({ root }) => uri === root || uri.startsWith(`${root}/`))
    const [known] = held.sort((a, b) => b.root.length - a.root.length)
    if (known) return this.#at({ collection: known.name, path: uri.slice(known.root.length + 1) }, signal)
    const root = `s3://${bucket}`
    const [contexts, objects] = await Promise.all([this.#contexts(), this.#objects({ root })])
    return { collection: '', path, known: { name: '', root, patterns: [], exclude: [] }, objects, contexts, signal }
  }

  async #collections(): Promise<BrowseAnswer> {
    const [collections, contexts] = [await this.#store.collections.list(), await this.#contexts()]
    const entries = collections.map(({ name, documents }) => ({
      name,
      kind: 'directory' as const,
      documents,
      ...placeContext(contexts, { collection: name, path: '' }),
    }))
    return { collection: null, path: '', uri: null, bucket: null, contexts: contexts.all('', ''), entries }
  }

  async #answer(looked: Looked, page: ListedPage | Error, file: ObjectInfo | Error | undefined): Promise<BrowseAnswer> {
    const { collection, path, known, contexts } = looked
    const isFile = file !== undefined && !(file instanceof Error)
    if (page instanceof Error && !isFile) throw page
    const listed = page instanceof Error ? NOTHING : page
    if (listed.refused !== undefined)
      throw new ContextError('denied', `${collection || known.root}/${path} is not listed: ${listed.refused}`)
    if (!listed.isThere && file instanceof Error) throw await this.#absent(looked, file)
    return {
      collection: collection === '' ? null : collection,
      path,
      uri: collection === '' ? `${known.root}/${path}`.replace(/\/$/, '') : uriOf(looked),
      bucket: isBucketRoot(known.root) ? bucketRoot(known.root).bucket : null,
      contexts: contexts.all(collection, path),
      entries: await this.#entries(looked, listed.listed),
      ...(listed.next !== undefined && { next: listed.next }),
      ...(isFile && { file: await this.#file(looked, file) }),
    }
  }

  async #entries(looked: Looked, listed: readonly PageEntry[]): Promise<BrowseEntry[]> {
    if (listed.length === 0) return []
    const { collection, known, objects, path, signal } = looked
    if (collection === '') return listed.map((one) => entryOf(one))
    const pathsOf = (kind: PageEntry['kind']) => listed.filter((one) => one.kind === kind).map((one) => one.path)
    const directories = pathsOf('directory')
    const [judge, among, counts] = await Promise.all([
      judgeAt(objects, known, { path, signal }),
      this.#store.documents.among(collection, pathsOf('file')),
      this.#store.documents.below(collection, directories),
    ])
    const facts = { judge, ...byPath(among), counts: new Map(directories.map((one, at) => [one, counts[at] ?? 0])) }
    return listed.map((one) => ({
      ...entryOf(one, facts),
      ...placeContext(looked.contexts, { collection, path: one.path }),
    }))
  }

  async #file(looked: Looked, { key, ...info }: ObjectInfo): Promise<BrowsedFile> {
    const { collection, known, objects, path, signal } = looked
    const at = path.lastIndexOf('/')
    if (collection === '') return { name: path.slice(at + 1), ...info, isIndexed: false }
    const judge = await judgeAt(objects, known, { path: path.slice(0, Math.max(0, at)), signal })
    const among = await this.#store.documents.among(collection, [path])
    const state = indexState({ key, ...info }, { judge, ...byPath(among) })
    return { name: path.slice(at + 1), ...info, ...state }
  }

  /** Present neighbours are better suggestions than indexed ones. */
  async #absent(looked: Looked, error: Error): Promise<Error> {
    if (!(error instanceof ContextError) || error.code !== 'not-found') return error
    const { collection, path, objects, signal } = looked
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    const { listed } = await orElse(pageOf(objects, parent, { limit: MOST, signal }), () => NOTHING)
    const names = listed.map((one) => one.path)
    const near = nearest(path, names)
    const known = near.length > 0 ? near : nearest(path, await this.#indexed(collection))
    const root = collection === '' ? looked.known.root : collection
    const hint =
      known.length > 0 ? `Similar: ${known.map((one) => `${root}/${one}`).join(', ')}.` : `See "ambit browse ${root}".`
    return new ContextError('not-found', `There is no ${root}/${path}.`, { hint })
  }

  async #indexed(collection: string): Promise<string[]> {
    if (collection === '') return []
    return (await this.#store.documents.list({ collections: [collection] })).map(({ path }) => path)
  }
}

const NOTHING: ListedPage = { listed: [], isThere: false }

interface Facts {
  readonly judge: Judge
  readonly documents: ReadonlyMap<string, Document>
  readonly skipped: ReadonlyMap<string, { readonly why: string; readonly detail: string }>
}

function byPath({ documents, skipped }: KnownPaths) {
  return {
    documents: new Map(documents.map((one) => [one.path, one])),
    skipped: new Map(skipped.map((one) => [one.path, one])),
  }
}

/** `facts`: facts of the index; absent for a bucket that is not a collection. */
function entryOf(one: PageEntry, facts?: Facts & { readonly counts: ReadonlyMap<string, number> }): BrowseEntry {
  const { name, kind, path } = one
  if (kind === 'other') return { name, kind, why: one.why, detail: one.detail }
  if (kind === 'directory')
    return { name, kind, ...(facts && { documents: facts.counts.get(path) ?? 0, ...facts.judge.directory(path) }) }
  const { size, modifiedAt } = one.info
  return { name, kind, size, modifiedAt, ...(facts ? indexState(one.info, facts) : { isIndexed: false }) }
}

function indexState(info: ObjectInfo, { judge, documents, skipped }: Facts): IndexState {
  const document = documents.get(info.key)
  if (document) {
    const stale = isUnchanged(document, info) ? {} : { isStale: true as const }
    return { isIndexed: true, docid: docidOf(document), title: document.title, ...stale }
  }
  const reason = judge.file(info.key) ?? skipped.get(info.key)
  return { isIndexed: false, ...(reason && { why: reason.why as Why, detail: reason.detail }) }
}

/** Compares times to the second, as precise as buckets are. */
function isUnchanged(document: Document, { size, modifiedAt }: ObjectInfo): boolean {
  const second = (iso: string) => Math.floor(Date.parse(iso) / 1000)
  return document.size === size && second(document.modifiedAt) === second(modifiedAt)
}

/** The path context of this place alone. */
function placeContext(contexts: ContextResolver, { collection, path }: Address): { readonly context?: string } {
  const scope = path === '' ? 'collection' : 'path'
  const own = contexts.all(collection, path).findLast((one) => one.scope === scope)
  const isOwn = own !== undefined && (path === '' || own.prefix === `/${path}`)
  return isOwn ? { context: own.text } : {}
}

/** Replaces the path on the machine in an error by the name of the collection. */
export function inWords(error: unknown, { known, objects }: Pick<Looked, 'known' | 'objects'>): unknown {
  if (!(error instanceof ContextError) || isBucketRoot(known.root)) return error
  const { code, message, hint, cause } = error
  const text = message.replaceAll(objects.uri, known.name)
  return new ContextError(code, text, { ...(hint !== undefined && { hint }), cause })
}

/** Maximum number of directories that stay open. Each may hold 20 MB of names. */
const MAX_OPEN = 4

/**
 * Opens the objects of collections. A directory stays open, so that the names in a large one are not read again for each page while it is unchanged.
 * A root that was replaced is opened again.
 *
 * @throws ContextError as opening does; `not-found` for a root that is gone.
 */
function keepOpen(open: OpenRoot) {
  const kept = new Map<string, { readonly realPath: string; readonly objects: Objects }>()
  return async ({ root, access }: Pick<Collection, 'root' | 'access'>): Promise<Objects> => {
    if (isBucketRoot(root)) return open(root, access)
    const { realPath } = rootPath(root, false, access?.realPath)
    const known = kept.get(root)
    const one = known?.realPath === realPath ? known : { realPath, objects: await open(root, access) }
    setNewest(kept, root, one, MAX_OPEN)
    return one.objects
  }
}
