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
  return Math.abs(one.length - other.length) > furthest ? Number.POSITIVE_INFINITY : edits(one, other)
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Levenshtein's distance, row by row. */
function edits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
