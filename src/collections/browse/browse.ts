/** Browses the current files of collections, indexed or not. */

import { ContextError, isNotFound, orElse, renameInError } from '../../core/errors.ts'
import { type Run, SILENT, type Why } from '../../core/flow.ts'
import { setNewest } from '../../core/set-newest.ts'
import { bucketRoot, isBucketRoot } from '../../files/bucket-root.ts'
import type { ObjectInfo, Objects, OpenRoot } from '../../files/objects.ts'
import { rootPath } from '../../files/root-path.ts'
import type { Document, KnownPaths } from '../../stores/document-store.ts'
import type { Collection, Store } from '../../stores/store.ts'
import { encodePath } from '../../text/citations.ts'
import { type Address, uriOf } from '../../text/collection-uri.ts'
import { nearest } from '../../text/nearest.ts'
import { decodeUri, foldersAbove, lastPathSegment } from '../../text/paths.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import { unknownCollection } from '../../text/unknown-collection.ts'
import type { BrowseAnswer, BrowsedFile, BrowseEntry, BrowseRequest, IndexState } from '../answers.ts'
import { readAddress } from '../library/address.ts'
import { placeContext } from '../path-contexts/resolver.ts'
import type { ContextResolver } from '../path-contexts.ts'
import { docidOf } from '../search.ts'
import { type IndexRules, readIndexRules } from './index-rules.ts'
import { type ListedPage, listEntries, type PageEntry } from './page.ts'

/** A place that is open for reading. */
interface OpenedPlace extends Address {
  readonly source: PlaceRoot
  readonly objects: Objects
  readonly contexts: ContextResolver
  readonly signal?: AbortSignal | undefined
}

/** A collection; or a bucket outside of collections, with the name `''`. */
type PlaceRoot = Pick<Collection, 'name' | 'root' | 'patterns' | 'exclude'>

/** Default of `limit`. */
const DEFAULT_LIMIT = 1000

/** Lists the current files of collections and buckets. Links that lead out of a collection's root are refused. */
export class Browser {
  readonly #store: Store
  readonly #contexts: () => Promise<ContextResolver>
  readonly #objects: ReturnType<typeof cacheOpenObjects>

  constructor(store: Store, contexts: () => Promise<ContextResolver>, open: OpenRoot) {
    this.#store = store
    this.#contexts = contexts
    this.#objects = cacheOpenObjects(open)
  }

