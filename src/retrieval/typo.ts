/** What a word that the index does not know may have been meant to be. */

/** Characters of the shortest word that is looked at: a shorter one is near to too many. */
const SHORTEST = 4
/** Words of the longest answer. */
const MOST = 32

/** Those of the candidates that are one edit away: a character put in, left out, exchanged, or two swapped. */
export function nearTerms(term: string, candidates: readonly string[]): string[] {
  if (term.length < SHORTEST || /^[0-9.]+$/.test(term)) return []
  return [...new Set(candidates)]
    .filter((candidate) => isNear(term, candidate))
    .sort()
    .slice(0, MOST)
}

/** Whether one edit makes one text the other. */
export function isNear(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1 || short === long) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1)
  const isSwapped =
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
  return isSwapped || short.slice(at + 1) === long.slice(at + 1)
}
