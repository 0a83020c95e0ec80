import type { Library } from '../collections/library.ts'
import type { RegistryRoots, Within } from '../quilt/registries.ts'
import type { PlaceCaches } from './catalog/context.ts'

export { placeNotices, withChoice } from './catalog/choice.ts'

/** What is known of places in buckets, and what was read of them, which is kept. */
export function placesOver({ library, ...roots }: RegistryRoots & { library(): Promise<Library> }) {
  let caches: PlaceCaches | undefined
  return async (within: Within = 'anywhere') => {
    const { PlaceCaches, PlaceContexts } = await import('./catalog/context.ts')
    caches ??= new PlaceCaches()
    const contexts = async () => (await library()).contexts.resolver()
    const isDocument = async (collection: string, path: string) =>
      (await (await library()).port.documents.find(collection, path)) !== undefined
    return new PlaceContexts({ ...roots, contexts, isDocument }, caches, within)
  }
}
