/** Texts that differ only in how they are set: by a typesetter, by a keyboard, by where their lines end. */

/** Stands in a folded text for a hyphen at the end of a line, which may belong to the word, or only divide it. */
export const LINE_HYPHEN = '\u00AD'

/** Of no width, or seen only where a line ends. */
const UNSEEN = /[\u00AD\u180E\u200B-\u200F\u2060-\u2064\uFEFF]/g

/**
 * The text as it would be on a typewriter: one kind of dash, quote, ellipsis and space, no ligatures, nothing unseen. Signs
 * that mean something else are kept apart: `10²` is not `102`, and `5"` is not `5'`.
 */
export function typewritten(text: string): string {
  return text
    .normalize('NFC')
    .replace(UNSEEN, '')
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
