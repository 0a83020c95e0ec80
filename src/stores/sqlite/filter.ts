import { globs } from '../../text/globs.ts'
import { foldedPath } from '../../text/paths.ts'
import type { DocumentFilter } from '../document-store.ts'
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
  if (paths.length > 0) and('matches(d.path, ?)', JSON.stringify(paths))
  for (const part of pathParts) and('instr(folded(d.path), ?) > 0', part)
  for (const part of withoutPathParts) and('instr(folded(d.path), ?) = 0', part)
  if (after !== undefined) and('d.modified_at >= ?', after)
  for (const [key, value] of Object.entries(where)) and('value_of(d.metadata, ?) = ?', key, value)
  return { clause: clauses.join(' AND '), values }
}

/** Whether the filter may let through what another does not: none but that of the paused. */
export function isOpen({ collections, paths, pathParts, withoutPathParts, after, where }: DocumentFilter): boolean {
  const lists = [collections, paths, pathParts, withoutPathParts]
  return lists.every((list) => !list?.length) && after === undefined && Object.keys(where ?? {}).length === 0
}

/** Gives the connection the functions that the conditions call. */
export function defineFunctions(sql: Sql): void {
  let last: { readonly patterns: string; readonly matches: (path: string) => boolean } | undefined
  sql.define('matches', (path, patterns) => {
    if (last?.patterns !== patterns) last = { patterns: String(patterns), matches: matcher(String(patterns)) }
    return last.matches(String(path)) ? 1 : 0
  })
  sql.define('folded', (path) => foldedPath(String(path)))
  sql.define('value_of', (metadata, key) => {
    const value: unknown = JSON.parse(String(metadata))
    const entry = Object.entries(value ?? {}).find(([name]) => name === key)
    return entry ? String(entry[1]) : null
  })
}

/** A pattern without a slash is one of names, as people write it: `*.md` at any depth. */
function matcher(patterns: string): (path: string) => boolean {
  const list: string[] = JSON.parse(patterns)
  return globs(list.map((pattern) => (pattern.includes('/') ? pattern : `**/${pattern}`))).matches
}
