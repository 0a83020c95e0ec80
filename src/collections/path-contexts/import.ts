/** Takes over the collections and contexts of a configuration. */

import { resolve } from 'node:path'
import { ContextError, throwIfAborted } from '../../core/errors.ts'
import { bucketRoot, isBucketRoot, type RootAccess } from '../../files/bucket-root.ts'
import { realOf } from '../../files/file-version.ts'
import { rootPath } from '../../files/root-path.ts'
import { assertInBounds } from '../../files/roots.ts'
import type { Collection, NewCollection, PlaceKey, Store } from '../../stores/store.ts'
import { placePath } from '../../text/paths.ts'
import { placeArgument } from '../../text/shell-quote.ts'
import type { ImportAnswer } from '../answers.ts'
import { isCollectionName } from '../library/address.ts'
import { assertNoSecrets, rootAccess } from '../library/collection-root.ts'
import { type Configuration, type ConfiguredCollection, readConfiguration } from './configuration.ts'
import { EVERYWHERE, type Standpoint, withHome } from './place.ts'
import { saidText } from './resolver.ts'

export { readConfigurationFile, writeConfiguration } from './configuration.ts'

interface Said {
  readonly key: PlaceKey
  readonly text: string
}

/** What an import will do: all of it is decided before anything is written. */
interface Plan {
  readonly collections: (NewCollection & { readonly isPaused: boolean })[]
  readonly contexts: Said[]
  /** Places that the file has spoken of. */
  readonly places: Set<string>
  readonly answer: { readonly [Outcome in keyof ImportAnswer]: ImportAnswer['added'][number][] }
}

/** The state before the import. */
interface Present {
  readonly collections: ReadonlyMap<string, Collection>
  /** By place. */
  readonly texts: ReadonlyMap<string, string>
}

/**
 * Adds the collections that are not there, and sets the contexts. A collection that is there with another root, a path or
 * text that cannot be taken: these are skipped, with the reason.
 *
 * @throws ContextError `invalid-input`, `over-limit`: nothing was changed then; `cancelled`.
 */
export async function importConfiguration(
  store: Store,
  yaml: string,
  from: Standpoint & { readonly signal?: AbortSignal | undefined },
): Promise<ImportAnswer> {
  const plan = planOf(readConfiguration(yaml), await presentIn(store), from)
  throwIfAborted(from.signal)
  for (const { isPaused, ...collection } of plan.collections) {
    await store.collections.add(collection)
    if (isPaused) await store.collections.update(collection.name, { isPaused })
  }
  for (const { key, text } of plan.contexts) await store.contexts.set(key, text)
  return plan.answer
}

async function presentIn(store: Store): Promise<Present> {
  const collections = await store.collections.list()
  const contexts = await store.contexts.list()
  return {
    collections: new Map(collections.map((each) => [each.name, each])),
    texts: new Map(
      contexts.map(({ collection, pathPrefix, context }) => [
        placeId({ collection: collection ?? '', pathPrefix }),
        context,
      ]),
    ),
  }
}

/** A prefix holds no NUL. */
function placeId({ collection, pathPrefix }: PlaceKey): string {
  return `${pathPrefix}\0${collection}`
}

function planOf({ global, collections, unknown }: Configuration, present: Present, from: Standpoint): Plan {
  const answer = { added: [], updated: [], unchanged: [], skipped: [] }
  const plan: Plan = { collections: [], contexts: [], places: new Set(), answer }
  for (const name of unknown) skip(plan, { kind: 'setting', name, why: 'It means nothing here.' })
  if (global !== undefined) planContext(plan, { key: EVERYWHERE, text: global }, present)
  for (const each of collections) {
    if (planCollection(plan, each, present, from)) planContexts(plan, each, present)
    else planNone(plan, each)
  }
  return plan
}

function skip(plan: Plan, item: ImportAnswer['added'][number]): void {
  plan.answer.skipped.push(item)
}

