import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ExcerptLines, mergeRanges } from '../../code/excerpts.ts'
import { languageOf } from '../../code/languages.ts'
import { type FileScore, type RankedFile, RELATIVE_CUT } from '../../code/rank.ts'
import type { Fragment, Left } from '../../core/flow.ts'
import { reasonFor } from './why.ts'

/** A file as it is gathered: whole. */
export function codeFragment(root: string, file: RankedFile): Fragment {
  const { path } = file.file
  const labels = { path, why: reasonFor(file), language: languageOf(path)?.name ?? '' }
  return { origin: { uri: uriOf(root, path), labels }, kind: 'code', title: path, text: file.parsed.lines.join('\n') }
}

/** A file of which nothing is worth showing. */
export function consideredFile(root: string, { file, score }: FileScore, best: number): Left {
  const part = (score / best).toFixed(2)
  const detail =
    score < best * RELATIVE_CUT
      ? `Scores ${part} of the best file; what scores less than ${RELATIVE_CUT} is not shown.`
      : `Scores ${part} of the best file, and enough others score more.`
  return { origin: { uri: uriOf(root, file.path) }, title: file.path, why: 'irrelevant', detail }
}

/** The lines of some ranges, with a mark for each gap that says which lines are not there. */
export function excerptText(lines: readonly string[], ranges: readonly ExcerptLines[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end } of mergeRanges(ranges)) {
    if (start > at) parts.push(gapMark(at, start))
    for (let line = start; line < end; line++) parts.push(lines[line] ?? '')
    at = end
  }
  if (at > 0 && at < lines.length) parts.push(gapMark(at, lines.length))
  return parts.join('\n')
}

/** `start` and `end` from 0; the mark counts from 1. */
function gapMark(start: number, end: number): string {
  return end - start === 1 ? `… line ${end} not shown` : `… lines ${start + 1}-${end} not shown (${end - start})`
}

function uriOf(root: string, path: string): string {
  return pathToFileURL(join(root, path)).href
}