  /**
   * A page of the entries of a directory, or the properties of a file.
   *
   * @throws ContextError `not-found` with the nearest names; `denied` for paths that lead out of the collection; `denied` and `unavailable` from the
   * bucket; `cancelled`.
   */
  async browse(
    { place = '', limit = DEFAULT_LIMIT, after }: BrowseRequest = {},
    { signal }: Run = SILENT,
  ): Promise<BrowseAnswer> {
    if (/^\/*$/.test(place)) return this.#listCollections()
    const opened = isBucketRoot(place)
      ? await this.#openInBucket(place, signal)
      : await this.#openAt(await readAddress(place, this.#store), signal)
    const { objects, path } = opened
    try {
      const [page, file] = await Promise.all([
        orElse(listEntries(objects, path, { limit, after, signal }), (error) => error),
        after === undefined && path !== '' ? orElse(objects.head(path, { signal }), (error) => error) : undefined,
      ])
      return await this.#toAnswer(opened, page, file)
    } catch (error) {
      throw hideRealPath(error, opened)
    }
  }

  /**
   * Opens the objects of a collection, to read one of its files.
   *
   * @throws ContextError `not-found` for an unknown collection; errors of opening its root.
   */
  async open(name: string): Promise<Pick<OpenedPlace, 'source' | 'objects'>> {
    const source = await this.#store.collections.get(name)
    if (!source) throw unknownCollection(name, await this.#store.collections.list())
    return { source, objects: await this.#objects(source) }
  }

  async #openAt(address: Address, signal: AbortSignal | undefined): Promise<OpenedPlace> {
    const contexts = await this.#contexts()
    return { ...address, ...(await this.open(address.collection)), contexts, signal }
  }

  /** Opens a place in a bucket, by the innermost collection that contains the place, else without a collection. */
  async #openInBucket(address: string, signal: AbortSignal | undefined): Promise<OpenedPlace> {
    const { bucket, prefix: path = '', uri } = bucketRoot(address.split('/').map(decodeUri).join('/'))
    const collections = await this.#store.collections.list()
    const enclosing = collections.filter(({ root }) => uri === root || uri.startsWith(`${root}/`))
    const [source] = enclosing.sort((a, b) => b.root.length - a.root.length)
    if (source) return this.#openAt({ collection: source.name, path: uri.slice(source.root.length + 1) }, signal)
    const root = `s3://${bucket}`
    const [contexts, objects] = await Promise.all([this.#contexts(), this.#objects({ root })])
    return { collection: '', path, source: { name: '', root, patterns: [], exclude: [] }, objects, contexts, signal }
  }

  async #listCollections(): Promise<BrowseAnswer> {
    const [collections, contexts] = [await this.#store.collections.list(), await this.#contexts()]
    const entries = collections.map(({ name, documents }) => ({
      name,
      kind: 'directory' as const,
      documents,
      ...placeContext(contexts, { collection: name, path: '' }),
    }))
    return { collection: null, path: '', uri: null, bucket: null, contexts: contexts.all('', ''), entries }
  }

  async #toAnswer(place: OpenedPlace, page: ListedPage | Error, file?: ObjectInfo | Error): Promise<BrowseAnswer> {
    const { collection, path, source, contexts } = place
    const isFile = file !== undefined && !(file instanceof Error)
    if (page instanceof Error && !isFile) throw page
    const listed = page instanceof Error ? EMPTY_PAGE : page
    if (listed.refusal !== undefined)
      throw new ContextError('denied', `${collection || source.root}/${path} is not listed: ${listed.refusal}`)
    if (!listed.exists && file instanceof Error) throw await this.#missingError(place, file)
    return {
      collection: collection === '' ? null : collection,
      path,
      uri: collection === '' ? `${source.root}${encodePath(`/${path}`)}` : uriOf(place),
      bucket: isBucketRoot(source.root) ? bucketRoot(source.root).bucket : null,
      contexts: contexts.all(collection, path),
      entries: await this.#describeEntries(place, listed.entries),
      ...(listed.next !== undefined && { next: listed.next }),
      ...(isFile && { file: await this.#describeFile(place, file) }),
    }
  }

  async #describeEntries(place: OpenedPlace, listed: readonly PageEntry[]): Promise<BrowseEntry[]> {
    if (listed.length === 0) return []
    const { collection, source, objects, path, signal } = place
    if (collection === '') return listed.map((entry) => entryOf(entry))
    const pathsOf = (kind: PageEntry['kind']) => listed.filter((one) => one.kind === kind).map((one) => one.path)
    const directories = pathsOf('directory')
    const [rules, knownPaths, counts] = await Promise.all([
      readIndexRules(objects, source, { path, signal }),
      this.#store.documents.findAtPaths(collection, pathsOf('file')),
      this.#store.documents.countBelow(collection, directories),
    ])
    const countByDirectory = new Map(directories.map((directory, at) => [directory, counts[at] ?? 0]))
    const facts = { rules, ...mapByPath(knownPaths), counts: countByDirectory }
    return listed.map((entry) => ({
      ...entryOf(entry, facts),
      ...placeContext(place.contexts, { collection, path: entry.path }),
    }))
  }

  async #describeFile(place: OpenedPlace, { key, ...info }: ObjectInfo): Promise<BrowsedFile> {
    const { collection, source, objects, path, signal } = place
    const name = lastPathSegment(path)
    if (collection === '') return { name, ...info, isIndexed: false }
    const rules = await readIndexRules(objects, source, { path: foldersAbove(path).at(-1) ?? '', signal })
    const knownPaths = await this.#store.documents.findAtPaths(collection, [path])
    return { name, ...info, ...indexState({ key, ...info }, { rules, ...mapByPath(knownPaths) }) }
  }

  /** The error for a missing place. Suggests entries of the same directory, else indexed files. */
  async #missingError(place: OpenedPlace, error: Error): Promise<Error> {
    if (!isNotFound(error)) return error
    const { collection, path, objects, signal } = place
    const parent = foldersAbove(path).at(-1) ?? ''
    const { entries } = await orElse(listEntries(objects, parent, { limit: DEFAULT_LIMIT, signal }), () => EMPTY_PAGE)
    const pathsOf = (places: readonly { readonly path: string }[]) => places.map((one) => one.path)
    const neighbours = nearest(path, pathsOf(entries))
    const similar =
      neighbours.length > 0 || collection === ''
        ? neighbours
        : nearest(path, pathsOf(await this.#store.documents.list({ collections: [collection] })))
    const root = collection === '' ? place.source.root : collection
    const hint =
      similar.length > 0
        ? `Similar: ${similar.map((name) => `${root}/${name}`).join(', ')}.`
        : `See "ambit browse ${quoteShell(root)}".`
    return new ContextError('not-found', `There is no ${root}/${path}.`, { hint })
  }
}

const EMPTY_PAGE: ListedPage = { entries: [], exists: false }

type IndexFacts = ReturnType<typeof mapByPath> & { readonly rules: IndexRules }

function mapByPath({ documents, skipped }: KnownPaths) {
  return {
    documents: new Map(documents.map((item) => [item.path, item])),
    skipped: new Map(skipped.map((item) => [item.path, item])),
  }
}

/** An entry of the answer. `facts`: what the index knows; absent for a bucket that is not a collection. */
function entryOf(entry: PageEntry, facts?: IndexFacts & { readonly counts: ReadonlyMap<string, number> }): BrowseEntry {
  const { name, kind, path } = entry
  if (kind === 'other') return { name, kind, why: entry.why, detail: entry.detail }
  if (kind === 'directory')
    return { name, kind, ...(facts && { documents: facts.counts.get(path) ?? 0, ...facts.rules.directory(path) }) }
  const { size, modifiedAt } = entry.info
  return { name, kind, size, modifiedAt, ...(facts ? indexState(entry.info, facts) : { isIndexed: false }) }
}

function indexState(info: ObjectInfo, { rules, documents, skipped }: IndexFacts): IndexState {
  const document = documents.get(info.key)
  if (document) {
    const stale = isUnchanged(document, info) ? {} : { isStale: true as const }
    return { isIndexed: true, docid: docidOf(document), title: document.title, ...stale }
  }
  const reason = rules.file(info.key) ?? skipped.get(info.key)
  return { isIndexed: false, ...(reason && { why: reason.why as Why, detail: reason.detail }) }
}

/** Compares times to the second, because buckets store whole seconds. */
function isUnchanged(document: Document, { size, modifiedAt }: ObjectInfo): boolean {
  const toSeconds = (iso: string) => Math.floor(Date.parse(iso) / 1000)
  return document.size === size && toSeconds(document.modifiedAt) === toSeconds(modifiedAt)
}

/** Replaces the path of a directory on this machine in an error by the name of the collection. */
export function hideRealPath(error: unknown, { source, objects }: Pick<OpenedPlace, 'source' | 'objects'>): unknown {
  if (!(error instanceof ContextError) || isBucketRoot(source.root)) return error
  return renameInError(error, objects.uri, source.name)
}

/** Maximum number of directories that stay open. Each may hold 20 MB of names. */
const MAX_OPEN_DIRECTORIES = 4

/**
 * Returns a function that opens the objects of a collection. Directories stay open, so that the names in a large
 * directory are not read again for each page. A root that was replaced is opened again.
 *
 * @throws ContextError of opening a root; `not-found` for a root that is gone.
 */
function cacheOpenObjects(open: OpenRoot) {
  const cached = new Map<string, { readonly realPath: string; readonly objects: Objects }>()
  return async ({ root, access }: Pick<Collection, 'root' | 'access'>): Promise<Objects> => {
    if (isBucketRoot(root)) return open(root, access)
    const { realPath } = rootPath(root, false, access?.realPath)
    const cachedRoot = cached.get(root)
    const opened = cachedRoot?.realPath === realPath ? cachedRoot : { realPath, objects: await open(root, access) }
    setNewest(cached, root, opened, MAX_OPEN_DIRECTORIES)
    return opened.objects
  }
}
