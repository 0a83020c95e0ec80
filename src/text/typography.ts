/** Compares texts that differ only in typography: quotes, dashes, spaces, ligatures, line ends. */

/**
 * What a folded text has for a hyphen at a line end, because such a hyphen may belong to the word, or only divide it.
 */
export const LINE_HYPHEN = '\u00AD'

/** Characters without width, or visible only at the end of a line. */
const INVISIBLE = /[\u00AD\u180E\u200B-\u200F\u2060-\u2064\uFEFF]/g

/**
 * The text as on a typewriter: one kind of dash, quote, ellipsis and space, without ligatures and invisible characters. Signs with another meaning
 * stay different: `10²` is not `102`, and `5"` is not `5'`.
 */
export function foldTypography(text: string): string {
  return text
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .replace(/[\uFB00-\uFB06]/g, (ligature) => ligature.normalize('NFKC'))
    .replace(/[‐‑‒–—―−﹘﹣-]/g, '-')
    .replace(/(?<=\p{L})-[^\S\r\n]*(?:\r\n?|\n)\s*(?=\p{Ll})/gu, LINE_HYPHEN)
    .replaceAll('…', '...')
    .replace(/[‘’‚‛‹›`´]/g, "'")
    .replace(/(?<!\d)["“”„‟«»]/g, "'")
    .replace(/["“”„‟«»]/g, '"')
    .replace(/\s+/g, ' ')
    .trim()
}
