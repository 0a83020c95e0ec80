/** Search results as text, in each format. */

import { BudgetTooSmall } from '../../core/errors.ts'
import { utf8Length } from '../../core/tokens.ts'
import type { SearchAnswer } from '../../engine/engine.ts'
import { largestThatFits } from '../../text/bisect.ts'
import { joinLines, oneLine, textLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { fenceText } from '../../text/fences.ts'
import { frameContext, frameTag, frameText } from '../../text/frames.ts'
import { clipMarked } from '../../text/truncate.ts'

type Result = SearchAnswer['results'][number]

const PRINTERS = {
  table: ({ results, query }) =>
    results.map(resultBlock).join('\n') || `Nothing was found for ${oneLine(JSON.stringify(query))}.\n`,
  markdown: ({ results }) => results.map(resultSection).join('\n'),
  xml: resultsElement,
  csv: ({ results }) =>
    [CSV_HEADER, ...results.flatMap(csvRows)].map((row) => `${row.map(csvCell).join(',')}\r\n`).join(''),
  files: ({ results }) => results.map(fileLine).join(''),
} as const satisfies Readonly<Record<string, (answer: SearchAnswer) => string>>

type SearchFormat = keyof typeof PRINTERS

/** All formats, in the order of help. */
export const SEARCH_FORMATS = Object.keys(PRINTERS) as readonly SearchFormat[]

export function printAnswer(answer: SearchAnswer, format: SearchFormat): string {
  return PRINTERS[format](answer)
}

/** A result as a line of columns separated by tabs. The last column is the path context, if the result has one. */
function fileLine(result: Result): string {
  const { docid, score, uri, lines } = result
  const context = contextText(result)
  const about = context ? [joinLines(context)] : []
  return `${[docid, score.toFixed(4), uri, lines.start, ...about].join('\t')}\n`
}

/** The shown parts of a result, each with the number of its first line: the whole text, or each passage. */
function hitParts({ text, snippet, lines, sections = [] }: Result): { readonly line: number; readonly text: string }[] {
  if (text !== undefined) return [{ line: 1, text }]
  return [{ snippet, lines }, ...sections].map((one) => ({ line: one.lines.start, text: one.snippet }))
}

/** The path context of a result, if any. If an earlier result has its text, it is only named. */
function contextText({ context, contexts }: Result): string | undefined {
  if (context !== undefined || contexts.length === 0) return context
  return contexts.map(({ scope, prefix, text }) => text ?? `(${scope} ${prefix}: see above)`).join('\n\n')
}

function resultBlock(result: Result): string {
  const { collection, path, lines, title, score, docid, explain } = result
  const context = contextText(result)
  const head = `${oneLine(`${collection}/${path}`)}:${lines.start}  ${score.toFixed(2)}  ${docid}\n  ${oneLine(title)}\n`
  const about = context === undefined ? '' : `  [${joinLines(context)}]\n`
  const explanation = explain
    ? `  found: ${oneLine(explain.matchedTerms.join(', '))}; not found: ${oneLine(explain.missingTerms.join(', ')) || 'nothing'}\n`
    : ''
  const passages = hitParts(result).map(({ line, text }, at) => `${at > 0 ? `  :${line}\n` : ''}${indentLines(text)}`)
  return `${head}${about}${explanation}${passages.join('')}`
}

function indentLines(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => `  | ${textLine(line)}\n`)
    .join('')
}

function resultSection(result: Result): string {
  const { collection, path, lines, title, docid } = result
  const context = contextText(result)
  const about = context === undefined ? '' : `\n${context}\n`
  const place = `\`${oneLine(`${collection}/${path}`)}\` lines ${lines.start}–${lines.end} ${docid}`
  const parts = hitParts(result).map(({ line, text }, at) => `${at > 0 ? `line ${line}\n\n` : ''}${fenceText(text)}`)
  return `## ${oneLine(title)}\n\n${place}\n${about}\n${parts.join('\n')}`
}

/** The results in one element. Its attributes and a notice say how many results there are, are shown, and did not fit. */
function resultsElement({ results, query, mode, total, dropped = 0 }: SearchAnswer): string {
  const attributes = { query: oneLine(query), mode, total: String(total), shown: String(results.length) }
  const notice = dropped === 0 ? '' : `<notice>\n${droppedNotice(dropped)}\n</notice>\n`
  return `${frameTag('results', attributes)}\n${writeContextsOnce(results).map(hitElements).join('')}${notice}</results>\n`
}

