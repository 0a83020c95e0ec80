/** Places in collections, buckets and packages, and the notices about a place. */

import type { Library } from '../collections/library.ts'
import type { RegistryRoots, RegistryScope } from '../quilt/registries.ts'
import { oneLine } from '../text/controls.ts'
import { listFirst } from '../text/counts.ts'
import { neutralise } from '../text/invisible.ts'
import { shortenPath } from '../text/paths.ts'
import type { LoadAnswer } from './answers.ts'
import type { PlaceCaches } from './catalog/context.ts'

/** Returns a function that opens places in collections, buckets and packages. All opened places share one cache in memory. */
export function createPlaceOpener({ library, ...roots }: RegistryRoots & { library(): Promise<Library> }) {
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

/** Maximum number of warnings among the notices. */
const MAX_WARNINGS = 20

/** Maximum number of touched paths that a notice names. */
const MAX_TOUCHED = 5

/** Notices about a request: which of two places was chosen, and touched paths that do not exist. */
export function requestNotices({ choice, missingTouched = [] }: Pick<LoadAnswer, 'choice' | 'missingTouched'>) {
  const names = missingTouched.map((path) => oneLine(neutralise(shortenPath(path)).text))
  const missing = `There is no ${listFirst(names, MAX_TOUCHED)}: the answer is as for a new file.`
  return [...(choice === undefined ? [] : [choice]), ...(names.length > 0 ? [missing] : [])]
}

/** The notices about a request and its budget; for a place that is not on disk, also warnings about its files. */
export function placeNotices(answer: Pick<LoadAnswer, 'choice' | 'place' | 'warnings' | 'missingTouched'>) {
  const { place, warnings } = answer
  const chosen = requestNotices(answer)
  if (place.startsWith('/'))
    return [...chosen, ...warnings.flatMap(({ path, message }) => (path === place ? [message] : []))]
  const shown = warnings.slice(0, MAX_WARNINGS).map(({ path, message }) => `${path}: ${message}`)
  const hiddenCount = warnings.length - shown.length
  return [...chosen, ...shown, ...(hiddenCount > 0 ? [`… and ${hiddenCount} more: "ambit explain" shows them.`] : [])]
}
