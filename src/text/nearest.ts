import { byCodeUnit, lastPathSegment } from './paths.ts'

/** The texts that are most similar to `asked`, the nearest first, without dissimilar ones. */
export function nearest(asked: string, texts: readonly string[], most = 3): string[] {
  const wanted = asked.toLowerCase()
  const furthest = Math.max(2, Math.floor(asked.length / 3))
  return texts
    .map((text) => ({ text, distance: distanceOf(wanted, text.toLowerCase(), furthest) }))
    .filter(({ distance }) => distance <= furthest)
    .sort((a, b) => a.distance - b.distance || byCodeUnit(a.text, b.text))
    .slice(0, most)
    .map(({ text }) => text)
}

/** Number of edits between two paths; 1 if one ends with the other, and 2 for equal last names. */
function distanceOf(one: string, other: string, furthest: number): number {
  if (other.endsWith(`/${one}`) || one.endsWith(`/${other}`)) return 1
  if (lastPathSegment(one) === lastPathSegment(other)) return 2
  return countEdits(one, other, furthest)
}

/** Number of edits between two texts, or a number above `most`. Two swapped neighbours are one edit. */
export function countEdits(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  return editRow(one, other, most).at(-1) ?? most + 1
}

/**
 * Numbers of edits between a text and each prefix of another (optimal string alignment), or a number above `most`. May be empty if all are above.
 * Computes only the cells near the diagonal.
 */
export function editRow(one: string, other: string, most: number): number[] {
  const far = most + 1
  const width = other.length
  let [before, row, next] = rowsFor(width + 2)
  row.fill(far, 0, width + 2)
  for (let j = 0; j <= Math.min(width, most); j++) row[j] = j
  for (let i = 1; i <= one.length; i++) {
    const [first, last] = [Math.max(1, i - most), Math.min(width, i + most)]
    next.fill(far, 0, width + 2)
    if (i <= most) next[0] = i
    let least = i <= most ? i : far + 1
    const code = one.charCodeAt(i - 1)
    const codeBefore = one.charCodeAt(i - 2)
    for (let j = first; j <= last; j++) {
      const otherCode = other.charCodeAt(j - 1)
      const diagonal = (row[j - 1] ?? far) - (code === otherCode ? 1 : 0)
      let edits = Math.min(row[j] ?? far, next[j - 1] ?? far, diagonal) + 1
      if (i > 1 && j > 1 && code === other.charCodeAt(j - 2) && codeBefore === otherCode)
        edits = Math.min(edits, (before[j - 2] ?? far) + 1)
      next[j] = Math.min(edits, far)
      least = Math.min(least, edits)
    }
    // A swap of two letters takes its edits from the row before the last, so one row above `most` is not the end.
    if (least > far) return []
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
