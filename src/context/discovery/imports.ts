/** `@path` in the text of an instruction file: another file to read along with it. */

import { markdownSpans } from '../../text/markdown-spans.ts'
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
    for (const [, path] of withoutCodeSpans(stretch).matchAll(importPattern())) {
      const trimmed = withoutDots(path ?? '').replaceAll('\\ ', ' ')
      if (trimmed.length <= LONGEST && letterOrDigit().test(trimmed)) found.add(trimmed)
    }
  }
  return [...found]
}

/** Dots at the end are those of a sentence. */
function withoutDots(path: string): string {
  let end = path.length
  while (path[end - 1] === '.') end--
  return path.slice(0, end)
}

/** A code span goes from a run of backticks to the next run of the same length; one that has none is text. */
function withoutCodeSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({
    length,
    start: index,
    end: index + length,
  }))
  const next = new Map<number, number>()
  const closing = runs.map(() => -1)
  for (let index = runs.length - 1; index >= 0; index--) {
    const { length = 0 } = runs[index] ?? {}
    closing[index] = next.get(length) ?? -1
    next.set(length, index)
  }
  let shown = ''
  let from = 0
  for (let index = 0; index < runs.length; index++) {
    const close = closing[index] ?? -1
    if (close < 0) continue
    shown += `${text.slice(from, runs[index]?.start)}\`\``
    from = runs[close]?.end ?? text.length
    index = close
  }
  return shown + text.slice(from)
}

/** Whether a path that does not exist was meant as one: `@types/node` and `@someone` are not. */
export function looksLikeFile(path: string): boolean {
  return /^[.~/]/.test(path) || /\.[A-Za-z][A-Za-z0-9]{0,4}$/.test(path)
}