/** The notice about dropped results, with advice. */
export function droppedNotice(dropped: number): string {
  return `${countNoun(dropped, 'more hit')} dropped: no room in the budget. Narrow the query, or raise the budget.`
}

/** An element for each shown passage. The path context is in the first element. */
function hitElements(result: Result): string {
  const { docid, uri, title, lines, score, contexts, sections = [] } = result
  const ranges = result.text === undefined ? [lines, ...sections.map((one) => one.lines)] : [lines]
  const contextElements = contexts.map(({ scope, prefix, text }) => frameContext({ scope, prefix }, text)).join('')
  const parts = hitParts(result).map(({ line, text }, at) => {
    const { start, end } = ranges[at] ?? lines
    return frameText({
      tag: 'hit',
      attributes: { docid, uri, title: oneLine(title), lines: `${start}-${end}`, score: score.toFixed(4) },
      ...(at === 0 && { before: contextElements }),
      text,
      firstLine: line,
    })
  })
  return parts.join('')
}

const CSV_HEADER = ['docid', 'score', 'uri', 'title', 'context', 'line', 'snippet']

function csvRows(result: Result): string[][] {
  const { docid, score, uri, title } = result
  const context = contextText(result) ?? ''
  return hitParts(result).map(({ line, text }) => [docid, score.toFixed(4), uri, title, context, String(line), text])
}

/** Quotes a cell if necessary. An apostrophe keeps a spreadsheet from running it as a formula. */
function csvCell(text: string): string {
  const safeText = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText
}

/**
 * The results with the text of each path context in the first result that it applies to, and nowhere else.
 *
 * @param maxBytes maximum bytes of the text of one path context. Default: no limit.
 */
function writeContextsOnce(results: readonly Result[], maxBytes = Number.POSITIVE_INFINITY): Result[] {
  const writtenContexts = new Set<string>()
  return results.map(({ context: _, ...result }) => ({
    ...result,
    contexts: result.contexts.map(({ scope, prefix, text }) => {
      const key = JSON.stringify(scope === 'global' ? [scope] : [scope, prefix, result.collection])
      if (writtenContexts.has(key) || text === undefined || maxBytes === 0) return { scope, prefix }
      writtenContexts.add(key)
      return { scope, prefix, text: clipMarked(text, maxBytes) }
    }),
  }))
}

/**
 * Ways to print results, the most complete first. The first way that leaves room for a result is used. `share`: maximum part of the budget for the
 * text of one path context; `isLean`: only the best passage of each document.
 */
const LAYOUTS = [
  { share: 1 / 4, isLean: false },
  { share: 1 / 16, isLean: false },
  { share: 0, isLean: false },
  { share: 0, isLean: true },
]

/**
 * The answer with as many of its results, the best first, as `print` writes within the budget, and the number of dropped results.
 *
 * @param budget tokens, four bytes each
 * @throws ContextError `invalid-input` if not even an answer without results fits.
 */
export function fitResults(answer: SearchAnswer, budget: number, print: (one: SearchAnswer) => string): SearchAnswer {
  const maxBytes = budget * 4
  const total = answer.results.length
  for (const { share, isLean } of LAYOUTS) {
    const results = isLean ? answer.results.map(({ sections: _, text: __, ...result }) => result) : answer.results
    const upTo = (most: number): SearchAnswer => {
      const shownResults = writeContextsOnce(results.slice(0, most), Math.floor(maxBytes * share))
      return { ...answer, results: shownResults, dropped: total - most }
    }
    const count = largestThatFits(total, (most) => utf8Length(print(upTo(most))) <= maxBytes)
    if (count > 0 || count === total || (isLean && count === 0)) return upTo(count)
  }
  throw noRoom(print({ ...answer, results: [], dropped: total }), 1, ', or a shorter query')
}

/**
 * The error for a budget that is too small for the shortest answer. `share`: the share of a budget that this answer may take, 0
 * to 1. `alternative`: the end of the hint.
 */
export function noRoom(shortest: string, share = 1, alternative = ''): BudgetTooSmall {
  return new BudgetTooSmall(Math.ceil(utf8Length(shortest) / 4 / share), alternative)
}
