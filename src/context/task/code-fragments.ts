import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Signature } from '../../code/definitions.ts'
import type { ExcerptLines } from '../../code/excerpts.ts'
import { languageOf } from '../../code/languages.ts'
import { type FileScore, type RankedFile, RELATIVE_CUT } from '../../code/rank.ts'
import type { RelatedFile } from '../../code/related.ts'
import type { Fragment, Left, Renderer } from '../../core/flow.ts'
import { rendererOfParts } from '../../core/steps.ts'
import { oneLine } from '../../text/controls.ts'
import { fenceText } from '../../text/fences.ts'
import { neutralise } from '../../text/invisible.ts'
import type { ShownRange } from '../answers.ts'
import { xml } from '../renderers/renderers.ts'

export function codeFragment(root: string, file: RankedFile, best: number): Fragment {
  const { path } = file.file
  const labels = { path, source: path, why: reasonFor(file), language: languageOf(path)?.name ?? '' }
  const text = file.parsed.lines.join('\n')
  const score = relativeScore(file, best)
  return { origin: { uri: uriOf(root, path), labels }, kind: 'code', title: path, text, score }
}

const LIST_TITLES = { related: 'Likely to change with these', tests: 'Tests of this' }

/** A fragment with a list of files whose lines are not shown, each with a reason; empty without files. */
export function listFragments(root: string, kind: keyof typeof LIST_TITLES, files: readonly RelatedFile[]): Fragment[] {
  if (files.length === 0) return []
  const title = LIST_TITLES[kind]
  const text = files.map(({ path, why }) => `- ${shownName(path)}: ${shownName(why)}`).join('\n')
  return [{ origin: { uri: `${pathToFileURL(root).href}#${kind}`, labels: { path: title } }, kind, title, text }]
}

/** A name in one line, without invisible characters. */
function shownName(text: string): string {
  return oneLine(neutralise(text).text)
}

/** The score of a file, divided by the best score, to three decimals. */
export function relativeScore({ score }: Pick<FileScore, 'score'>, best: number): number {
  return best === 0 ? 0 : Math.round((score / best) * 1000) / 1000
}

/** A considered file that is not shown. */
export function toLeftFile(root: string, scored: FileScore, best: number): Left {
  const { path } = scored.file
  const score = relativeScore(scored, best)
  const isCut = score < RELATIVE_CUT
  const why = isCut ? `what scores less than ${RELATIVE_CUT} is not shown` : 'other files match the text better'
  const detail = `Scores ${score.toFixed(2)} of the best file; ${why}.`
  return { origin: { uri: uriOf(root, path) }, title: path, why: 'irrelevant', detail, score }
}

/** The shown lines of a file, and the signatures (heads of definitions) in the gaps. */
export interface Excerpt {
  readonly ranges: readonly ExcerptLines[]
  readonly signatures: readonly Signature[]
}

/** The lines of an excerpt. A mark in each gap names the omitted lines, followed by the heads in the gap. */
export function excerptText(lines: readonly string[], { ranges, signatures }: Excerpt): string {
  const parts: string[] = []
  let nextLine = 0
  const skipTo = (end: number) => {
    if (end <= nextLine) return
    const heads = signatures.filter(({ line }) => line >= nextLine && line < end)
    parts.push(gapMark(nextLine, end), ...heads.map(({ line, text }) => `  ${line + 1}: ${text}`))
  }
  for (const { start, end } of ranges) {
    skipTo(start)
    for (let line = start; line < end; line++) parts.push(clipLine(lines[line] ?? ''))
    nextLine = end
  }
  if (nextLine > 0 || signatures.length > 0) skipTo(lines.length)
  return parts.join('\n')
}

/** Maximum shown characters of a line. */
const MAX_LINE_LENGTH = 1000

function clipLine(line: string): string {
  return line.length <= MAX_LINE_LENGTH ? line : `${line.slice(0, MAX_LINE_LENGTH)}… (${line.length} characters)`
}

/** The mark of a gap. `start` and `end` count from 0; the mark counts from 1. */
function gapMark(start: number, end: number): string {
  return end - start === 1 ? `… line ${end} not shown` : `… lines ${start + 1}-${end} not shown (${end - start})`
}

function uriOf(root: string, path: string): string {
  return pathToFileURL(join(root, path)).href
}

