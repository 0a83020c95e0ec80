/** Search results as text, in each of the formats that people and programs read. */

import type { SearchAnswer } from '../../engine.ts'
import { oneLine } from '../../text/controls.ts'
import { framed } from '../../text/framed.ts'

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
  csv: ({ results }) => [HEADER, ...results.map(row)].map((cells) => `${cells.map(cell).join(',')}\r\n`).join(''),
  files: ({ results }) =>
    results.map(({ docid, score, uri, lines }) => `${docid}\t${score.toFixed(4)}\t${uri}\t${lines.start}\n`).join(''),
}

function block({ collection, path, lines, title, score, docid, context, snippet, explain, text }: Result): string {
  const head = `${oneLine(`${collection}/${path}`)}:${lines.start}  ${score.toFixed(2)}  ${docid}\n  ${oneLine(title)}\n`
  const about = context === undefined ? '' : `  [${oneLine(context.replace(/\s*\n\s*/g, ' · '))}]\n`
  const why = explain
    ? `  found: ${oneLine(explain.matchedTerms.join(', '))}; not found: ${oneLine(explain.missingTerms.join(', ')) || 'nothing'}\n`
    : ''
  return `${head}${about}${why}${indented(text ?? snippet)}`
}

function indented(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => `  | ${oneLine(line)}\n`)
    .join('')
}

function section({ collection, path, lines, title, docid, context, snippet, text }: Result): string {
  const about = context === undefined ? '' : `\n${context}\n`
  const place = `\`${oneLine(`${collection}/${path}`)}\` lines ${lines.start}–${lines.end} ${docid}`
  return `## ${oneLine(title)}\n\n${place}\n${about}\n${fenced(text ?? snippet)}`
}

/** In a fence that nothing in the text closes. */
function fenced(text: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`
}

function element({ docid, uri, title, lines, score, context, snippet, text }: Result): string {
  return framed({
    tag: 'hit',
    attributes: { docid, uri, title: oneLine(title), lines: `${lines.start}-${lines.end}`, score: score.toFixed(4) },
    context: context === undefined ? undefined : { text: context },
    text: text ?? snippet,
    firstLine: text === undefined ? lines.start : 1,
  })
}

const HEADER = ['docid', 'score', 'uri', 'title', 'context', 'line', 'snippet']

function row({ docid, score, uri, title, context = '', lines, snippet, text }: Result): string[] {
  return [docid, score.toFixed(4), uri, title, context, String(lines.start), text ?? snippet]
}

/** Quoted where it must be; a cell that a spreadsheet would run begins with an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
