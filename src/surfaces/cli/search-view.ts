import type { SearchAnswer } from '../../engine/engine.ts'
import { joinLines, oneLine, textLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import type { Style } from './table.ts'

type Result = SearchAnswer['results'][number]

/** The results, each with its place, what that is for, and the lines that matter. */
export function searchView({ results, query, total }: SearchAnswer, style: Style): string {
  if (results.length === 0) return `Nothing was found for ${JSON.stringify(oneLine(query))}.\n`
  const sum = style.dim(`${results.length} of ${countNoun(total, 'document')}`)
  return `${results.map((result) => resultView(result, style)).join('\n')}\n${sum}\n`
}

function resultView(result: Result, style: Style): string {
  const { collection, path, title, score, docid, context, headings, explain } = result
  const place = style.cyan(oneLine(`${collection}/${path}`)) + style.dim(`:${result.lines.start}`)
  const lines = [
    `${style.bold(oneLine(title))}  ${style.dim(`${score.toFixed(2)} ${docid}`)}`,
    `  ${place}${headings.length > 0 ? style.dim(`  ${oneLine(headings.join(' › '))}`) : ''}`,
    ...(context === undefined ? [] : [`  ${style.magenta(joinLines(context))}`]),
    ...(explain ? [style.dim(`  ${foundBy(explain)}`)] : []),
    ...snippetLines(result, style),
    ...(result.sections ?? []).flatMap((one) => [style.dim(`  :${one.lines.start}`), ...snippetLines(one, style)]),
  ]
  return `${lines.join('\n')}\n`
}

function foundBy({ matchedTerms, missingTerms }: NonNullable<Result['explain']>): string {
  const missing = missingTerms.length === 0 ? '' : `; not in it: ${missingTerms.join(', ')}`
  return oneLine(`found by ${matchedTerms.join(', ')}${missing}`)
}

/** Marks stand for the highlights until the text is cleaned, since cleaning moves offsets; no text keeps them. */
const [ON, OFF] = ['\ufdd0', '\ufdd1']

function snippetLines(
  { snippet, text, highlights }: Pick<Result, 'snippet' | 'text' | 'highlights'>,
  style: Style,
): string[] {
  if (text !== undefined) return text.split(/\r\n?|\n/).map((line) => `  ${textLine(line)}`)
  let marked = ''
  let at = 0
  for (const { start, end } of highlights) {
    marked += `${clean(snippet.slice(at, start))}${ON}${clean(snippet.slice(start, end))}${OFF}`
    at = end
  }
  marked += clean(snippet.slice(at))
  return marked.split(/\r\n?|\n/).map((line) => `  ${style.dim('│')} ${paintMatches(textLine(line), style)}`)
}

function clean(text: string): string {
  return text.replaceAll(ON, '').replaceAll(OFF, '')
}

function paintMatches(line: string, style: Style): string {
  return line.replace(/\ufdd0([^\ufdd1]*)\ufdd1?/g, (_, word: string) => style.yellow(word))
}
