import { ContextError, invalidInput, isNotFound } from '../core/errors.ts'
import { systemHome } from '../files/home.ts'
import type { Collection, PathContext, PlaceKey, Store } from '../stores/store.ts'
import { uriOf } from '../text/collection-uri.ts'
import { nearest } from '../text/nearest.ts'
import { isWithin, shortenPath } from '../text/paths.ts'
import { placeArgument, quoteShell } from '../text/shell-quote.ts'
import { unknownCollection } from '../text/unknown-collection.ts'
import type { AddedContext, ContextsCheck, ImportAnswer, RemovedContext } from './answers.ts'
import { checkContexts, documentPaths, isIndexed, unindexedNotice } from './path-contexts/check.ts'
import { type FoundPlace, findPlace, type PathBases, placeAt, toPlaceKey } from './path-contexts/place.ts'
import {
  type AppliedContext,
  type ContextResolver,
  contextResolver,
  normaliseContextText,
} from './path-contexts/resolver.ts'

export type { ContextsCheck, ImportAnswer } from './answers.ts'
export type { AppliedContext, ContextResolver } from './path-contexts/resolver.ts'

/**
 * The place of a path context (a note for the files at or below the place): as a person writes it (`/`, `name/path`,
 * `ambit://name/path`, a path on disk inside a collection), or an item of `list`.
 */
export type ContextPlace = string | Pick<PathContext, 'collection' | 'pathPrefix'>

/** A path context that applies to a path on disk. */
export interface DiskContext {
  /** The `ambit://` URI of its place, which is stable. */
  readonly uri: string
  /** Path in its collection, with a leading slash. */
  readonly path: string
  readonly text: string
}

/** The path contexts of a store. To a path apply its own context, and the contexts of all places above. */
export class PathContexts {
  readonly #store: Store
  readonly #bases: PathBases
  #snapshot: { readonly version: number; readonly resolver: ContextResolver } | undefined

  /** `from`: base of relative paths and of `~`. Default: the current directory, and the home of the system's user. */
  constructor(store: Store, from: Partial<PathBases> = {}) {
    this.#store = store
    this.#bases = { cwd: from.cwd ?? process.cwd(), home: 'home' in from ? from.home : systemHome() }
  }

  /**
   * Sets the path context of a place, which need not exist in the collection.
   *
   * @throws ContextError `invalid-input` for an empty text or an invalid place; `over-limit` for a text of more than 8,192 characters; `not-found`
   * for an unknown collection, and for a path on disk outside of all collections.
   */
  async set(place: ContextPlace, text: string): Promise<void>
  /** Sets the path context of a path in a collection. Null and `/` name the global context. */
  async set(collection: string | null, pathPrefix: string, text: string): Promise<void>
  async set(...args: [ContextPlace, string] | [string | null, string, string]): Promise<void> {
    const [place, text] = args.length === 3 ? [assertPlace(args[0], args[1]), args[2]] : args
    await this.#set(place, text)
  }

