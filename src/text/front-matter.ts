const OPENING = /^\uFEFF?---[ \t]*(\r\n?|\n)/
const CLOSING = /(?:\r\n?|\n)(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/g

/**
 * A text's front matter without the lines around it, and the offset where the body starts. Front matter is between a
 * first line `---` and the next line `---` or `...`. Without a closing line, or with a language (`---js`), there is
 * none.
 */
export function splitFrontMatter(text: string): { readonly matter?: string; readonly body: number } {
  const opening = OPENING.exec(text)
  if (!opening) return { body: 0 }
  const [{ length: start }, lineEnd = ''] = opening
  const closing = new RegExp(CLOSING)
  closing.lastIndex = start - lineEnd.length
  const end = closing.exec(text)
  return end ? { matter: text.slice(start, end.index), body: closing.lastIndex } : { body: 0 }
}

const LINE = /^([A-Za-z_][\w.-]*):[ \t](.*)/s
/** Plain words: they begin with a letter, and have no signs that YAML interprets. */
const PLAIN = /^[A-Za-z][\w ,.;()/+=?!-]*$/
const US_DATE = /^\d{1,2}\/\d{1,2}\/\d{4}$/
const YAML_WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i
const QUOTED = /^"[^"\\]*"$/
const LIST = /^\[(?:"[^"\\]*"(?:,[ ]*"[^"\\]*")*)?\]$/

/**
 * Reads front matter whose lines each have a key with plain words, a text in double quotes, or a list of quoted texts;
 * undefined for other front matter. Without a parser of YAML, a thousand files take a tenth of a second less.
 */
export function readSimpleMatter(matter: string): Map<string, string | readonly string[]> | undefined {
  const values = new Map<string, string | readonly string[]>()
  for (const line of matter.split(/\r?\n/)) {
    if (line === '') continue
    const [, key, source = ''] = LINE.exec(line) ?? []
    const value = key === undefined || values.has(key) ? undefined : valueIn(source.trim())
    if (key === undefined || value === undefined) return undefined
    values.set(key, value)
  }
  return values
}

function valueIn(source: string): string | readonly string[] | undefined {
  if (PLAIN.test(source)) return YAML_WORDS.test(source) ? undefined : source
  if (QUOTED.test(source)) return source.slice(1, -1)
  if (LIST.test(source)) return [...source.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text)
  return US_DATE.test(source) ? source : undefined
}
