/** Documents as text: for people and pipes, and framed for a model. */

import type { GetAnswer, MultiGetAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { framed } from '../../text/frames.ts'

/** The document alone, so that it can be piped. */
export function plain({ text }: Pick<GetAnswer, 'text'>): string {
  return text.endsWith('\n') || text === '' ? text : `${text}\n`
}

/** What the place is for, in one line; undefined where nothing was said of it. */
export function aboutLine({ context }: Pick<GetAnswer, 'context'>): string | undefined {
  return context === undefined ? undefined : `[${oneLine(context.replace(/\s*\n\s*/g, ' · '))}]`
}

/** One after the other, each under its uri and what its place is for. A text can hold such a line itself. */
export function listed({ documents, left }: MultiGetAnswer): string {
  const shown = documents.map((document) => {
    const about = aboutLine(document)
    return `==> ${oneLine(document.uri)} <==\n${about === undefined ? '' : `  ${about}\n`}${plain(document)}`
  })
  return shown.join('\n') || (left.length > 0 ? 'Nothing is given.\n' : '')
}

/** What is not given, beside the documents. */
export function notGiven({ left }: MultiGetAnswer): string[] {
  return left.map(({ path, detail }) => `not given: ${path}: ${detail}`)
}

/** The document as an element that its text cannot leave. */
export function element({ uri, docid, path, title, text, lines, context }: GetAnswer): string {
  const { start, end, total } = lines
  return framed({
    tag: 'document',
    attributes: { uri, docid, path: `/${path}`, title: oneLine(title), lines: `${start}-${end}`, total: String(total) },
    context: context === undefined ? undefined : { path: `/${path}`, text: context },
    text,
    firstLine: start,
  })
}

/** The documents as elements, then what is not given. */
export function elements({ documents, left }: MultiGetAnswer): string {
  const missing = left.map(({ path, detail }) => framed({ tag: 'left', attributes: { path }, text: detail }))
  return [...documents.map(element), ...missing].join('')
}
