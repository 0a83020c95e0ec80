/** A text's front matter, without its fences, and the offset at which the body starts. */
export interface FrontMatterSplit {
  /** Absent when the text has none. */
  readonly matter?: string
  /** 0 when the text has none. */
  readonly body: number
}

const OPENING = /^\uFEFF?---[ \t]*(\r\n?|\n)/
const CLOSING = /(?:\r\n?|\n)(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/g

/**
 * Front matter is what stands between a first line `---` and the next line `---` or `...`. Without that next line there
 * is none, nor after an opening with a language (`---js`).
 */
export function splitFrontMatter(text: string): FrontMatterSplit {
  const opening = OPENING.exec(text)
  if (!opening) return { body: 0 }
  const start = opening[0].length
  const closing = new RegExp(CLOSING)
  closing.lastIndex = start - (opening[1]?.length ?? 0)
  const found = closing.exec(text)
  return found ? { matter: text.slice(start, found.index), body: closing.lastIndex } : { body: 0 }
}
