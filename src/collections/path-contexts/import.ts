/** Imports collections and path contexts (notes on places) from a YAML configuration. */

import { resolve } from 'node:path'
import { ContextError, isNotFound, throwIfAborted } from '../../core/errors.ts'
import { bucketRoot, isBucketRoot } from '../../files/bucket-root.ts'
import { realOf } from '../../files/file-version.ts'
import { rootPath } from '../../files/root-path.ts'
import { assertInBounds } from '../../files/roots.ts'
import type { Collection, NewCollection, PathContext, PlaceKey, Store } from '../../stores/store.ts'
import { placePath } from '../../text/paths.ts'
import { placeArgument } from '../../text/shell-quote.ts'
import type { ImportAnswer } from '../answers.ts'
import { isCollectionName } from '../library/address.ts'
import { assertNoSecrets, type BucketAccess, catchProblem, rootAccess } from '../library/collection-root.ts'
import { type Configuration, readConfiguration } from './configuration.ts'
import { EVERYWHERE, expandHome, type PathBases } from './place.ts'
import { normaliseContextText } from './resolver.ts'

export { readConfigurationFile, writeConfiguration } from './configuration.ts'

type Item = ImportAnswer['added'][number]

/**
 * Adds missing collections, and sets path contexts. Skips, with the reason, collections that exist with another root,
 * and invalid paths and texts. Plans all changes before the first write.
 *
 * @throws ContextError `invalid-input` and `over-limit`, before anything is changed; `cancelled`.
 */
export async function importConfiguration(
  store: Store,
  yaml: string,
  from: PathBases & { readonly signal?: AbortSignal | undefined },
): Promise<ImportAnswer> {
  const existing = { collections: await store.collections.list(), contexts: await store.contexts.list() }
  const plan = planImport(readConfiguration(yaml), existing, from)
  throwIfAborted(from.signal)
  for (const { isPaused, ...collection } of plan.collections) {
    await store.collections.add(collection)
    if (isPaused) await store.collections.update(collection.name, { isPaused })
  }
  for (const [key, text] of plan.contexts) await store.contexts.set(key, text)
  return plan.answer
}

/** A place as one text for keys of maps. Equal only for equal places, because path prefixes do not contain NUL. */
function placeId({ collection, pathPrefix }: PlaceKey): string {
  return `${pathPrefix}\0${collection}`
}

interface ExistingEntries {
  readonly collections: readonly Collection[]
  readonly contexts: readonly PathContext[]
}

function planImport({ global, collections, unknownSettings }: Configuration, stored: ExistingEntries, from: PathBases) {
  const answer = { added: [] as Item[], updated: [] as Item[], unchanged: [] as Item[], skipped: [] as Item[] }
  const newCollections: (NewCollection & { readonly isPaused: boolean })[] = []
  const contexts: (readonly [PlaceKey, string])[] = []
  const knownTexts = new Map(
    stored.contexts.map(({ collection, pathPrefix, context }) => {
      return [placeId({ collection: collection ?? '', pathPrefix }), context]
    }),
  )
  /** Places that the file already named. */
  const plannedPlaces = new Set<string>()
  const planContext = (key: PlaceKey, text: string) => {
    const id = placeId(key)
    const item = { kind: 'context', name: placeArgument(key.collection || null, key.pathPrefix) } as const
    const validated = plannedPlaces.has(id)
      ? { problem: 'An earlier entry of the file has another text for this place.' }
      : catchProblem(() => ({ text: normaliseContextText(text) }))
    plannedPlaces.add(id)
    if ('problem' in validated) answer.skipped.push({ ...item, why: validated.problem })
    else if (validated.text === knownTexts.get(id)) answer.unchanged.push(item)
    else {
      contexts.push([key, validated.text])
      answer[knownTexts.has(id) ? 'updated' : 'added'].push(item)
    }
  }
  for (const name of unknownSettings) answer.skipped.push({ kind: 'setting', name, why: 'This setting is unknown.' })
  if (global !== undefined) planContext(EVERYWHERE, global)
  for (const { path, access: bucketSettings, contexts: contextTexts, ...settings } of collections) {
    const { name } = settings
    const item = { kind: 'collection', name } as const
    const existing = stored.collections.find((collection) => collection.name === name)
    const resolved = isCollectionName(name)
      ? catchProblem(() => resolveRoot(path, bucketSettings, from))
      : { problem: 'That is not the name of a collection.' }
    const why = 'problem' in resolved ? resolved.problem : existing && rootConflict(existing, resolved.root)
    if (why !== undefined) answer.skipped.push({ ...item, why })
    else if (existing) answer.unchanged.push(item)
    else if ('root' in resolved) {
      const { root, access, note } = resolved
      newCollections.push({ ...settings, root, ...(access && { access }) })
      answer.added.push({ ...item, ...(note !== undefined && { why: note }) })
    }
    for (const [place, text] of contextTexts) {
      const normalised = why === undefined ? placePath(place) : { problem: 'Its collection is skipped.' }
      if ('path' in normalised) planContext({ collection: name, pathPrefix: normalised.path }, text)
      else {
        const shown = `${name}/${why === undefined ? place : place.replace(/^\/+/, '')}`
        answer.skipped.push({ kind: 'context', name: shown, why: normalised.problem })
      }
    }
  }
  return { collections: newCollections, contexts, answer }
}

/** The root of a collection, which need not exist yet. @throws ContextError for directories of the system and of secrets. */
function resolveRoot(path: string, settings: BucketAccess, { cwd, home }: PathBases) {
  if (path.trim() === '') throw new ContextError('invalid-input', 'It has no path.')
  if (isBucketRoot(path)) return { root: bucketRoot(path).uri, access: rootAccess(path, settings) }
  const root = resolve(cwd, expandHome(path, home))
  assertInBounds(root)
  assertNoSecrets(root)
  const access = rootAccess(root, settings)
  try {
    return { root: rootPath(root, false).path, access }
  } catch (error) {
    if (!isNotFound(error)) throw error
    return { root, access: undefined, note: `${root} does not exist yet.` }
  }
}

function rootConflict(known: Collection, root: string): string | undefined {
  if (known.root === root || realOf(known.root) === realOf(root)) return undefined
  return `A collection of that name already exists, with another root: ${known.root}.`
}
