/**
 * Finds substrings by their trigrams (three characters). The index has trigrams as terms with a prefix that no word
 * has. Trigrams select the documents that may contain a substring; then the texts are checked.
 */

import { scanWords } from './index/words.ts'
import { ByteWriter, decodePostings, encodePostings } from './postings.ts'
import { MAX_TERM_LENGTH, termsOf } from './terms.ts'

/** Prefix of trigrams. No word contains it. */
const TRIGRAM_SIGN = '\u0001'

/** The term of all documents whose substrings are indexed. */
export const INDEXED = TRIGRAM_SIGN

/** Maximum trigrams to look up for a substring: the rarest. Few documents have these, but not the substring. */
const MAX_LOOKED_UP = 8

/** Half of a surrogate pair, which a database cannot store. */
const SURROGATE_HALF = /[\ud800-\udfff]/

/** The text in lower case. Its length stays the same, so that offsets stay valid. */
export function withoutCase(text: string): string {
  // U+0130 is the only character that is longer in lower case.
  return text.replaceAll('\u0130', 'i').toLowerCase()
}

/** The trigrams of a substring; none for fewer than three characters. Leaves out trigrams with half of a surrogate pair. */
export function termsOfPiece(piece: string): string[] {
  const plain = withoutCase(piece)
  const terms = new Set<string>()
  for (let at = 0; at + 3 <= plain.length; at++) {
    const trigram = plain.slice(at, at + 3)
    if (!SURROGATE_HALF.test(trigram)) terms.add(TRIGRAM_SIGN + trigram)
  }
  return [...terms]
}

/** A whole word in a substring, or a cut word at its start or end. */
interface PieceOfWord {
  /** The term of a whole word; absent for a cut word. */
  readonly term?: string
  /** Whether a word with this term can contain the cut word; true if unknown. */
  mayBeIn(term: string): boolean
}

/** Endings that stems of English words lack. */
const STEM_ENDINGS =
  `al ance ence anc enc ancy ency er ic able ible ably ibly ant ement ment ent ion ism at ate ati ity iti ou ous iv ive iz ize abil
  ibil bil il abl ibl ful ness or ist e s es ed eed ing ly y i ies ied`.split(/\s+/)

/** Minimum letters of a cut word that is searched in terms. */
const MIN_PART_LETTERS = 3

/** The words in a substring that a document with the substring must have, if of Latin letters and digits. */
export function piecesOfWords(piece: string): PieceOfWord[] {
  const parts: PieceOfWord[] = []
  scanWords(piece, {
    word(start, end) {
      const part = piece.slice(start, end).toLowerCase()
      if (!/^[a-z\d]+$/.test(part)) return
      const [hasStart, hasEnd] = [start > 0, end < piece.length]
      if (hasStart && hasEnd) parts.push({ term: termsOf(piece.slice(start, end)).main, mayBeIn: () => true })
      else if (part.length >= MIN_PART_LETTERS && ![part, part.slice(1)].some((one) => isStemEnding(one, true)))
        parts.push({ mayBeIn: (term) => mayBeIn(part, term, hasStart) })
    },
  })
  return parts
}

/**
 * Whether a word with the stem `term` can contain `part`. Allows for endings, which stems lack, for another last
 * letter, and for long terms, which are cut.
 */
function mayBeIn(part: string, term: string, hasStart: boolean): boolean {
  if (term.length >= MAX_TERM_LENGTH - 1 || (hasStart ? term.startsWith(part) : term.includes(part))) return true
  return [term, term.slice(0, -1)].some((stem) => {
    for (let shared = Math.min(part.length, stem.length); shared > 0; shared--) {
      const isShared = hasStart ? shared === stem.length && part.startsWith(stem) : stem.endsWith(part.slice(0, shared))
      const doubled = part[shared] === part[shared - 1] ? 1 : 0
      if (isShared && (isStemEnding(part.slice(shared)) || isStemEnding(part.slice(shared + doubled)))) return true
    }
    return false
  })
}

