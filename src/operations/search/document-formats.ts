/** Documents as text: for people and pipes, and framed for a model. */

import { utf8Length } from '../../core/tokens.ts'
import type { GetAnswer, MultiGetAnswer } from '../../engine/engine.ts'
import { largestThatFits } from '../../text/bisect.ts'
import { joinLines, oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'
import { frameContext, frameText } from '../../text/frames.ts'
import { lineStarts } from '../../text/lines.ts'
import { clipBytes, clipMarked } from '../../text/truncate.ts'
import { noRoom } from './formats.ts'

/** The text of a document and nothing else, so that it can be piped. */
export function documentText({ text }: Pick<GetAnswer, 'text'>): string {
  return text.endsWith('\n') || text === '' ? text : `${text}\n`
}

/** The path context in one line; undefined for a document without one. */
export function aboutLine({ context }: Pick<GetAnswer, 'context'>): string | undefined {
  return context === undefined ? undefined : `[${joinLines(context)}]`
}

/** The documents, each below a line with its URI and path context. A text may contain such a line itself. */
export function joinDocuments({ documents, left }: FittedDocuments): string {
  const sections = documents.map((document) => {
    const about = aboutLine(document)
    return `==> ${oneLine(document.uri)} <==\n${about === undefined ? '' : `  ${about}\n`}${documentText(document)}`
  })
  return sections.join('\n') || (left.length > 0 ? 'Nothing was printed.\n' : '')
}

/** The document as an element that its text cannot close, then a notice about the part that did not fit. */
export function documentElement(document: FittedDocument): string {
  const { path, context } = document
  return frameDocument(document, context === undefined ? '' : frameContext({ path: `/${path}` }, context))
}

function frameDocument({ uri, docid, path, title, text, lines, omission }: FittedDocument, contextXml: string): string {
  const { start, end, total } = lines
  const element = frameText({
    tag: 'document',
    attributes: { uri, docid, path: `/${path}`, title: oneLine(title), lines: `${start}-${end}`, total: String(total) },
    before: contextXml,
    text,
    firstLine: start,
  })
  return omission === undefined ? element : `${element}${frameText({ tag: 'notice', attributes: {}, text: omission })}`
}

/** Elements of the documents, then of `left` (omitted paths). The first document of a path context has its text. */
export function documentElements({ documents, left }: FittedDocuments): string {
  const firstPath = new Map<string, string>()
  const elements = documents.map((document) => {
    const { path, context } = document
    if (context === undefined) return frameDocument(document, '')
    const first = firstPath.get(context)
    if (first !== undefined) return frameDocument(document, frameContext({ path: `/${path}`, as: first }))
    firstPath.set(context, `/${path}`)
    return documentElement(document)
  })
  const leftElements = left.map(({ path, detail }) => frameText({ tag: 'left', attributes: { path }, text: detail }))
  return [...elements, ...leftElements].join('')
}

/** An attribute of the first tag of a framed text. */
export function attributeIn(text: string, name: string): string | undefined {
  const [tag = ''] = text.split('\n', 1)
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
}

/** A document, or the part of it that fits. */
interface FittedDocument extends GetAnswer {
  /** A sentence that says which part was left out, and how to get it. Absent for a whole document. */
  readonly omission?: string
}

interface FittedDocuments extends Pick<MultiGetAnswer, 'left'> {
  readonly documents: readonly FittedDocument[]
}

/**
 * The document with as many lines, from the first, as `write` prints within the budget. A first line that is too long is cut; the
 * path context takes at most a quarter of the budget.
 *
 * @param budget tokens, four bytes each. Default: no limit.
 * @param frameShare the share of a budget that the text around the lines may take, 0 to 1. It decides which budget the error asks for.
 * @throws ContextError `invalid-input` if not even the text around the lines fits.
 */
export function fitLines(
  answer: GetAnswer,
  budget: number | undefined,
  write: (document: FittedDocument) => string,
  frameShare = 3 / 4,
): FittedDocument {
  if (budget === undefined) return answer
  const maxBytes = budget * 4
  const fits = (document: FittedDocument) => utf8Length(write(document)) <= maxBytes
  if (fits(answer)) return answer
  const { lines, context } = answer
  const clippedContext = context === undefined ? {} : { context: clipMarked(context, Math.floor(maxBytes / 4)) }
  const textStart = clipBytes(answer.text, maxBytes)
  const starts = lineStarts(textStart)
  const firstLines = (lineCount: number): FittedDocument => {
    const end = lines.start + lineCount - 1
    return {
      ...answer,
      ...clippedContext,
      text: textStart.slice(0, starts[lineCount]),
      lines: { ...lines, end },
      omission: `Only lines ${lines.start}-${end} of ${lines.total} fit into the budget: ask for lines ${end + 1}-${lines.end}.`,
    }
  }
  const lineCount = largestThatFits(starts.length - 1, (most) => fits(firstLines(most)))
  if (lineCount > 0) return firstLines(lineCount)
  const notice = `Line ${lines.start} is cut to fit into the budget: ask with a larger budget.`
  const firstLine = { ...answer, ...clippedContext, lines: { ...lines, end: lines.start }, omission: notice }
  const cutLine = (bytes: number): FittedDocument => ({ ...firstLine, text: clipBytes(textStart, bytes) })
  const byteCount = largestThatFits(maxBytes, (bytes) => fits(cutLine(bytes)))
  if (byteCount < 0) throw noRoom(write(cutLine(0)), frameShare)
  return cutLine(byteCount)
}

/**
 * The documents, from the first, that `write` prints completely within the budget. A first document that is too long is cut. One row of `left` names
 * the other documents; beside a cut document, the rows take at most half of the budget.
 *
 * @param budget tokens, four bytes each. Default: no limit.
 * @throws ContextError `invalid-input` if not even a document without lines and a row fit.
 */
export function fitDocuments(
  answer: MultiGetAnswer,
  budget: number | undefined,
  write: (answer: FittedDocuments) => string,
): FittedDocuments {
  const { documents } = answer
  const fits = (fitted: FittedDocuments) => budget === undefined || utf8Length(write(fitted)) <= budget * 4
  if (fits(answer)) return answer
  const firstDocuments = (most: number): FittedDocuments => {
    return { documents: documents.slice(0, most), left: [...answer.left, ...omittedDocuments(documents.slice(most))] }
  }
  const documentCount = largestThatFits(documents.length, (number) => fits(firstDocuments(number)))
  const [first] = documents
  if (budget === undefined || documentCount > 0) return firstDocuments(Math.max(documentCount, 0))
  const { left: allRows } = firstDocuments(1)
  const firstRows = (most: number) => {
    if (most === allRows.length) return allRows
    // The last row, which is not shown, may stand for several documents.
    const count = answer.left.length + documents.slice(1).length - most
    const lastRow = { path: `${count} more`, detail: 'No room in the budget: ask with a larger one.' }
    return [...allRows.slice(0, most), lastRow]
  }
  const frames = first ? [{ ...first, text: '' }] : []
  const sizeWith = (left: FittedDocuments['left']) => utf8Length(write({ documents: frames, left }))
  const maxBytes = first ? budget * 2 : budget * 4
  const fitRows = (most: number) => sizeWith(firstRows(most)) - sizeWith([]) <= maxBytes
  const left = firstRows(Math.max(0, largestThatFits(allRows.length, fitRows)))
  if (!first && !fits({ documents, left })) throw noRoom(write({ documents, left }))
  if (!first) return { documents, left }
  const alone = (document: FittedDocument) => write({ documents: [document], left })
  return { documents: [fitLines(first, budget, alone, 1 / 4)], left }
}

/** Maximum bytes of the names of omitted documents. */
const MAX_NAMES_BYTES = 300

function omittedDocuments(documents: readonly GetAnswer[]): MultiGetAnswer['left'] {
  if (documents.length === 0) return []
  const names = clipMarked(documents.map(({ collection, path }) => `${collection}/${path}`).join(', '), MAX_NAMES_BYTES)
  const detail = `No room in the budget: ${names}. Get them one by one, or by lines.`
  return [{ path: countNoun(documents.length, 'document'), detail }]
}
