/** Search results as text, in each of the formats that people and programs read. */

import type { SearchAnswer } from '../../engine/engine.ts'
import { oneLine, textLine } from '../../text/controls.ts'
import { framed } from '../../text/frames.ts'

type Result = SearchAnswer['results'][number]
export type SearchFormat = 'table' | 'markdown' | 'xml' | 'csv' | 'files'

export function printed(answer: SearchAnswer, format: SearchFormat): string {
  return PRINTERS[format](answer)
}

const PRINTERS: Readonly<Record<SearchFormat, (answer: SearchAnswer) => string>> = {
  table: ({ results, query }) =>
    results.length === 0 ? `Nothing was found for ${oneLine(JSON.stringify(query))}.\n` : results.map(block).join('\n'),
  markdown: ({ results }) => results.map(section).join('\n'),
  xml: ({ results }) => results.map(element).join(''),
  csv: ({ results }) => [HEADER, ...results.flatMap(rows)].map((cells) => `${cells.map(cell).join(',')}\r\n`).join(''),
  files: ({ results }) =>
    results.map(({ docid, score, uri, lines }) => `${docid}\t${score.toFixed(4)}\t${uri}\t${lines.start}\n`).join(''),
}

/** The lines that are shown of a hit, with the one they begin at: its text, or each of its places. */
function shownOf({ text, snippet, lines, sections = [] }: Result): { readonly line: number; readonly text: string }[] {
  if (text !== undefined) return [{ line: 1, text }]
  return [{ snippet, lines }, ...sections].map((one) => ({ line: one.lines.start, text: one.snippet }))
}

function block(result: Result): string {
  const { collection, path, lines, title, score, docid, context, explain } = result
  const head = `${oneLine(`${collection}/${path}`)}:${lines.start}  ${score.toFixed(2)}  ${docid}\n  ${oneLine(title)}\n`
  const about = context === undefined ? '' : `  [${oneLine(context.replace(/\s*\n\s*/g, ' · '))}]\n`
  const why = explain
    ? `  found: ${oneLine(explain.matchedTerms.join(', '))}; not found: ${oneLine(explain.missingTerms.join(', ')) || 'nothing'}\n`
    : ''
  const places = shownOf(result).map(({ line, text }, at) => `${at > 0 ? `  :${line}\n` : ''}${indented(text)}`)
  return `${head}${about}${why}${places.join('')}`
}

function indented(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => `  | ${textLine(line)}\n`)
    .join('')
}

function section(result: Result): string {
  const { collection, path, lines, title, docid, context } = result
  const about = context === undefined ? '' : `\n${context}\n`
  const place = `\`${oneLine(`${collection}/${path}`)}\` lines ${lines.start}–${lines.end} ${docid}`
  return `## ${oneLine(title)}\n\n${place}\n${about}\n${shownOf(result).map(placeOf).join('\n')}`
}

function placeOf({ line, text }: { readonly line: number; readonly text: string }, at: number): string {
  return `${at > 0 ? `line ${line}\n\n` : ''}${fenced(text)}`
}

/** In a fence that nothing in the text closes. */
function fenced(text: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`
}

/** One for each place that is shown: what the place is for stands in the first. */
function element(result: Result): string {
  const { docid, uri, title, lines, score, context, sections = [] } = result
  const ranges = result.text === undefined ? [lines, ...sections.map((one) => one.lines)] : [lines]
  const parts = shownOf(result).map(({ line, text }, at) => {
    const { start, end } = ranges[at] ?? lines
    return framed({
      tag: 'hit',
      attributes: { docid, uri, title: oneLine(title), lines: `${start}-${end}`, score: score.toFixed(4) },
      context: context === undefined || at > 0 ? undefined : { text: context },
      text,
      firstLine: line,
    })
  })
  return parts.join('')
}

const HEADER = ['docid', 'score', 'uri', 'title', 'context', 'line', 'snippet']

function rows(result: Result): string[][] {
  const { docid, score, uri, title, context = '' } = result
  return shownOf(result).map(({ line, text }) => [docid, score.toFixed(4), uri, title, context, String(line), text])
}

/** Quoted where it must be; a cell that a spreadsheet would run begins with an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
