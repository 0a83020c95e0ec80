/** Checks path contexts (notes on places). */

import { throwIfAborted } from '../../core/errors.ts'
import type { Collection, PathContext, Store } from '../../stores/store.ts'
import { byCodeUnit, normalPath, parentOf, placePath } from '../../text/paths.ts'
import { placeArgument, quoteShell } from '../../text/shell-quote.ts'
import type { ContextsCheck } from '../answers.ts'

/**
 * Finds collections and top-level folders without a path context (`collections` and `paths`, sorted), and contexts of
 * removed places (`stale`, those of unknown collections first). A collection that was never indexed has no stale
 * contexts, because its paths are unknown.
 */
export async function checkContexts(store: Store, signal?: AbortSignal): Promise<ContextsCheck> {
  const contexts = Map.groupBy(await store.contexts.list(), ({ collection }) => collection ?? '')
  const collections = (await store.collections.list()).toSorted((a, b) => byCodeUnit(a.name, b.name))
  const names = new Set(collections.map(({ name }) => name))
  const check = { collections: [], paths: [], stale: [] } as {
    [Name in keyof ContextsCheck]: ContextsCheck[Name][number][]
  }
  for (const [name, contextsOfCollection] of contexts)
    if (name !== '' && !names.has(name)) check.stale.push(...contextsOfCollection.map(toStaleEntry))
  for (const collection of collections) {
    throwIfAborted(signal)
    const contextsOfCollection = contexts.get(collection.name) ?? []
    const documents = await documentPaths(store, collection)
    const { name } = collection
    if (contextsOfCollection.length === 0)
      check.collections.push({ name, documents: documents.length, suggestion: suggestCommand(name, '/') })
    check.paths.push(...foldersWithoutContext(name, documents, contextsOfCollection))
    if (isIndexed(collection)) check.stale.push(...staleContexts(documents, contextsOfCollection).map(toStaleEntry))
  }
  return check
}

function toStaleEntry({ collection, pathPrefix, context }: PathContext) {
  return { collection, pathPrefix, context }
}

export function unindexedNotice(name: string): string {
  return `"${name}" is not indexed yet: run "ambit index ${quoteShell(name)}".`
}

export function isIndexed({ documents, indexedAt }: Collection): boolean {
  return documents > 0 || indexedAt !== undefined
}

/** The normal paths of a collection's documents. */
export async function documentPaths(store: Store, { name }: Pick<Collection, 'name'>): Promise<string[]> {
  return (await store.documents.known(name)).flatMap(({ path }) => normalPath(path) ?? [])
}

function suggestCommand(collection: string, pathPrefix: string): string {
  return `ambit context add ${quoteShell(placeArgument(collection, pathPrefix))} 'What it is for'`
}

function foldersWithoutContext(collection: string, documents: readonly string[], contexts: readonly PathContext[]) {
  const described = new Set(contexts.map(({ pathPrefix }) => pathPrefix.split('/')[1] ?? ''))
  const nestedPaths = documents.filter((path) => path.includes('/', 1))
  return [...Map.groupBy(nestedPaths, (path) => path.slice(1, path.indexOf('/', 1)))]
    .filter(([folder]) => !described.has(folder) && 'path' in placePath(folder))
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([folder, { length: count }]) => {
      return { collection, path: folder, documents: count, suggestion: suggestCommand(collection, `/${folder}`) }
    })
}

function staleContexts(documents: readonly string[], contexts: readonly PathContext[]): PathContext[] {
  const places = documentsAndFolders(documents)
  return contexts.filter(({ pathPrefix }) => pathPrefix !== '/' && !places.has(pathPrefix))
}

/** Paths of all documents and of the folders above them, without the root. */
function documentsAndFolders(documents: readonly string[]): Set<string> {
  const places = new Set<string>()
  for (const path of documents) {
    // If a folder is in the set, all folders above it are, too.
    for (let place = path; place !== '/' && !places.has(place); place = parentOf(place)) places.add(place)
  }
  return places
}
