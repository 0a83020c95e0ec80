import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Signature } from '../../code/definitions.ts'
import type { ExcerptLines } from '../../code/excerpts.ts'
import { languageOf } from '../../code/languages.ts'
import { type FileScore, type RankedFile, RELATIVE_CUT } from '../../code/rank.ts'
import type { RelatedFile } from '../../code/related.ts'
import type { Fragment, Left } from '../../core/flow.ts'
import { oneLine } from '../../text/controls.ts'
import { neutralise } from '../../text/invisible.ts'
import { reasonFor } from './why.ts'

/** A file as it is gathered: whole. */
export function codeFragment(root: string, file: RankedFile, best: number): Fragment {
  const { path } = file.file
  const labels = { path, source: path, why: reasonFor(file), language: languageOf(path)?.name ?? '' }
  const text = file.parsed.lines.join('\n')
  return {
    origin: { uri: uriOf(root, path), labels },
    kind: 'code',
    title: path,
    text,
    score: relativeScore(file, best),
  }
}

/** The names of files that likely change with those that are shown. */
export function relatedFragment(root: string, related: readonly RelatedFile[]): Fragment {
  const lines = related.map(({ path, why }) => `- ${shownName(path)}: ${shownName(why)}`)
  const title = 'Likely to change with these'
  return {
    origin: { uri: pathToFileURL(root).href, labels: { path: title } },
    kind: 'related',
    title,
    text: lines.join('\n'),
  }
}

/** A name in one line, without characters that nobody sees. */
export function shownName(text: string): string {
  return oneLine(neutralise(text).text)
}

/** Of the score of the best file, to three places. */
export function relativeScore({ score }: Pick<FileScore, 'score'>, best: number): number {
  return best === 0 ? 0 : Math.round((score / best) * 1000) / 1000
}

/** A file of which nothing is worth showing. */
export function consideredFile(root: string, { file, score: raw }: FileScore, best: number): Left {
  const score = relativeScore({ score: raw }, best)
  const part = score.toFixed(2)
  const detail =
    score < RELATIVE_CUT
      ? `Scores ${part} of the best file; what scores less than ${RELATIVE_CUT} is not shown.`
      : `Scores ${part} of the best file; other files match the text better.`
  return { origin: { uri: uriOf(root, file.path) }, title: file.path, why: 'irrelevant', detail, score }
}

/** What is shown of a file: whole lines, and heads of definitions among the others. */
export interface Excerpt {
  readonly ranges: readonly ExcerptLines[]
  readonly signatures: readonly Signature[]
}

/** The lines of an excerpt, with a mark for each gap that says which lines are not there, and the heads that stand in it. */
export function excerptText(lines: readonly string[], { ranges, signatures }: Excerpt): string {
  const parts: string[] = []
  let at = 0
  const skipTo = (end: number) => {
    if (end <= at) return
    const heads = signatures.filter(({ line }) => line >= at && line < end)
    parts.push(gapMark(at, end), ...heads.map(headLine))
  }
  for (const { start, end } of ranges) {
    skipTo(start)
    for (let line = start; line < end; line++) parts.push(clipLine(lines[line] ?? ''))
    at = end
  }
  if (at > 0 || signatures.length > 0) skipTo(lines.length)
  return parts.join('\n')
}

/** Characters of a line that are shown: nobody writes or reads longer ones. */
const LONGEST_LINE = 1000

function clipLine(line: string): string {
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}… (${line.length} characters)`
}

function headLine({ line, text }: Signature): string {
  return `  ${line + 1}: ${text}`
}

/** `start` and `end` from 0; the mark counts from 1. */
function gapMark(start: number, end: number): string {
  return end - start === 1 ? `… line ${end} not shown` : `… lines ${start + 1}-${end} not shown (${end - start})`
}

function uriOf(root: string, path: string): string {
  return pathToFileURL(join(root, path)).href
}
