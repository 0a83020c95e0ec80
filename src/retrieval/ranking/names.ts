/** Exact names in a query, such as `Array.prototype.at`, `--no-cache`, `E_404` and what stands between backticks. */

import { laterPattern } from '../../text/wildcards.ts'

/** Names of a query that are looked for as they are written, and UTF-16 units of the longest. */
const MOST_NAMES = 8
const LONGEST_NAME = 128

/** Signs around a word that belong to the sentence. */
const AROUND = /^[("'“”„‟«»‘’[{<,;:!?]+|(?<![)"'“”„‟«»‘’\]}>,;:!?.])[)"'“”„‟«»‘’\]}>,;:!?.]+$/g

/** A sign between letters or digits that sentences do not have there. */
const INNER = laterPattern(String.raw`[\p{L}\p{N}](?:[._/\\@#$=~]|::|->)+[\p{L}\p{N}]|^--?[\p{L}]`, 'u')

/** What sentences have all the same: `e.g.`, `and/or`. */
const ORDINARY = laterPattern(String.raw`^(?:\p{L}(?:\.\p{L})+|\p{L}+/\p{L}+)$`, 'u')

const HYPHENATED = laterPattern(String.raw`[\p{L}\p{N}]-[\p{L}\p{N}]`, 'u')

const CAMEL = laterPattern(String.raw`\p{Ll}\p{Lu}|\p{L}\p{N}`, 'u')

/** Names that documents should hold as they are written; none where the query has none. */
export function exactNamesIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name.trim())
  const words = text
    .replaceAll(/`[^`\n]*`/g, ' ')
    .split(/\s+/)
    .filter(({ length }) => length <= LONGEST_NAME)
  const bare = words.map((word) => word.replaceAll(AROUND, '')).filter((word) => word !== '')
  const isAlone = !/\S\s+\S/.test(text)
  const found = bare.filter((word) =>
    isAlone ? INNER().test(word) || isNameAlone(word) : INNER().test(word) && !ORDINARY().test(word),
  )
  const isName = ({ length }: string) => length > 0 && length <= LONGEST_NAME
  return [...new Set([...quoted, ...found])].filter(isName).slice(0, MOST_NAMES)
}

function isNameAlone(word: string): boolean {
  return HYPHENATED().test(word) || CAMEL().test(word)
}

/** Whether a text holds the name, not as a part of a longer word; without regard to case. */
export function nameFinder(name: string): (text: string) => boolean {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}_])${escaped}(?![\p{L}\p{N}_])`, 'iu')
  return (text) => pattern.test(text)
}
