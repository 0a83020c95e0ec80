/** Places in collections, buckets and packages, and the notices about a place. */

import type { Library } from '../collections/library.ts'
import type { RegistryRoots, RegistryScope } from '../quilt/registries.ts'
import type { LoadAnswer } from './answers.ts'
import type { PlaceCaches } from './catalog/context.ts'

/** A function that opens the places in collections, buckets and packages. All that it opens share one cache in memory. */
export function placesOver({ library, ...roots }: RegistryRoots & { library(): Promise<Library> }) {
  let caches: PlaceCaches | undefined
  return async (within: RegistryScope = 'anywhere') => {
    const { PlaceCaches, PlaceContexts } = await import('./catalog/context.ts')
    caches ??= new PlaceCaches()
    const contexts = async () => (await library()).contexts.resolver()
    const isDocument = async (collection: string, path: string) =>
      (await (await library()).port.documents.find(collection, path)) !== undefined
    return new PlaceContexts({ ...roots, contexts, isDocument }, caches, within)
  }
}

/** Maximum number of shown warnings. */
const MAX_WARNINGS = 20

/** Notices about a place: which of two places was chosen, and whether the budget is too small; off disk also files that could not be read completely. */
export function placeNotices({ choice, place, warnings }: Pick<LoadAnswer, 'choice' | 'place' | 'warnings'>): string[] {
  const chosen = choice === undefined ? [] : [choice]
  if (place.startsWith('/'))
    return [...chosen, ...warnings.flatMap(({ path, message }) => (path === place ? [message] : []))]
  const shown = warnings.slice(0, MAX_WARNINGS).map(({ path, message }) => `${path}: ${message}`)
  const more = warnings.length - shown.length
  return [...chosen, ...shown, ...(more > 0 ? [`… and ${more} more, as "ambit explain" tells.`] : [])]
}
