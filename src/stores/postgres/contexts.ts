import type { ContextStore, PathContext } from '../store.ts'
import { idOf } from './collections.ts'
import type { Sql } from './sql.ts'

const SET = `
  INSERT INTO ambit.path_contexts (collection, path_prefix, context, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
  ON CONFLICT (collection, path_prefix) DO UPDATE SET context = excluded.context, updated_at = excluded.updated_at`

const LIST = `
  SELECT nullif(collection, '') AS collection, path_prefix AS "pathPrefix", context, created_at AS "createdAt",
    updated_at AS "updatedAt"
  FROM ambit.path_contexts ORDER BY path_contexts.collection, path_prefix`

const REMOVE = 'DELETE FROM ambit.path_contexts WHERE collection = $1 AND path_prefix = $2'

/** What is said of a collection goes with it: the two are changed one after the other. */
export function postgresContexts(sql: Sql): ContextStore {
  return {
    version: async () => {
      const [count = 0] = await sql.column<number>("SELECT count FROM ambit.changes WHERE what = 'contexts'")
      return count
    },
    set: ({ collection, pathPrefix }, context) =>
      sql.write('library', async (queries) => {
        if (collection !== '') await idOf(queries, collection)
        await queries.run(SET, collection, pathPrefix, context, new Date().toISOString())
      }),
    list: () => sql.all<PathContext>(LIST),
    remove: ({ collection, pathPrefix }) =>
      sql.write('library', async (queries) => (await queries.run(REMOVE, collection, pathPrefix)) > 0),
  }
}
