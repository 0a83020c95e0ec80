import type { JsonSchema } from '../../core/operation.ts'
import { oneLine } from '../../text/controls.ts'
import { text } from '../schema.ts'

/** A collection's name; null for what holds everywhere. */
export const collection: JsonSchema = { type: ['string', 'null'], description: 'null where it applies to everything' }

/** How a place is written that something is said of. */
export const PLACE = 'COLLECTION, COLLECTION/PATH, ambit://COLLECTION/PATH, a path on disk in one, or / for everything'

/** What a context is as a program sees it. */
export const context = {
  collection,
  pathPrefix: text,
  context: text,
  createdAt: { type: 'string', description: 'ISO 8601, UTC' },
  updatedAt: { type: 'string', description: 'ISO 8601, UTC' },
} as const

/** A place in a sentence: `docs/api`, `docs`, or `everything`. */
export function placeName(collection: string | null, pathPrefix: string): string {
  if (collection === null) return 'everything'
  return oneLine(pathPrefix === '/' ? collection : `${collection}${pathPrefix}`)
}

/** A text within a line. */
export function inline(text: string): string {
  return oneLine(text.replace(/\s+/g, ' '))
}
