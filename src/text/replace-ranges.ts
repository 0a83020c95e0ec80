/** A range of a text, and its replacement. An empty range inserts. */
interface Replacement {
  readonly start: number
  readonly end: number
  readonly by: string
}

/** The text with its ranges replaced, which are in order and do not overlap. */
export function replaceRanges(text: string, replacements: readonly Replacement[]): string {
  const parts = replacements.map(({ start, by }, at) => text.slice(replacements[at - 1]?.end ?? 0, start) + by)
  return parts.join('') + text.slice(replacements.at(-1)?.end ?? 0)
}