  /** As `set`. Returns the new path context. */
  async add(place: ContextPlace, text: string): Promise<AddedContext> {
    const { key, notice } = await this.#set(place, text)
    const isStored = ({ collection, pathPrefix }: PathContext) =>
      (collection ?? '') === key.collection && pathPrefix === key.pathPrefix
    const stored = (await this.list()).find(isStored)
    if (!stored)
      throw new ContextError('conflict', `Another process just removed the path context of ${placeLabel(key)}.`)
    const notices = [notice, await this.#emptinessNotice(key)].filter((each) => each !== undefined)
    return { ...stored, ...(notices.length > 0 && { notice: notices.join(' ') }) }
  }

  /**
   * As `add`, for the global context, when a person gave no place.
   *
   * @throws ContextError `invalid-input` for a text that is a collection or a place in one: the person forgot the text.
   */
  async addEverywhere(text: string): Promise<AddedContext> {
    if (!(await this.#looksLikePlace(text.trim()))) return this.add('/', text)
    const place = quoteShell(text.trim())
    const hint = `Write: ambit context add ${place} TEXT. If it is the text, write: ambit context add / ${place}`
    throw invalidInput(`${shortenPath(text.trim())} is a place; the text for it is missing.`, hint)
  }

  async #looksLikePlace(text: string): Promise<boolean> {
    if (text === '' || /\s/.test(text)) return false
    if (text.includes('/')) return true
    return this.#locate(text).then(
      () => true,
      () => false,
    )
  }

  async #set(place: ContextPlace, text: string): Promise<FoundPlace> {
    const contextText = normaliseContextText(text)
    const located = await this.#locate(place)
    try {
      await this.#store.contexts.set(located.key, contextText)
      return located
    } catch (error) {
      if (!isNotFound(error)) throw error
      throw unknownCollection(located.key.collection, await this.#store.collections.list())
    }
  }

  /**
   * The key of a place. `mayBeGone`: accepts places in removed collections and missing paths, to remove their contexts.
   */
  async #locate(place: ContextPlace, mayBeGone = false): Promise<FoundPlace> {
    if (typeof place !== 'string') return { key: toCheckedKey(assertPlace(place?.collection, place?.pathPrefix)) }
    const collections = await this.#store.collections.list()
    const removed = mayBeGone
      ? (await this.list()).flatMap(({ collection: name }) => (name === null ? [] : [{ name }]))
      : []
    return findPlace(place, { ...this.#bases, collections: [...collections, ...removed], mayBeGone })
  }

  /** A notice about a place without documents; undefined if the place has documents. */
  async #emptinessNotice({ collection: name, pathPrefix }: PlaceKey): Promise<string | undefined> {
    const collection = name === '' ? undefined : await this.#store.collections.get(name)
    if (!collection) return undefined
    if (!isIndexed(collection)) return unindexedNotice(name)
    const paths = await documentPaths(this.#store, collection)
    if (paths.some((path) => isWithin(pathPrefix, path))) return undefined
    return `"${name}" has no document ${pathPrefix === '/' ? 'yet' : `at or below ${pathPrefix}`}.`
  }

  /** The text of the most specific context of a path; the global context if the collection has none for the path. */
  async find(collection: string, path: string): Promise<string | undefined> {
    return (await this.resolver()).find(collection, path)
  }

  /** All contexts of a path: the global context first, then the others from general to specific. */
  async all(collection: string, path: string): Promise<AppliedContext[]> {
    return (await this.resolver()).all(collection, path)
  }

  /** Path contexts of a path on disk, from the innermost collection around the path; empty if no collection contains the path. */
  async ofDisk(path: string): Promise<readonly DiskContext[]> {
    const diskPlace = placeAt(path, await this.#store.collections.list())
    if (!diskPlace) return []
    const { collection } = diskPlace
    return (await this.resolver()).all(collection, diskPlace.path).map(({ scope, prefix, text }) => {
      const uri = uriOf({ collection: scope === 'global' ? '' : collection, path: prefix.slice(1) })
      return { uri, path: prefix, text }
    })
  }

  /** Synchronous look-ups in a snapshot of the path contexts. Loads the contexts again only after a change. */
  async resolver(): Promise<ContextResolver> {
    // Reads the version first, so that the next call sees a change between the two reads.
    const version = await this.#store.contexts.version()
    if (this.#snapshot?.version !== version) {
      this.#snapshot = { version, resolver: contextResolver(await this.#store.contexts.list()) }
    }
    return this.#snapshot.resolver
  }

  async global(): Promise<string | undefined> {
    return (await this.resolver()).find('', '/')
  }

  /** All path contexts: the global context first, then the others by collection and path. */
  list(): Promise<PathContext[]> {
    return this.#store.contexts.list()
  }

  /** Removes the context of a place. Returns whether there was a context. @throws ContextError as `set`. */
  async remove(place: ContextPlace): Promise<boolean>
  async remove(collection: string | null, pathPrefix: string): Promise<boolean>
  async remove(...args: [ContextPlace] | [string | null, string]): Promise<boolean> {
    const place = args.length === 2 ? assertPlace(args[0], args[1]) : args[0]
    const { key } = await this.#locate(place, true)
    return this.#store.contexts.remove(key)
  }

  /** As `remove`. @throws ContextError `not-found` for a place without a context, with the nearest places. */
  async removeKnown(place: ContextPlace): Promise<RemovedContext> {
    const { key } = await this.#locate(place, true)
    if (await this.#store.contexts.remove(key))
      return { collection: key.collection || null, pathPrefix: key.pathPrefix, removed: true }
    const names = (await this.list()).map(({ collection, pathPrefix }) => placeArgument(collection, pathPrefix))
    const similar = nearest(placeLabel(key), names)
    const hint = similar.length > 0 ? `Did you mean ${similar.join(' or ')}?` : 'See "ambit context list".'
    throw new ContextError('not-found', `There is no path context for ${shortenPath(placeLabel(key))}.`, { hint })
  }

  /** Collections without any path context, by name. */
  async collectionsWithout(): Promise<Collection[]> {
    const described = new Set((await this.list()).map(({ collection }) => collection))
    return (await this.#store.collections.list()).filter(({ name }) => !described.has(name))
  }

  /** Collections and folders without a path context, and path contexts of removed places. */
  check(signal?: AbortSignal): Promise<ContextsCheck> {
    return checkContexts(this.#store, signal)
  }

  /**
   * Imports a YAML configuration in the format of qmd. Relative roots start at `cwd`.
   *
   * @throws ContextError `invalid-input` and `over-limit`, before anything is changed; `cancelled`.
   */
  async importFrom(
    yaml: string,
    { cwd = this.#bases.cwd, signal }: { readonly cwd?: string; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ImportAnswer> {
    const { importConfiguration } = await import('./path-contexts/import.ts')
    return importConfiguration(this.#store, yaml, { ...this.#bases, cwd, signal })
  }

  /**
   * As `importFrom`, from a file. Relative roots start at its directory.
   *
   * @throws ContextError also `not-found`, `denied` and `unavailable` for a file that cannot be read.
   */
  async importFile(path: string, signal?: AbortSignal): Promise<ImportAnswer> {
    const { readConfigurationFile } = await import('./path-contexts/import.ts')
    const { text, directory } = readConfigurationFile(path, this.#bases)
    return this.importFrom(text, { cwd: directory, signal })
  }

  /** All collections and contexts as a YAML configuration for `importFrom`. */
  async exportTo(): Promise<string> {
    const { writeConfiguration } = await import('./path-contexts/import.ts')
    return writeConfiguration(await this.#store.collections.list(), await this.list())
  }
}

/** Validates a place, because a caller in JavaScript may pass values of other types. */
function assertPlace(collection: unknown, pathPrefix: unknown): Exclude<ContextPlace, string> {
  const isName = collection === null || typeof collection === 'string'
  if (isName && typeof pathPrefix === 'string') return { collection, pathPrefix }
  const hint = 'Give a place and a text, or a collection (null for everything), a path prefix and a text.'
  throw invalidInput('That is not a place.', hint)
}

/** @throws ContextError `invalid-input` */
function toCheckedKey({ collection, pathPrefix }: Exclude<ContextPlace, string>): PlaceKey {
  const key = toPlaceKey(collection ?? '', pathPrefix)
  if (collection === '' || (collection === null && key.pathPrefix !== '/')) {
    const hint = 'Only / stands for everything; a path needs its collection.'
    throw invalidInput(`${key.pathPrefix} is in no collection.`, hint)
  }
  return key
}

function placeLabel({ collection, pathPrefix }: PlaceKey): string {
  return placeArgument(collection || null, pathPrefix)
}
