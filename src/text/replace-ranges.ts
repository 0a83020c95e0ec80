/** A range of a text, and the text that replaces it. An empty range inserts. */
interface Replacement {
  readonly start: number
  readonly end: number
  readonly by: string
}

/** The text with ranges replaced. The ranges must be in order, without overlap. */
export function replaceRanges(text: string, replacements: readonly Replacement[]): string {
  const parts = replacements.map(({ start, by }, at) => text.slice(replacements[at - 1]?.end ?? 0, start) + by)
  return parts.join('') + text.slice(replacements.at(-1)?.end ?? 0)
}
