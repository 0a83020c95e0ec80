/** Ids of elements in a file, separate from those of the page. */

import { decoded } from '../../api/place.ts'

/** Prefix of the ids of a file's headings. */
export const TEXT = 'text-'

/** The id that an address names. It ignores case and dashes at the ends, and accepts GitHub's form. */
export function idIn(ids: Iterable<string>, address: string, prefix = TEXT): string | undefined {
  const known = new Set(ids)
  const wanted = decoded(address)
  const exact = [
    wanted,
    `${prefix}${wanted}`,
    `${prefix}${wanted.replace(/^user-content-/, '')}`,
    `${prefix}${address}`,
  ]
  return exact.find((id) => known.has(id)) ?? [...known].find((id) => bare(id, prefix) === bare(wanted, prefix))
}

function bare(id: string, prefix: string): string {
  return addressOf(id.startsWith(prefix) ? id.slice(prefix.length) : id)
}

/** The address of the heading with these words. */
export function addressOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replace(/[\s_-]+/g, '-')
    .replace(/^-|-$/g, '')
}
