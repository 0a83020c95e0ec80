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
  sql.define('path_holds', (name, path, part) => (pathHolds(String(name), String(path), String(part)) ? 1 : 0))
  sql.define('says', (metadata, key, wanted) => (says(String(metadata), String(key), String(wanted)) ? 1 : 0))
}

/** `part` is folded. It may begin with the name of the collection, or be that, as hits are shown. */
function pathHolds(name: string, path: string, part: string): boolean {
  const [folded, own] = [foldedPath(path), foldedPath(name)]
  return folded.includes(part) || part === own || (part.startsWith(`${own}/`) && `${own}/${folded}`.startsWith(part))
}

/** Whether the front matter says so: the value of a key, an entry of a list, or what stands below, as in `author.name`. */
function says(metadata: string, key: string, wanted: string): boolean {
  const values: unknown = JSON.parse(metadata)
  const entry = Object.entries(values ?? {}).find(([name]) => name === key)
  if (entry) return entry[1] === wanted || holds(parsedOr(String(entry[1])), wanted)
  const [first = '', ...below] = key.split('.')
  const whole = Object.entries(values ?? {}).find(([name]) => name === first)
  if (!whole || below.length === 0) return false
  const value = below.reduce<unknown>(
    (one, name) =>
      typeof one === 'object' && one !== null && Object.hasOwn(one, name) ? Reflect.get(one, name) : undefined,
    parsedOr(String(whole[1])),
  )
  return value !== undefined && holds(value, wanted)
}

function holds(value: unknown, wanted: string): boolean {
  if (Array.isArray(value)) return value.some((one) => holds(one, wanted))
  return typeof value !== 'object' && String(value).toLowerCase() === wanted.toLowerCase()
}

/** Lists and maps are kept as JSON; any other value is the text that it is. */
function parsedOr(text: string): unknown {
  if (!/^[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A pattern without a slash is one of names, as people write it: `*.md` at any depth. */
function matcher(patterns: string): (path: string) => boolean {
  const list: string[] = JSON.parse(patterns)
  return globs(list.map((pattern) => (pattern.includes('/') ? pattern : `**/${pattern}`))).matches
}
