/** Finds the place of a path context (a note on a place) from the text that a person wrote. */

import { resolve } from 'node:path'
import { ContextError, invalidInput } from '../../core/errors.ts'
import { isBucketRoot } from '../../files/bucket-root.ts'
import { realOf, statOf } from '../../files/file-version.ts'
import type { PlaceKey } from '../../stores/store.ts'
import { oneLine } from '../../text/controls.ts'
import { byCodeUnit, decodeUri, isWithin, normalPath, placePath, relativeTo, shortenPath } from '../../text/paths.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import { type KnownCollection, unknownCollection } from '../../text/unknown-collection.ts'

/** The directories that relative paths and `~` refer to. */
export interface PathBases {
  /** Base of relative paths. */
  readonly cwd: string
  /** The directory that `~` refers to; undefined without a home directory. */
  readonly home: string | undefined
}

export interface PlaceSearch extends PathBases {
  readonly collections: readonly KnownCollection[]
  /** Whether a path may be missing on disk. */
  readonly mayBeGone: boolean
}

/** A place, and a notice for people if another place has the same name. */
export interface FoundPlace {
  readonly key: PlaceKey
  readonly notice?: string
}

/** The place that stands for everything. */
export const EVERYWHERE: PlaceKey = { collection: '', pathPrefix: '/' }

/**
 * Finds the place that a text names: `/`, `name`, `name/path`, `ambit://name/path` (also `qfs://`, `qmd://`) or a path
 * on disk. A bare `name/path` is read as a place in a collection, else as a path on disk.
 *
 * @throws ContextError `not-found` for an unknown collection, and for a path outside of all collections;
 * `invalid-input` for an invalid place.
 */
export function findPlace(place: string, search: PlaceSearch): FoundPlace {
  if (place.trim() === '') throw invalidInput('The place is empty.', 'Write / for everything, or COLLECTION/PATH.')
  if (/^\/+$/.test(place)) return { key: EVERYWHERE }
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(place) ?? []
  if (scheme !== undefined && rest !== undefined) return findInScheme(scheme, decodeUri(rest), search)
  if (/^[/.~]/.test(place)) return findOnDisk(place, search)
  const key = findInCollection(place, search.collections)
  return key ? { key, ...diskNotice(place, key, search) } : findBareOnDisk(place, search)
}

function findInScheme(scheme: string, rest: string, { collections }: PlaceSearch): FoundPlace {
  const name = rest.split('/')[0] ?? ''
  if (!/^(ambit|qfs|qmd)$/.test(scheme) || name === '') {
    const message = `${scheme}://${displayPath(rest)} is not a place in a collection.`
    throw invalidInput(message, 'Write ambit://COLLECTION/PATH.')
  }
  const key = findInCollection(rest, collections)
  if (!key) throw unknownCollection(name, collections)
  return { key }
}

/** The place in the collection with which the text begins; with several, in the collection with the longest name. */
function findInCollection(text: string, collections: readonly KnownCollection[]): PlaceKey | undefined {
  const normalised = normalizeSlashes(text)
  const matches = collections.filter(({ name }) => isWithin(normalizeSlashes(name), normalised))
  const [longest] = matches.sort((a, b) => b.name.length - a.name.length)
  return longest && toPlaceKey(longest.name, normalised.slice(normalizeSlashes(longest.name).length))
}

function normalizeSlashes(text: string): string {
  return text.normalize('NFC').replaceAll('\\', '/')
}

/** @throws ContextError `invalid-input` for an invalid path. */
export function toPlaceKey(collection: string, path: string): PlaceKey {
  const normal = placePath(path)
  if ('problem' in normal)
    throw invalidInput(normal.problem, 'Write it from the root of the collection, as in guides/api.')
  return { collection, pathPrefix: normal.path }
}

/** A notice if the text also names a place on disk. */
function diskNotice(place: string, key: PlaceKey, search: PlaceSearch): { readonly notice?: string } {
  const path = resolve(search.cwd, place)
  const onDisk = statOf(path) && placeAt(path, search.collections)
  if (!onDisk || (onDisk.collection === key.collection && normalPath(onDisk.path) === key.pathPrefix)) return {}
  const name = displayPath(place)
  return { notice: `"${name}" is taken for a place in the collection "${key.collection}"; on disk it is ./${name}.` }
}

function findBareOnDisk(place: string, search: PlaceSearch): FoundPlace {
  const path = resolve(search.cwd, place)
  const onDisk = statOf(path) || search.mayBeGone ? placeAt(path, search.collections) : undefined
  if (onDisk) return toFoundPlace(onDisk)
  throw unknownCollection(place.split(/[/\\]/)[0] ?? '', search.collections)
}

function findOnDisk(place: string, { cwd, home, collections, mayBeGone }: PlaceSearch): FoundPlace {
  const path = resolve(cwd, expandHome(place, home))
  const exists = statOf(path) !== undefined
  const onDisk = placeAt(path, collections)
  if (onDisk && (exists || mayBeGone)) return toFoundPlace(onDisk)
  if (!exists) {
    const name = onDisk?.collection ?? collections[0]?.name ?? 'COLLECTION'
    const hint = `A place in a collection is written ${name}/PATH; it need not exist.`
    throw new ContextError('not-found', `There is no ${displayPath(path)}.`, { hint })
  }
  const hint = `Add a collection that contains it: ambit collection add NAME ${quoteShell(path)}`
  throw new ContextError('not-found', `${displayPath(path)} is in no collection.`, { hint })
}

/**
 * Replaces `~` at the start of a path by the home directory. @throws ContextError `not-found` without a home
 * directory.
 */
export function expandHome(path: string, home: string | undefined): string {
  if (!/^~(\/|$)/.test(path)) return path
  if (home === undefined)
    throw new ContextError('not-found', 'There is no home directory.', { hint: 'Set HOME to an absolute path.' })
  return `${home}${path.slice(1)}`
}

interface DiskPlace {
  readonly collection: string
  /** Relative to the root of the collection. */
  readonly path: string
  readonly notice?: string
}

/** The innermost collection around an absolute path. Follows links in the path and in the roots. */
export function placeAt(path: string, collections: readonly KnownCollection[]): DiskPlace | undefined {
  const realPath = realOf(path)
  const enclosing = collections.flatMap(({ name, root }) => {
    const realRoot = root === undefined || isBucketRoot(root) ? undefined : realOf(root)
    return realRoot !== undefined && isWithin(realRoot, realPath) ? [{ name, realRoot }] : []
  })
  enclosing.sort((a, b) => b.realRoot.length - a.realRoot.length || byCodeUnit(a.name, b.name))
  const [innermost, next] = enclosing
  if (!innermost) return undefined
  const onDisk = { collection: innermost.name, path: relativeTo(innermost.realRoot, realPath) ?? '' }
  if (next?.realRoot !== innermost.realRoot) return onDisk
  const notice = `${displayPath(path)} is in "${innermost.name}" and in "${next.name}"; "${innermost.name}" is used.`
  return { ...onDisk, notice }
}

function toFoundPlace({ collection, path, notice }: DiskPlace): FoundPlace {
  return { key: toPlaceKey(collection, path), ...(notice !== undefined && { notice }) }
}

/** A path for a message: on one line, and shortened. */
function displayPath(text: string): string {
  return oneLine(shortenPath(text))
}
