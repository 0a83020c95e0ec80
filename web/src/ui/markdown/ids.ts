/** Ids of elements in a file, separate from those of the page. */

import { decodePart } from '../../api/place.ts'

/** Prefix of the ids of a file's headings. */
export const TEXT = 'text-'

/** Finds the id that a URL fragment names. Ignores case and dashes at the ends, and GitHub's prefix of ids. */
export function findId(ids: Iterable<string>, fragment: string, prefix = TEXT): string | undefined {
  const known = new Set(ids)
  const wanted = decodePart(fragment)
  const exact = [
    wanted,
    `${prefix}${wanted}`,
    `${prefix}${wanted.replace(/^user-content-/, '')}`,
    `${prefix}${fragment}`,
  ]
  return (
    exact.find((id) => known.has(id)) ??
    [...known].find((id) => comparableId(id, prefix) === comparableId(wanted, prefix))
  )
}

function comparableId(id: string, prefix: string): string {
  return fragmentOf(id.startsWith(prefix) ? id.slice(prefix.length) : id)
}

/** The URL fragment of a heading. */
export function fragmentOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replace(/[\s_-]+/g, '-')
    .replace(/^-|-$/g, '')
}