/** Whether a text is a sequence of endings. The last may be cut; with `mayStartInside`, the first may be cut, too. */
function isStemEnding(text: string, mayStartInside = false): boolean {
  if (mayStartInside && STEM_ENDINGS.some((ending) => ending.includes(text))) return true
  const reachedOffsets = new Set(mayStartInside ? STEM_ENDINGS.flatMap((ending) => endingOverlaps(text, ending)) : [0])
  // The iteration includes values added to the set meanwhile.
  for (const at of reachedOffsets) {
    const remaining = text.slice(at)
    if (STEM_ENDINGS.some((ending) => ending.startsWith(remaining))) return true
    for (const ending of STEM_ENDINGS) if (remaining.startsWith(ending)) reachedOffsets.add(at + ending.length)
  }
  return false
}

/** Lengths of the prefixes of a text that are suffixes of an ending. */
function endingOverlaps(text: string, ending: string): number[] {
  return Array.from({ length: ending.length }, (_, at) => at)
    .filter((at) => text.startsWith(ending.slice(at)))
    .map((at) => ending.length - at)
}

const ASCII = 128

/** Returns a function that reports each trigram of a text, as often as it occurs, by the number from `numberOf`. */
export function createTrigramScanner(numberOf: (term: string) => number) {
  /** Number + 1 of each term of three ASCII characters. */
  const asciiNumbers = new Uint32Array(ASCII ** 3)
  const numberOfAscii = (key: number, plain: string, at: number): number => {
    const cached = asciiNumbers[key] ?? 0
    if (cached > 0) return cached - 1
    const number = numberOf(TRIGRAM_SIGN + plain.slice(at - 2, at + 1))
    asciiNumbers[key] = number + 1
    return number
  }
  return (text: string, report: (number: number) => void): void => {
    const plain = withoutCase(text)
    let [before, last] = [plain.charCodeAt(0), plain.charCodeAt(1)]
    for (let at = 2; at < plain.length; at++) {
      const code = plain.charCodeAt(at)
      if ((before | last | code) < ASCII) report(numberOfAscii((before * ASCII + last) * ASCII + code, plain, at))
      else {
        const trigram = plain.slice(at - 2, at + 1)
        if (!SURROGATE_HALF.test(trigram)) report(numberOf(TRIGRAM_SIGN + trigram))
      }
      before = last
      last = code
    }
  }
}

/**
 * The documents of a segment that may contain a substring, as postings: documents with the rarest trigrams of the
 * substring, and documents whose substrings are not indexed.
 *
 * @param indexed the postings of `INDEXED`
 * @param terms the postings of each trigram
 */
export function candidatePostings(
  docs: number,
  indexed: Uint8Array | undefined,
  terms: readonly (Uint8Array | undefined)[],
): Uint8Array {
  // Replaces undefined, because a sort puts undefined last.
  const postingsOfTerms = terms.map((postings) => postings ?? new Uint8Array())
  const rarest = postingsOfTerms.sort((a, b) => a.length - b.length).slice(0, MAX_LOOKED_UP)
  /** Number of missing trigrams of each document; 0 if its substrings are not indexed. */
  const missingCounts = new Uint8Array(docs)
  if (indexed) for (const doc of bodyDocuments(indexed)) missingCounts[doc] = rarest.length
  for (const postings of rarest)
    for (const doc of bodyDocuments(postings)) missingCounts[doc] = (missingCounts[doc] ?? 0) - 1
  const candidates: number[] = []
  for (let doc = 0; doc < docs; doc++) if (missingCounts[doc] === 0) candidates.push(doc)
  const noPostings = { docs: [], counts: [], from: 0, to: 0 }
  return encodePostings({ docs: candidates, counts: [], from: 0, to: candidates.length }, noPostings, new ByteWriter())
}

/** The documents of a term that occurs only in bodies. */
export function bodyDocuments(postings: Uint8Array): Uint32Array {
  const { docs, body } = decodePostings(postings)
  return docs.subarray(0, body)
}

/** Up to `limit` positions of a substring in `plain`, a text after `withoutCase`. They do not overlap. */
export function positionsOf(piece: string, plain: string, limit: number): number[] {
  const folded = withoutCase(piece)
  const positions: number[] = []
  if (folded === '') return positions
  let at = plain.indexOf(folded)
  while (at >= 0 && positions.length < limit) {
    positions.push(at)
    at = plain.indexOf(folded, at + folded.length)
  }
  return positions
}