/** The shown lines of a file, by definition. An excerpt counts lines from 0, a range from 1. */
export function shownRanges({ ranked }: RankedFile, { ranges, signatures }: Excerpt): ShownRange[] {
  const bodies = ranges.flatMap((range) =>
    ranked.flatMap(({ start, end, names, kind, parent }): ShownRange[] => {
      const from = Math.max(start, range.start)
      const to = Math.min(end, range.end)
      if (to <= from) return []
      const [first] = names
      const name = first === undefined || parent === undefined ? first : `${parent}.${first}`
      const onlyName = name !== undefined && names.length === 1 && { name }
      return [{ start: from + 1, end: to, ...onlyName, ...(kind && { kind }), shown: 'body' }]
    }),
  )
  const heads = signatures.map(({ line, name, kind }): ShownRange => {
    return { start: line + 1, end: line + 1, name, kind, shown: 'signature' }
  })
  return [...bodies, ...heads].sort((a, b) => a.start - b.start)
}

const MAX_NAMES = 3

/** Why a file fits a task, in a short sentence. */
export function reasonFor({ signals, defines, words, commits }: FileScore): string {
  const reasons: string[] = []
  if (signals.frames > 0) reasons.push('appears in the stack trace')
  if (signals.named > 0) reasons.push('named in the task')
  if (defines.length > 0) reasons.push(`defines ${joinNames(defines)}, named in the task`)
  if (signals.phrases > 0) reasons.push('holds a text that the task quotes')
  const otherWords = words.filter((word) => !defines.some((name) => name.toLowerCase().includes(word.toLowerCase())))
  if (reasons.length < 2 && otherWords.length > 0) reasons.push(`speaks of ${joinNames(otherWords)}`)
  if (reasons.length < 2 && commits && commits.together > 1)
    reasons.push(`changed with ${reasons.length === 0 ? 'these' : 'others of these'} in ${commits.together} commits`)
  if (reasons.length === 0 && commits) {
    const why = commits.messages > 0 ? 'commits with words of the task changed it' : 'changed with these in one commit'
    reasons.push(why)
  }
  return reasons.join('; ')
}

function joinNames(names: readonly string[]): string {
  const quoted = names.slice(0, MAX_NAMES).map((name) => `\`${name}\``)
  return quoted.join(', ')
}

/** Renders each fragment as an element that no text can close. */
export const taskXml: Renderer = xml({
  attributes: { code: ['path', 'why'], passage: ['path', 'heading'], related: [], tests: [] },
})

/** Renders for each file a heading, the reason, and the code in a fence that is longer than any fence in the code. */
export const taskMarkdown: Renderer = rendererOfParts(({ kept }) => joinPassages(kept).map(sectionOf))

/** Joins the passages of each file, in the order of the file, at the position of its first passage in `kept`. */
function joinPassages(kept: readonly Fragment[]): readonly Fragment[] {
  const pathOf = ({ origin }: Fragment) => origin.labels?.path ?? origin.uri
  const byPath = Map.groupBy(kept, (one) => (one.kind === 'passage' ? pathOf(one) : ''))
  return kept.flatMap((fragment) => {
    if (fragment.kind !== 'passage') return fragment
    const passages = byPath.get(pathOf(fragment)) ?? []
    if (passages[0] !== fragment) return []
    const ordered = passages.toSorted((a, b) => lineOf(a) - lineOf(b))
    const heading = ordered.map(({ origin }) => origin.labels?.heading ?? '').join('; ')
    const origin = { ...fragment.origin, labels: { ...fragment.origin.labels, heading } }
    return { ...fragment, origin, text: ordered.map(({ text }) => text).join('\n…\n') }
  })
}

/** The first line of a passage, from its address. */
function lineOf({ origin }: Fragment): number {
  return Number(/#L(\d+)/.exec(origin.uri)?.[1] ?? 0)
}

function sectionOf({ kind, origin, text }: Fragment): string {
  const { path = origin.uri, why = '', heading = '', language = '' } = origin.labels ?? {}
  const subtitle = kind === 'code' ? (text === '' ? `${why}; no lines shown` : why) : heading
  const head = `## ${shownName(path)}\n${subtitle === '' ? '' : `${shownName(subtitle)}\n`}`
  if (text === '') return `${head}\n`
  if (kind in LIST_TITLES) return `${head}\n${text}\n\n`
  return `${head}\n${fenceText(text, kind === 'code' ? language : 'md')}\n`
}
