import type { Engine } from '../../../engine/engine.ts'
import type { ServedRoots } from '../../../files/roots.ts'
import { withoutPaths } from './hidden-paths.ts'
import { baseOfRoots, isLikeDisk, isUri, pathInRoots, placeInRoots, toCollectionUri } from './served-path.ts'

/**
 * An engine that knows no place outside of the roots: for what stands at a place, and does not only ask for one. Credentials
 * would open more than what was made a collection, and so open nothing else.
 */
export function confineEngine(engine: Engine, roots: ServedRoots): Engine {
  /** Where no directory is served, who stands nowhere in particular stands in the first collection. */
  const outsideDisk = async (place: string) => {
    const [first] = place === '.' ? await (await engine.library()).collections.list() : []
    return first || !isLikeDisk(place) ? toCollectionUri(first?.name ?? place) : undefined
  }
  const placeOf = async (place = '.') => {
    if (isUri(place)) return place
    const elsewhere = roots.real.length === 0 ? await outsideDisk(place) : undefined
    return elsewhere ?? placeInRoots(place, pathInRoots(place, baseOfRoots(roots), roots))
  }
  return {
    ...engine,
    research: async () => (await engine.research()).within(roots),
    packages: () => engine.packages('collections'),
    looking: () => engine.looking('collections'),
    load: (request, run) =>
      withoutPaths(roots, async () =>
        engine.load({ ...request, place: await placeOf(request.place) }, run, 'collections'),
      ),
    explain: (request, run) =>
      withoutPaths(roots, async () =>
        engine.explain({ ...request, place: await placeOf(request.place) }, run, 'collections'),
      ),
    task: (request, run) => engine.task(request, run, roots.real),
    isOnDisk: (place) => withoutPaths(roots, async () => engine.isOnDisk(await placeOf(place))),
  }
}
