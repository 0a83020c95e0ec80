/** `@path` in the text of an instruction file: another file to read along with it. */

import { withoutSpans } from '../../text/code.ts'
import { markdownSpans } from '../../text/markdown-spans.ts'
import { trimEnd } from '../../text/trim.ts'
import { laterPattern } from '../../text/wildcards.ts'

/** How deep imports may nest. */
export const IMPORT_DEPTH = 5

/** Imports of one file that are followed. */
export const MOST_IMPORTS = 256

/** A path after `@`, at the start of a word; a backslash keeps a space in it. */
const importPattern = laterPattern(String.raw`(?<=^|[\s(])@((?:\\ |[\p{L}\p{N}_.~/+-])+)`, 'gu')

/** Characters of the longest path that is followed. */
const LONGEST = 1024

const letterOrDigit = laterPattern(String.raw`[\p{L}\p{N}]`, 'u')

/**
 * The paths that a Markdown text imports, in order, each once. What stands in code or in HTML comments is not an import: a
 * person who reads the file would not see it.
 */
export function importsIn(markdown: string): string[] {
  if (!markdown.includes('@')) return []
  const found = new Set<string>()
  for (const { kind, start, end } of markdownSpans(markdown)) {
    const stretch = kind === 'code' ? '' : markdown.slice(start, end)
    if (!stretch.includes('@')) continue
    for (const [, path] of withoutSpans(stretch).matchAll(importPattern())) {
      const trimmed = trimEnd(path ?? '', '.').replaceAll('\\ ', ' ')
      if (trimmed.length <= LONGEST && letterOrDigit().test(trimmed)) found.add(trimmed)
    }
  }
  return [...found]
}

/** Whether a path that does not exist was meant as one: `@types/node` and `@someone` are not. */
export function looksLikeFile(path: string): boolean {
  return /^[.~/]/.test(path) || /\.[A-Za-z][A-Za-z0-9]{0,4}$/.test(path)
}
