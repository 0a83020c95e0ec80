const OPENING = /^\uFEFF?---[ \t]*(\r\n?|\n)/
const CLOSING = /(?:\r\n?|\n)(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/g

/**
 * A text's front matter without its fences, and the offset at which the body starts. Front matter is between a first line `---` and the next line
 * `---` or `...`. Without a closing line, or with a language (`---js`), the text has none.
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
/** Words without signs that YAML interprets, and not a number. */
const PLAIN = /^[A-Za-z][\w ,.;()/+=?!-]*$/
const US_DATE = /^\d{1,2}\/\d{1,2}\/\d{4}$/
const YAML_WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i
const QUOTED = /^"[^"\\]*"$/
const LIST = /^\[(?:"[^"\\]*"(?:,[ ]*"[^"\\]*")*)?\]$/

/**
 * Reads front matter in which each line is a key with a plain word, a text in double quotes, or a list of such texts; undefined for anything else.
 * Most front matter is that simple: without a parser of YAML, a thousand files take a tenth of a second less.
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
