import { type AnswerAccount, type LedgerRow, listShownRows } from '../../core/ledger.ts'
import type { CheckAnswer, DiffAnswer, DoctorAnswer, ExplainAnswer, SearchAnswer } from '../../engine/engine.ts'
import { joinLines, oneLine, textLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { type DisplayTraits, type Style, styleOf, type TableCell, table, wrapLines } from './table.ts'

/**
 * Functions that draw an answer on a terminal, by the name of the operation. They remove control characters from texts of files.
 */
const VIEWS: Readonly<Record<string, (output: never, style: Style) => string>> = {
  explain: explainView,
  check: checkView,
  diff: diffView,
  doctor: doctorView,
  search: searchView,
}

/** The drawn answer of an operation; undefined for an operation without a view. */
export function drawAnswer(operation: string, output: unknown, display: DisplayTraits): string | undefined {
  const view = Object.hasOwn(VIEWS, operation) ? VIEWS[operation] : undefined
  return view && drawView(display, (style) => view(output as never, style))
}

/** Draws a view, and wraps long lines to the width of the terminal. Tables already fit. */
function drawView(display: DisplayTraits, draw: (style: Style) => string): string {
  const style = styleOf(display)
  return display.columns ? wrapLines(draw(style), style.width) : draw(style)
}

function explainView(answer: ExplainAnswer, style: Style): string {
  const { whyNot } = answer
  if (!whyNot) return drawLedger(answer, style)
  return `${style.bold(oneLine(whyNot.path))}\n${oneLine(whyNot.answer)}\n`
}

/** Draws the ledger: shown, cut and omitted files, and their share of the budget. */
export function ledgerView(explained: AnswerAccount, display: DisplayTraits): string {
  return drawView(display, (style) => drawLedger(explained, style))
}

function drawLedger(answer: AnswerAccount, style: Style): string {
  const rows = listShownRows(answer).map((row) => ledgerCells(row, style))
  const drawn = table([headerCells(['', 'file', 'tokens', 'why'], style), ...rows], { width: style.width, wrap: 3 })
  return `\n${drawn}\n${budgetBar(answer, style)}\n${ledgerNotes(answer, style)}`
}

const MARKS = { kept: '●', truncated: '◐', outline: '○', left: '·' } as const

function ledgerCells(row: LedgerRow, style: Style): TableCell[] {
  const { decision, title, tokensAfter, tokensBefore, why, detail } = row
  const paint = paintOf(decision, style)
  const tokenText = tokensAfter === tokensBefore ? `${tokensAfter}` : `${tokensAfter} of ${tokensBefore}`
  return [
    { text: `${MARKS[decision]} ${decision}`, paint },
    { text: oneLine(title), paint: decision === 'left' ? style.dim : style.bold },
    { text: decision === 'left' ? '–' : tokenText, alignsRight: true },
    { text: oneLine([why, detail].filter(Boolean).join(': ')), paint: style.dim },
  ]
}

function paintOf(decision: LedgerRow['decision'], style: Style): (text: string) => string {
  if (decision === 'kept') return style.green
  return decision === 'left' ? style.dim : style.yellow
}

function headerCells(names: readonly string[], { dim }: Style): TableCell[] {
  return names.map((text) => ({ text, paint: dim, alignsRight: text === 'tokens' }))
}

/** Example: `████████░░░░ 5,312 of 8,000 tokens (66 %), 214 for headings and tags`. */
function budgetBar({ tokenCount, budget, frameTokens, overBudget }: AnswerAccount, style: Style): string {
  if (budget === null) return `${groupDigits(tokenCount)} tokens, ${groupDigits(frameTokens)} for headings and tags`
  const width = Math.min(40, style.width - 20)
  const share = tokenCount / budget
  const filled = Math.min(width, Math.round(share * width))
  const paint = overBudget ? style.red : share > 0.9 ? style.yellow : style.green
  const bar = paint('█'.repeat(filled)) + style.dim('░'.repeat(width - filled))
  const percent = `${Math.round(share * 100)} %`
  return `${bar} ${groupDigits(tokenCount)} of ${groupDigits(budget)} tokens (${percent}), ${groupDigits(frameTokens)} for headings and tags`
}

function groupDigits(number: number): string {
  return number.toLocaleString('en-US')
}

/** Maximum number of shown warnings, so that the budget above them stays on the screen. */
const MAX_SHOWN_WARNINGS = 10

function ledgerNotes({ contextDir, warnings, missingRequired, overBudget }: AnswerAccount, style: Style): string {
  const shown = warnings.slice(0, MAX_SHOWN_WARNINGS).map(({ path, message }) => `${path}: ${message}`)
  const hidden = warnings.length - shown.length
  const levels = contextDir?.levels === 1 ? 'one level' : `${contextDir?.levels} levels`
  const lines = [
    ...(contextDir?.levels ? [`The context directory is ${contextDir.path}, ${levels} up.`] : []),
    ...(overBudget ? ['The constitution alone is over the budget; it is never cut.'] : []),
    ...(missingRequired.length > 0 ? [`Missing: ${missingRequired.join(', ')}. "ambit init" writes skeletons.`] : []),
    ...shown,
    ...(hidden > 0 ? [`and ${countNoun(hidden, 'more warning')}: --json shows all`] : []),
  ]
  return lines.map((line) => `${style.yellow('!')} ${oneLine(line)}\n`).join('')
}

function checkView({ findings, checked }: CheckAnswer, style: Style): string {
  const lines = findings.map(({ path, line, severity, rule, message, hint }) => {
    const mark = markOf(severity, style)
    const place = style.bold(`${oneLine(path)}${line === undefined ? '' : `:${line}`}`)
    return `${mark} ${place} ${style.dim(rule)}\n  ${oneLine(message)}${hint ? `\n  ${style.dim(oneLine(hint))}` : ''}\n`
  })
  const files = countNoun(checked, 'file')
  const notes = findings.filter(({ severity }) => severity === 'note').length
  const noteCount = notes === 0 ? '' : `${countNoun(notes, 'note')}; `
  const summary =
    findings.length === notes
      ? `${noteCount}${style.green(`✓ No errors or warnings in ${files}.`)}`
      : `${countNoun(findings.length - notes, 'finding')}; ${noteCount}${files} read.`
  return `${lines.join('')}${summary}\n`
}

function markOf(severity: CheckAnswer['findings'][number]['severity'], style: Style): string {
  if (severity === 'note') return style.dim('·')
  return severity === 'error' ? style.red('✗') : style.yellow('!')
}

function diffView({ agents, profiles, files, unusedTools = [] }: DiffAnswer, style: Style): string {
  const verdicts = agents.map((verdict) => agentVerdictView(verdict, style)).join('')
  const unusedNote = unusedToolsView(unusedTools, style)
  if (files.length === 0 && agents.length > 0) return `${verdicts}${unusedNote && `\n${unusedNote}`}`
  const names = profiles.map(({ name }) => name)
  const rows = files.map(({ title, seen, same }): TableCell[] => [
    { text: oneLine(title), paint: same ? style.dim : style.bold },
    ...names.map((name) => diffCell(seen[name], style)),
  ])
  const sumText = (tokens: number) => `${groupDigits(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`
  const sumCells = profiles.map(({ tokens }): TableCell => ({ text: sumText(tokens), paint: style.dim }))
  const cells = [headerCells(['file', ...names], style), ...rows, [{ text: '' }, ...sumCells]]
  const drawn = table(cells, { width: style.width })
  return `${verdicts}${agents.length > 0 ? '\n' : ''}${drawn}\n${unusedNote}`
}

function unusedToolsView(names: readonly string[], { dim, bold }: Style): string {
  if (names.length === 0) return ''
  const why = dim(`Not compared: ${names.join(', ')}. They have no files here or in your home directory.`)
  return `${why}\n${dim('To compare agents anyway, name them:')} ${bold(`ambit diff --profile ${names.slice(0, 2).join(',')}`)}\n`
}

function agentVerdictView({ agent, missing }: DiffAnswer['agents'][number], style: Style): string {
  const verdict = missing.length === 0 ? style.green('complete') : style.red(`missing ${missing.length}`)
  const lines = missing.map(({ title, reason, mend }, at) => {
    const mendLine = missing[at + 1]?.mend === mend ? '' : `    ${style.dim(oneLine(mend))}\n`
    return `  ${oneLine(title)}: ${oneLine(reason)}\n${mendLine}`
  })
  return `${style.bold(agent)}  ${verdict}\n${lines.join('')}`
}

function diffCell(seen: DiffAnswer['files'][number]['seen'][string] | undefined, style: Style): TableCell {
  if (!seen) return { text: '–', paint: style.dim }
  if (seen.decision === 'left') return { text: `✗ ${seen.why}`, paint: style.red }
  const isCut = seen.decision !== 'kept'
  return { text: isCut ? `◐ ${seen.tokensAfter}` : `✓ ${seen.tokensAfter}`, paint: isCut ? style.yellow : style.green }
}

function doctorView({ checks }: DoctorAnswer, style: Style): string {
  const paints = { ok: style.green, warning: style.yellow, failed: style.red }
  const marks = { ok: '✓', warning: '!', failed: '✗' }
  const rows = checks.map(({ name, status, message, hint }): TableCell[] => [
    { text: marks[status], paint: paints[status] },
    { text: name, paint: style.bold },
    { text: oneLine(hint ? `${message} ${hint}` : message) },
  ])
  return table(rows, { width: style.width })
}

type Result = SearchAnswer['results'][number]

/** Draws search results, each with its place, its path context and its best lines. */
function searchView({ results, query, total }: SearchAnswer, style: Style): string {
  if (results.length === 0) return `Nothing was found for ${JSON.stringify(oneLine(query))}.\n`
  const summary = style.dim(`${results.length} of ${countNoun(total, 'document')}`)
  return `${results.map((result) => resultView(result, style)).join('\n')}\n${summary}\n`
}

function resultView(result: Result, style: Style): string {
  const { collection, path, title, score, docid, context, headings, explain, sections = [] } = result
  const place = style.cyan(oneLine(`${collection}/${path}`)) + style.dim(`:${result.lines.start}`)
  const lines = [
    `${style.bold(oneLine(title))}  ${style.dim(`${score.toFixed(2)} ${docid}`)}`,
    `  ${place}${headings.length > 0 ? style.dim(`  ${oneLine(headings.join(' › '))}`) : ''}`,
    ...(context === undefined ? [] : [`  ${style.magenta(joinLines(context))}`]),
    ...(explain ? [style.dim(`  ${matchText(explain)}`)] : []),
    ...snippetLines(result, style),
    ...sections.flatMap((one) => [style.dim(`  :${one.lines.start}`), ...snippetLines(one, style)]),
  ]
  return `${lines.join('\n')}\n`
}

function matchText({ matchedTerms, missingTerms }: NonNullable<Result['explain']>): string {
  const missing = missingTerms.length === 0 ? '' : `; not in it: ${missingTerms.join(', ')}`
  return oneLine(`found by ${matchedTerms.join(', ')}${missing}`)
}

const LINE_BREAK = /\r\n?|\n/

type Passage = Pick<Result, 'snippet' | 'text' | 'highlights'>

function snippetLines({ snippet, text, highlights }: Passage, style: Style): string[] {
  if (text !== undefined) return text.split(LINE_BREAK).map((line) => `  ${textLine(line)}`)
  // The offsets of highlights refer to the original text, so each part is cut out before control characters are
  // removed.
  const partOf = (from: number, to?: number, paint = (line: string) => line) => {
    const lines = snippet.slice(from, to).split(LINE_BREAK)
    return lines.map((line) => paint(textLine(line))).join('\n')
  }
  let [shown, at] = ['', 0]
  for (const { start, end } of highlights) {
    shown += partOf(at, start) + partOf(start, end, style.yellow)
    at = end
  }
  return `${shown}${partOf(at)}`.split('\n').map((line) => `  ${style.dim('│')} ${line}`)
}
