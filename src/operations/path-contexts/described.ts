import { oneLine } from '../../text/controls.ts'

/** How a place is written that something is said of. */
export const PLACE = 'COLLECTION, COLLECTION/PATH, ambit://COLLECTION/PATH, a path on disk in one, or / for everything'

/** A place in a sentence: `docs/api`, `docs`, or `everything`. */
export function placeName(collection: string | null, pathPrefix: string): string {
  if (collection === null) return 'everything'
  return oneLine(pathPrefix === '/' ? collection : `${collection}${pathPrefix}`)
}

/** A text within a line. */
export function inline(text: string): string {
  return oneLine(text.replace(/\s+/g, ' '))
}
