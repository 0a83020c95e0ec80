/** Documents under a budget: whole lines as long as they fit, and what is left out is named. */

import { utf8Length } from '../../core/tokens.ts'
import type { GetAnswer, MultiGetAnswer } from '../../engine/engine.ts'
import { countNoun } from '../../text/counts.ts'
import { largestThatFits } from '../../text/largest.ts'
import { lineStarts } from '../../text/lines.ts'
import { clipBytes, clipMarked } from '../../text/truncate.ts'

/** A document, or as much of it as has room. */
export interface FittedDocument extends GetAnswer {
  /** What of it has no room, and how to get it: a sentence. Absent where all of it is given. */
  readonly rest?: string
}

export interface FittedDocuments extends Pick<MultiGetAnswer, 'left'> {
  readonly documents: readonly FittedDocument[]
}

/**
 * The document with as many of its lines, from the first, as `write` prints within the budget. A first line that is too long
 * is given in part; what is said of the place takes a quarter of the room at most.
 *
 * @param budget tokens, four bytes each. Default: no limit.
 */
export function fitLines(
  answer: GetAnswer,
  budget: number | undefined,
  write: (document: FittedDocument) => string,
): FittedDocument {
  const room = (budget ?? Number.POSITIVE_INFINITY) * 4
  const fits = (document: FittedDocument) => utf8Length(write(document)) <= room
  if (room === Number.POSITIVE_INFINITY || fits(answer)) return answer
  const { lines, context } = answer
  const about = context === undefined ? {} : { context: clipMarked(context, Math.floor(room / 4)) }
  const head = clipBytes(answer.text, room)
  const starts = lineStarts(head)
  const upTo = (most: number): FittedDocument => {
    const end = lines.start + most - 1
    return {
      ...answer,
      ...about,
      text: head.slice(0, starts[most]),
      lines: { ...lines, end },
      rest: restOf(end, lines),
    }
  }
  const whole = largestThatFits(starts.length - 1, (most) => fits(upTo(most)))
  if (whole > 0) return upTo(whole)
  const rest = `Line ${lines.start} is given in part, for want of room: ask with a larger budget.`
  const part = (bytes: number): FittedDocument => {
    return { ...answer, ...about, text: clipBytes(head, bytes), lines: { ...lines, end: lines.start }, rest }
  }
  return part(
    Math.max(
      0,
      largestThatFits(room, (bytes) => fits(part(bytes))),
    ),
  )
}

function restOf(end: number, { start, end: last, total }: GetAnswer['lines']): string {
  return `Lines ${start}-${end} of ${total} are given, for want of room: ask for lines ${end + 1}-${last}.`
}

/**
 * The documents, from the first, that `write` prints whole within the budget; of a first one that is too long, its beginning.
 * The others are left, in one row.
 *
 * @param budget tokens, four bytes each. Default: no limit.
 */
export function fitDocuments(
  answer: MultiGetAnswer,
  budget: number | undefined,
  write: (answer: FittedDocuments) => string,
): FittedDocuments {
  const room = (budget ?? Number.POSITIVE_INFINITY) * 4
  const { documents } = answer
  const sizeOf = (some: FittedDocuments) => utf8Length(write(some))
  if (room === Number.POSITIVE_INFINITY || sizeOf(answer) <= room) return answer
  const upTo = (most: number): FittedDocuments => {
    return { documents: documents.slice(0, most), left: [...answer.left, ...leftOut(documents.slice(most))] }
  }
  const most = largestThatFits(documents.length, (number) => sizeOf(upTo(number)) <= room)
  const [first] = documents
  if (most > 0 || !first) return upTo(Math.max(most, 0))
  const { left } = upTo(1)
  const alone = (document: FittedDocument) => write({ documents: [document], left })
  return { documents: [fitLines(first, budget, alone)], left }
}

/** Bytes of the names of what is left out. */
const NAMES = 300

function leftOut(documents: readonly GetAnswer[]): MultiGetAnswer['left'] {
  if (documents.length === 0) return []
  const names = clipMarked(documents.map(({ collection, path }) => `${collection}/${path}`).join(', '), NAMES)
  const detail = `No room in the budget: ${names}. Get them one by one, or by lines.`
  return [{ path: countNoun(documents.length, 'document'), detail }]
}
