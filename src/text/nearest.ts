/** The texts that are most like what was asked for, the nearest first; none that is too far. */
export function nearest(asked: string, texts: readonly string[], most = 3): string[] {
  const wanted = asked.toLowerCase()
  const furthest = Math.max(2, Math.floor(asked.length / 3))
  return texts
    .map((text) => ({ text, distance: distanceOf(wanted, text.toLowerCase(), furthest) }))
    .filter(({ distance }) => distance <= furthest)
    .sort((a, b) => a.distance - b.distance || (a.text < b.text ? -1 : 1))
    .slice(0, most)
    .map(({ text }) => text)
}

/** Edits that make one the other: the last name alone counts when only directories differ. */
function distanceOf(one: string, other: string, furthest: number): number {
  if (other.endsWith(`/${one}`) || one.endsWith(`/${other}`)) return 1
  if (lastSegment(one) === lastSegment(other)) return 2
  return countEdits(one, other, furthest)
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Edits between two texts; more than `most` where there are more. Two letters beside each other that are swapped are one. */
export function countEdits(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  return editRow(one, other, most).at(-1) ?? most + 1
}

/** Edits between a text and each beginning of another: optimal string alignment. Nothing where there are more than `most`. */
export function editRow(one: string, other: string, most: number): number[] {
  let [before, row]: [number[], number[]] = [[], []]
  for (let j = 0; j <= other.length; j++) row.push(j)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    let least = i
    for (let j = 1; j <= other.length; j++) {
      const isSame = one.charCodeAt(i - 1) === other.charCodeAt(j - 1)
      let edits = Math.min(row[j] ?? 0, next[j - 1] ?? 0, (row[j - 1] ?? 0) - (isSame ? 1 : 0)) + 1
      if (
        i > 1 &&
        j > 1 &&
        one.charCodeAt(i - 1) === other.charCodeAt(j - 2) &&
        one.charCodeAt(i - 2) === other.charCodeAt(j - 1)
      )
        edits = Math.min(edits, (before[j - 2] ?? 0) + 1)
      next.push(edits)
      least = Math.min(least, edits)
    }
    // A swap may still join two rows.
    if (least > most + 1) return []
    ;[before, row] = [row, next]
  }
  return row
}