/** Returns whether the collection will be there, with this root. */
function planCollection(plan: Plan, wanted: ConfiguredCollection, present: Present, from: Standpoint): boolean {
  const { name, patterns, exclude, isPaused, hasSubstrings } = wanted
  const item = { kind: 'collection', name } as const
  const known = present.collections.get(name)
  const found = nameProblem(name) ?? rootOf(wanted, from)
  const why = 'problem' in found ? found.problem : known && conflictOf(known, found.root)
  if (why !== undefined) skip(plan, { ...item, why })
  else if (known) plan.answer.unchanged.push(item)
  else if ('root' in found) {
    const { root, access } = found
    plan.collections.push({ name, root, patterns, exclude, isPaused, hasSubstrings, ...(access && { access }) })
    plan.answer.added.push({ ...item, ...(found.note !== undefined && { why: found.note }) })
  }
  return why === undefined
}

function nameProblem(name: string): { readonly problem: string } | undefined {
  return isCollectionName(name) ? undefined : { problem: 'That is not the name of a collection.' }
}

type Root =
  | { readonly root: string; readonly note?: string; readonly access?: RootAccess | undefined }
  | { readonly problem: string }

/** The directory need not be there yet; one of the system, or of secrets, is refused. */
function rootOf({ path, access }: ConfiguredCollection, { cwd, home }: Standpoint): Root {
  if (path.trim() === '') return { problem: 'It has no path.' }
  try {
    if (isBucketRoot(path)) return { root: bucketRoot(path).uri, access: rootAccess(path, access) }
    const root = resolve(cwd, withHome(path, home))
    assertInBounds(root)
    assertNoSecrets(root)
    const reached = rootAccess(root, access)
    return rootAt(root, reached) ?? { root, note: `${root} is not there, or not yet.` }
  } catch (error) {
    if (error instanceof ContextError) return { problem: error.message }
    throw error
  }
}

/** Undefined for what is not there. @throws ContextError for what can be no root. */
function rootAt(path: string, access: RootAccess | undefined): Root | undefined {
  try {
    return { root: rootPath(path, false).path, access }
  } catch (error) {
    if (error instanceof ContextError && error.code === 'not-found') return undefined
    throw error
  }
}

function conflictOf(known: Collection, root: string): string | undefined {
  if (known.root === root || realOf(known.root) === realOf(root)) return undefined
  return `There is one of that name already, with another root: ${known.root}.`
}

function planContexts(plan: Plan, { name, contexts }: ConfiguredCollection, present: Present): void {
  for (const [path, text] of contexts) {
    const normal = placePath(path)
    if ('path' in normal) planContext(plan, { key: { collection: name, pathPrefix: normal.path }, text }, present)
    else skip(plan, { kind: 'context', name: `${name}/${path}`, why: normal.problem })
  }
}

function planContext(plan: Plan, { key, text }: Said, { texts }: Present): void {
  const { answer, contexts, places } = plan
  const id = placeId(key)
  const item = { kind: 'context', name: placeArgument(key.collection || null, key.pathPrefix) } as const
  const said = places.has(id)
    ? { problem: 'An earlier entry of the file has another text for this place.' }
    : checkContextText(text)
  const before = texts.get(id)
  if ('problem' in said) skip(plan, { ...item, why: said.problem })
  else if (said.text === before) answer.unchanged.push(item)
  else {
    contexts.push({ key, text: said.text })
    ;(before === undefined ? answer.added : answer.updated).push(item)
  }
  places.add(id)
}

function checkContextText(text: string): { readonly text: string } | { readonly problem: string } {
  try {
    return { text: saidText(text) }
  } catch (error) {
    if (error instanceof ContextError) return { problem: error.message }
    throw error
  }
}

/** Contexts of a skipped collection are skipped, too. */
function planNone(plan: Plan, { name, contexts }: ConfiguredCollection): void {
  for (const [path] of contexts) {
    skip(plan, { kind: 'context', name: `${name}/${path.replace(/^\/+/, '')}`, why: 'Its collection is skipped.' })
  }
}
