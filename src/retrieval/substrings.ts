/**
 * Any piece of a text, found by the three characters in a row that it is made of. They are terms like others, in the same
 * segments, behind a character that no word begins with; and say which documents may hold a piece: the texts tell for sure.
 */

import { scanWords } from './index/words.ts'
import { Bytes, decodePostings, encodePostings } from './postings.ts'
import { LONGEST_TERM, termsOf } from './terms.ts'

/** No word holds it. */
const SIGN = '\u0001'

/** The term of all documents whose pieces are in the index. */
export const INDEXED = SIGN

/** Terms that one piece is looked up by: the rarest few leave hardly a document that does not hold it. */
const MOST_LOOKED_UP = 8

/** Half of a character beyond the basic plane: cut in two it is none, in a database. */
const HALF = /[\ud800-\udfff]/

/** A text of the same length in which upper and lower case are one. */
export function withoutCase(text: string): string {
  // The one character that becomes longer.
  return text.replaceAll('\u0130', 'i').toLowerCase()
}

/** The terms that a piece is found by; none for one of less than three characters. */
export function termsOfPiece(piece: string): string[] {
  const plain = withoutCase(piece)
  const terms = new Set<string>()
  for (let at = 0; at + 3 <= plain.length; at++) {
    const three = plain.slice(at, at + 3)
    if (!HALF.test(three)) terms.add(SIGN + three)
  }
  return [...terms]
}

/** A word of a piece, or what the piece has of one. */
interface PieceOfWord {
  /** The term, where the whole word is in the piece. */
  readonly term?: string
  /** Whether the part may stand in a word of this term; true where it is not known. */
  mayStandIn(term: string): boolean
}

/** Letters that stems of English words lack, in any order. */
const LOST =
  `al ance ence anc enc ancy ency er ic able ible ably ibly ant ement ment ent ion ism at ate ati ity iti ou ous iv ive iz ize abil
  ibil bil il abl ibl ful ness or ist e s es ed eed ing ly y i ies ied`.split(/\s+/)

/** Letters of the shortest part that is looked for in words. */
const SHORTEST_PART = 3

/** The words that a document must have to hold a piece: of Latin letters and digits, others narrow nothing. */
export function piecesOfWords(piece: string): PieceOfWord[] {
  const found: PieceOfWord[] = []
  scanWords(piece, {
    word(start, end) {
      const part = piece.slice(start, end).toLowerCase()
      if (!/^[a-z\d]+$/.test(part)) return
      const [isBegin, isEnd] = [start > 0, end < piece.length]
      if (isBegin && isEnd) found.push({ term: termsOf(piece.slice(start, end)).main, mayStandIn: () => true })
      else if (part.length >= SHORTEST_PART && ![part, part.slice(1)].some((one) => isLost(one, true)))
        found.push({ mayStandIn: (term) => mayStandIn(part, term, isBegin) })
    },
    run: () => {},
    compound: () => {},
  })
  return found
}

/** A term is a word without an ending; its last letter may be another, and a longer word is cut. */
function mayStandIn(part: string, term: string, isBegin: boolean): boolean {
  if (term.length >= LONGEST_TERM - 1 || (isBegin ? term.startsWith(part) : term.includes(part))) return true
  return [term, term.slice(0, -1)].some((stem) => {
    for (let shared = Math.min(part.length, stem.length); shared > 0; shared--) {
      const isShared = isBegin ? shared === stem.length && part.startsWith(stem) : stem.endsWith(part.slice(0, shared))
      const doubled = part[shared] === part[shared - 1] ? 1 : 0
      if (isShared && (isLost(part.slice(shared)) || isLost(part.slice(shared + doubled)))) return true
    }
    return false
  })
}

/** Whether a text is a row of endings, of the last of them at least the beginning; `isOpen`: of the first at least the end. */
function isLost(rest: string, isOpen = false): boolean {
  if (isOpen && LOST.some((ending) => ending.includes(rest))) return true
  const reached = new Set(isOpen ? LOST.flatMap((ending) => endsIn(rest, ending)) : [0])
  // A set goes on with what is added while it is walked.
  for (const at of reached) {
    const left = rest.slice(at)
    if (LOST.some((ending) => ending.startsWith(left))) return true
    for (const ending of LOST) if (left.startsWith(ending)) reached.add(at + ending.length)
  }
  return false
}

/** Lengths of the beginnings of a text that an ending ends with. */
function endsIn(text: string, ending: string): number[] {
  return Array.from({ length: ending.length }, (_, at) => at)
    .filter((at) => text.startsWith(ending.slice(at)))
    .map((at) => ending.length - at)
}

const ASCII = 128

/** Tells the terms of all pieces of a text by their numbers, each as often as it stands there. */
export class PieceScanner {
  readonly #numberOf: (term: string) => number
  /** The number of a term of three ASCII characters plus one. */
  readonly #known = new Uint32Array(ASCII ** 3)

  constructor(numberOf: (term: string) => number) {
    this.#numberOf = numberOf
  }

  scan(text: string, tell: (number: number) => void): void {
    const plain = withoutCase(text)
    let [before, last] = [plain.charCodeAt(0), plain.charCodeAt(1)]
    for (let at = 2; at < plain.length; at++) {
      const code = plain.charCodeAt(at)
      if ((before | last | code) < ASCII) tell(this.#ascii((before * ASCII + last) * ASCII + code, plain, at))
      else {
        const three = plain.slice(at - 2, at + 1)
        if (!HALF.test(three)) tell(this.#numberOf(SIGN + three))
      }
      before = last
      last = code
    }
  }

  #ascii(key: number, plain: string, at: number): number {
    const known = this.#known[key] ?? 0
    if (known > 0) return known - 1
    const number = this.#numberOf(SIGN + plain.slice(at - 2, at + 1))
    this.#known[key] = number + 1
    return number
  }
}

/**
 * The documents of a segment that may hold a piece, as postings: those that hold all its terms, and those whose pieces are
 * not in the index.
 *
 * @param indexed the postings of `INDEXED`
 * @param terms the postings of each of the piece's terms
 */
export function mayHold(
  docs: number,
  indexed: Uint8Array | undefined,
  terms: readonly (Uint8Array | undefined)[],
): Uint8Array {
  const rarest = [...terms].sort((a, b) => (a?.length ?? 0) - (b?.length ?? 0)).slice(0, MOST_LOOKED_UP)
  /** How many of the terms each document lacks: none where its pieces are unknown. */
  const lacking = new Uint8Array(docs)
  if (indexed) for (const doc of docsOf(indexed)) lacking[doc] = rarest.length
  for (const postings of rarest)
    for (const doc of postings ? docsOf(postings) : []) lacking[doc] = (lacking[doc] ?? 0) - 1
  const may: number[] = []
  for (let doc = 0; doc < docs; doc++) if (lacking[doc] === 0) may.push(doc)
  const none = { docs: [], counts: [], from: 0, to: 0 }
  return encodePostings({ docs: may, counts: [], from: 0, to: may.length }, none, new Bytes())
}

/** Of a term that stands in bodies alone. */
export function docsOf(postings: Uint8Array): Uint32Array {
  const { docs, body } = decodePostings(postings)
  return docs.subarray(0, body)
}

/** Positions of a piece in a text without case; the first ones, none within another. */
export function placesOf(piece: string, plain: string, most: number): number[] {
  const looked = withoutCase(piece)
  const places: number[] = []
  if (looked === '') return places
  for (
    let at = plain.indexOf(looked);
    at >= 0 && places.length < most;
    at = plain.indexOf(looked, at + looked.length)
  ) {
    places.push(at)
  }
  return places
}
