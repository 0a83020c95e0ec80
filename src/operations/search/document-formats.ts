/** Documents as text: for people and pipes, and framed for a model. */

import type { GetAnswer, MultiGetAnswer } from '../../engine/engine.ts'
import { joinLines, oneLine } from '../../text/controls.ts'
import { framedContext, frameText } from '../../text/frames.ts'
import type { FittedDocument, FittedDocuments } from './fit.ts'

/** The document alone, so that it can be piped. */
export function documentText({ text }: Pick<GetAnswer, 'text'>): string {
  return text.endsWith('\n') || text === '' ? text : `${text}\n`
}

/** What the place is for, in one line; undefined where nothing was said of it. */
export function aboutLine({ context }: Pick<GetAnswer, 'context'>): string | undefined {
  return context === undefined ? undefined : `[${joinLines(context)}]`
}

/** One after the other, each under its uri and what its place is for. A text can hold such a line itself. */
export function joinDocuments({ documents, left }: FittedDocuments): string {
  const shown = documents.map((document) => {
    const about = aboutLine(document)
    return `==> ${oneLine(document.uri)} <==\n${about === undefined ? '' : `  ${about}\n`}${documentText(document)}`
  })
  return shown.join('\n') || (left.length > 0 ? 'Nothing was printed.\n' : '')
}

/** What is not given, beside the documents. */
export function notGiven({ left }: Pick<MultiGetAnswer, 'left'>): string[] {
  return left.map(({ path, detail }) => `not given: ${path}: ${detail}`)
}

/** What of the documents has no room. */
export function restNotices(documents: readonly FittedDocument[]): string[] {
  return documents.flatMap(({ rest }) => rest ?? [])
}

/** The document as an element that its text cannot leave, and behind it what of it has no room. */
export function element(document: FittedDocument): string {
  const { path, context } = document
  return elementAfter(document, context === undefined ? '' : framedContext({ path: `/${path}` }, context))
}

function elementAfter({ uri, docid, path, title, text, lines, rest }: FittedDocument, before: string): string {
  const { start, end, total } = lines
  const whole = frameText({
    tag: 'document',
    attributes: { uri, docid, path: `/${path}`, title: oneLine(title), lines: `${start}-${end}`, total: String(total) },
    before,
    text,
    firstLine: start,
  })
  return rest === undefined ? whole : `${whole}${frameText({ tag: 'notice', attributes: {}, text: rest })}`
}

/** The documents as elements, then what is not given. What is said of several places stands in the first. */
export function elements({ documents, left }: FittedDocuments): string {
  const said = new Map<string, string>()
  const shown = documents.map((document) => {
    const { path, context } = document
    if (context === undefined) return elementAfter(document, '')
    const first = said.get(context)
    if (first !== undefined) return elementAfter(document, framedContext({ path: `/${path}`, as: first }))
    said.set(context, `/${path}`)
    return element(document)
  })
  const missing = left.map(({ path, detail }) => frameText({ tag: 'left', attributes: { path }, text: detail }))
  return [...shown, ...missing].join('')
}

/** An attribute of the first tag of a framed text. */
export function attributeIn(text: string, name: string): string | undefined {
  const [tag = ''] = text.split('\n', 1)
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
}
