/** The conditions of a filter that are evaluated in the program. */

import { globs } from '../../text/globs.ts'
import { foldedPath } from '../../text/paths.ts'
import type { DocumentFilter } from '../document-store.ts'

/** Whether the filter accepts all documents of collections that are not paused. */
export function isOpen({ after, where, ...rest }: DocumentFilter): boolean {
  const lists = [rest.collections, rest.paths, rest.pathParts, rest.withoutPathParts, rest.types]
  return lists.every((list) => !list?.length) && after === undefined && Object.keys(where ?? {}).length === 0
}

/** `part` is folded. It may begin with the name of the collection, or be that name. */
export function pathHolds(name: string, path: string, part: string): boolean {
  const [folded, own] = [foldedPath(path), foldedPath(name)]
  return folded.includes(part) || part === own || (part.startsWith(`${own}/`) && `${own}/${folded}`.startsWith(part))
}

/** Whether the front matter has this value: of a key, as an entry of a list, or nested, as in `author.name`. */
export function says(metadata: string, key: string, wanted: string): boolean {
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

/** Lists and maps are stored as JSON, other values as text. */
function parsedOr(text: string): unknown {
  if (!/^[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A pattern without a slash matches names at any depth: `*.md`. */
export function matcher(list: readonly string[]): (path: string) => boolean {
  return globs(list.map((pattern) => (pattern.includes('/') ? pattern : `**/${pattern}`))).matches
}
