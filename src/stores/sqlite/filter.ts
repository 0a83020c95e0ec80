import type { DocumentFilter } from '../document-store.ts'
import { matcher, pathHolds, says } from '../matching.ts'
import { idOf } from './collections.ts'
import type { Sql } from './sql.ts'

/** A condition over `d` and `c`, documents and collections; all values are bound. @throws ContextError `not-found`. */
export function matchingClause(sql: Sql, filter: DocumentFilter): { clause: string; values: (string | number)[] } {
  const { collections = [], paths = [], pathParts = [], withoutPathParts = [], after, where = {} } = filter
  const ids = collections.map((name) => idOf(sql, name))
  const clauses: string[] = []
  const values: (string | number)[] = []
  const and = (clause: string, ...bound: (string | number)[]) => {
    clauses.push(clause)
    values.push(...bound)
  }
  if (ids.length === 0) and('c.paused = 0')
  else and(`d.collection_id IN (${ids.map(() => '?').join(', ')})`, ...ids)
  // As hits are shown, with the name of their collection, and as it is within that.
  if (paths.length > 0) {
    const globs = JSON.stringify(paths)
    and("(matches(d.path, ?) OR matches(c.name || '/' || d.path, ?))", globs, globs)
  }
  for (const part of pathParts) and('path_holds(c.name, d.path, ?)', part)
  for (const part of withoutPathParts) and('NOT path_holds(c.name, d.path, ?)', part)
  if (after !== undefined) and('d.modified_at >= ?', after)
  for (const [key, value] of Object.entries(where)) and('says(d.metadata, ?, ?)', key, value)
  return { clause: clauses.join(' AND '), values }
}

/** Gives the connection the functions that the conditions call. */
export function defineFunctions(sql: Sql): void {
  let last: { readonly patterns: string; readonly matches: (path: string) => boolean } | undefined
  sql.define('matches', (path, patterns) => {
    if (last?.patterns !== patterns)
      last = { patterns: String(patterns), matches: matcher(JSON.parse(String(patterns))) }
    return last.matches(String(path)) ? 1 : 0
  })
  sql.define('path_holds', (name, path, part) => (pathHolds(String(name), String(path), String(part)) ? 1 : 0))
  sql.define('says', (metadata, key, wanted) => (says(String(metadata), String(key), String(wanted)) ? 1 : 0))
}
