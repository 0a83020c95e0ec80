import type { ContextStore, PathContext } from '../store.ts'
import { idOf } from './collections.ts'
import type { Sql } from './sql.ts'

interface Row {
  readonly collection: string
  readonly path_prefix: string
  readonly context: string
  readonly created_at: string
  readonly updated_at: string
}

const SET = `
  INSERT INTO path_contexts (collection, path_prefix, context, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (collection, path_prefix) DO UPDATE SET context = excluded.context, updated_at = excluded.updated_at`

const COUNT = "SELECT count FROM changes WHERE what = 'contexts'"

export function sqliteContexts(sql: Sql): ContextStore {
  return {
    version: async () => sql.get<{ count: number }>(COUNT)?.count ?? 0,
    set: async ({ collection, pathPrefix }, context) =>
      sql.write(() => {
        if (collection !== '') idOf(sql, collection)
        const now = new Date().toISOString()
        sql.run(SET, collection, pathPrefix, context, now, now)
      }),
    list: async () => sql.all<Row>('SELECT * FROM path_contexts ORDER BY collection, path_prefix').map(contextOf),
    remove: async ({ collection, pathPrefix }) =>
      sql.write(
        () => sql.run('DELETE FROM path_contexts WHERE collection = ? AND path_prefix = ?', collection, pathPrefix) > 0,
      ),
  }
}

function contextOf({ collection, path_prefix, context, created_at, updated_at }: Row): PathContext {
  return {
    collection: collection === '' ? null : collection,
    pathPrefix: path_prefix,
    context,
    createdAt: created_at,
    updatedAt: updated_at,
  }
}
