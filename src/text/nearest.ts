import { byCodeUnit, lastPathSegment } from './paths.ts'

/** At most `limit` texts that are similar to `query`, the most similar first. Upper and lower case count as equal. */
export function nearest(query: string, texts: readonly string[], limit = 3): string[] {
  const lowerQuery = query.toLowerCase()
  const maxDistance = Math.max(2, Math.floor(query.length / 3))
  return texts
    .map((text) => ({ text, distance: distanceOf(lowerQuery, text.toLowerCase(), maxDistance) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance || byCodeUnit(a.text, b.text))
    .slice(0, limit)
    .map(({ text }) => text)
}

/** Number of edits between two paths; 1 if one ends with the other, and 2 for equal last names. */
function distanceOf(one: string, other: string, maxDistance: number): number {
  if (other.endsWith(`/${one}`) || one.endsWith(`/${other}`)) return 1
  if (lastPathSegment(one) === lastPathSegment(other)) return 2
  return countEdits(one, other, maxDistance)
}

/** Number of edits between two texts, or a number above `maxEdits`. Two swapped neighbours are one edit. */
export function countEdits(one: string, other: string, maxEdits: number): number {
  if (Math.abs(one.length - other.length) > maxEdits) return maxEdits + 1
  return editRow(one, other, maxEdits).at(-1) ?? maxEdits + 1
}

/**
 * Numbers of edits (optimal string alignment) between `one` and each prefix of `other`, the shortest prefix first; a
 * number above `maxEdits` means too many. May be empty if all are too many. Computes only the cells near the diagonal.
 */
export function editRow(one: string, other: string, maxEdits: number): number[] {
  const tooMany = maxEdits + 1
  const width = other.length
  let [before, row, next] = rowsFor(width + 2)
  row.fill(tooMany, 0, width + 2)
  for (let j = 0; j <= Math.min(width, maxEdits); j++) row[j] = j
  for (let i = 1; i <= one.length; i++) {
    const [first, last] = [Math.max(1, i - maxEdits), Math.min(width, i + maxEdits)]
    next.fill(tooMany, 0, width + 2)
    if (i <= maxEdits) next[0] = i
    let fewest = i <= maxEdits ? i : tooMany + 1
    const code = one.charCodeAt(i - 1)
    const codeBefore = one.charCodeAt(i - 2)
    for (let j = first; j <= last; j++) {
      const otherCode = other.charCodeAt(j - 1)
      const diagonal = (row[j - 1] ?? tooMany) - (code === otherCode ? 1 : 0)
      let edits = Math.min(row[j] ?? tooMany, next[j - 1] ?? tooMany, diagonal) + 1
      if (code === other.charCodeAt(j - 2) && codeBefore === otherCode)
        edits = Math.min(edits, (before[j - 2] ?? tooMany) + 1)
      next[j] = Math.min(edits, tooMany)
      fewest = Math.min(fewest, edits)
    }
    // A swap of two letters continues the row before the last, so only a row above `tooMany` ends the search.
    if (fewest > tooMany) return []
    ;[before, row, next] = [row, next, before]
  }
  return Array.from(row.subarray(0, width + 1))
}

/** Rows of the table of edits, reused by all calls. */
let rows: [Uint32Array, Uint32Array, Uint32Array] = [new Uint32Array(64), new Uint32Array(64), new Uint32Array(64)]

function rowsFor(size: number): [Uint32Array, Uint32Array, Uint32Array] {
  if (rows[0].length < size) rows = [new Uint32Array(2 * size), new Uint32Array(2 * size), new Uint32Array(2 * size)]
  return [...rows]
}
