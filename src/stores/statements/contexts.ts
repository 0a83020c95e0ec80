import type { PathContext, PlaceKey } from '../library.ts'
import { requireCollection } from './collections.ts'
import { type Database, execute, queryColumn, queryRows } from './statement.ts'

const VERSION = "SELECT count FROM ambit.changes WHERE what = 'contexts'"

const SET = `
  INSERT INTO ambit.path_contexts (collection, path_prefix, context, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (collection, path_prefix) DO UPDATE SET context = excluded.context, updated_at = excluded.updated_at`

const LIST = `
  SELECT nullif(collection, '') AS collection, path_prefix AS "pathPrefix", context, created_at AS "createdAt",
    updated_at AS "updatedAt"
  FROM ambit.path_contexts ORDER BY path_contexts.collection, path_prefix`

const REMOVE = 'DELETE FROM ambit.path_contexts WHERE collection = ? AND path_prefix = ?'

/** Stores path contexts. Writes are of the part `library`, like the removal of a collection with its path contexts. */
export function createContextStore(database: Database) {
  return {
    /** A number that changes with every change by any process. */
    version: () => database.read(queryColumn<number>(VERSION), ([count = 0]) => count),
    /** Adds or replaces a path context. @throws ContextError `not-found` for an unknown collection. */
    set: ({ collection, pathPrefix }: PlaceKey, context: string): Promise<void> =>
      database.write('library', function* () {
        if (collection !== '') yield* requireCollection(collection)
        const now = new Date().toISOString()
        yield* execute(SET, collection, pathPrefix, context, now, now)
      }),
    /** All path contexts: first the context for everything, then by collection and path. */
    list: () => database.read(queryRows<PathContext>(LIST)),
    /** Returns whether the path context existed. */
    remove: async ({ collection, pathPrefix }: PlaceKey) =>
      (await database.write('library', () => execute(REMOVE, collection, pathPrefix))) > 0,
  }
}
