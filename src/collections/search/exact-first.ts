/** Finds documents that contain the query or a name in it verbatim, or whose title is the query. */

import { throwIfAborted } from '../../core/errors.ts'
import type { Query } from '../../retrieval/query.ts'
import type { RankedDocument, TermGroup } from '../../retrieval/rank.ts'
import { createOwnNameTest, type ExactText, exactTextsIn } from '../../retrieval/reread.ts'
import { withoutCase } from '../../retrieval/substrings.ts'
import { composeText } from '../../retrieval/terms.ts'
import type { Document } from '../../stores/document-store.ts'
import type { DocumentText, ExactTextReader } from './exact-text.ts'
import type { FusedHit, LexicalHit } from './fusion.ts'
import type { ResolvedTerm } from './resolve-terms.ts'

/** Number of documents to read for a name: first `first`, then up to `maximum` until a document contains the name. */
const READ_LIMITS = { first: 32, maximum: 1024 } as const

/** A name that is common in prose counts only if at most this number of documents contain it. */
const MAX_COMMON_MATCHES = 4

/** Maximum number of informative words of a query that can be a title. */
const MAX_TITLE_WORDS = 8

/**
 * Grades (higher is better) of a document whose title is the query. `words`: for a query of ordinary words, above their
 * verbatim match. `name`: for a query with an unusual name, below a match of the name.
 */
const TITLE_GRADES = { words: 3, name: 1 } as const

/** A text to find verbatim in documents that contain all of its words. */
interface ExactCandidate extends Pick<ExactText, 'isCommon'> {
  /** Whether the text is a required phrase, which counts even if many documents contain it. Default: false. */
  readonly isRequired?: boolean
  readonly termGroup: TermGroup
  /** Whether the query itself contains the text. Default: false, for a title or a correction. */
  readonly isWritten?: boolean
  grade(document: Document, text: DocumentText): number
}

/** The texts to find verbatim: names and phrases of the query, corrections, and the query as a title. */
export function exactCandidates(query: Query, resolved: readonly ResolvedTerm[]): ExactCandidate[] {
  const words = resolved.filter(({ term }) => term.kind === 'word')
  const indexByTerm = new Map(
    resolved.flatMap(({ term, as, terms }, index) => {
      return term.kind === 'word' && as === 'typed' && terms.length > 0 ? [[term.term, index] as const] : []
    }),
  )
  const toTermGroup = (terms: readonly string[], inTitle: boolean): TermGroup | undefined => {
    const positions = terms.flatMap((term) => indexByTerm.get(term) ?? [])
    return positions.length < terms.length ? undefined : { positions, inTitle }
  }
  const requiredTexts = query.phrases.length > 0 ? query.quotes : []
  const nameCandidates = exactTextsIn(query).flatMap(({ text, terms, grade, isCommon }): ExactCandidate[] => {
    const termGroup = toTermGroup(terms, false)
    const isRequired = requiredTexts.includes(composeText(text))
    const gradeOf = ({ title, path }: Document, { text, plain }: DocumentText) => {
      return Math.max(grade(text, plain), ...[title, path].map((name) => grade(name, withoutCase(name))))
    }
    return termGroup ? [{ termGroup, isCommon, isRequired, isWritten: true, grade: gradeOf }] : []
  })
  const guessCandidates = words.length === 1 ? resolved.flatMap(exactGuesses) : []
  const mayBeTitle = words.length > 0 && words.length <= MAX_TITLE_WORDS && query.pieces.length === 0
  const termGroup = mayBeTitle ? toTermGroup([...new Set(words.map(({ term }) => term.term))], true) : undefined
  if (!termGroup) return [...nameCandidates, ...guessCandidates]
  const isNamed = createOwnNameTest(query.plain)
  const titleGrade = nameCandidates.every(({ isCommon, isRequired }) => isCommon && !isRequired)
    ? TITLE_GRADES.words
    : TITLE_GRADES.name
  const grade = (document: Document, { text }: DocumentText) => (isNamed(document, text) ? titleGrade : 0)
  return [...nameCandidates, ...guessCandidates, { termGroup, isCommon: false, grade }]
}

/** Corrections of a query of one word, to find verbatim, because an index term stands for all words with its stem. */
function exactGuesses({ as, forms = [] }: ResolvedTerm, index: number): ExactCandidate[] {
  if (as !== 'near' || forms.length === 0) return []
  const exact = exactTextsIn({ text: forms.map((word) => `\`${word}\``).join(' '), plain: '' })
  const grade = (_: Document, { text, plain }: DocumentText) =>
    exact.some((form) => form.grade(text, plain) === 2) ? 1 : 0
  return [{ termGroup: { positions: [index], inTitle: false }, isCommon: false, grade }]
}

export interface ExactHits {
  /** Grades of documents by id; absent for documents without a match. */
  readonly grades: ReadonlyMap<number, number>
  readonly hits: readonly LexicalHit[]
  /** Whether a document contains a name that is written in the query. */
  readonly hasName: boolean
}

interface ExactSearch {
  readonly texts: ExactTextReader
  /** For each candidate, by its index: the documents that contain its words, in the order of the ranking. */
  readonly documentsByGroup: readonly (readonly RankedDocument[])[]
  /** The best hits by words, which are always read. */
  readonly bestHits: readonly LexicalHit[]
  readonly signal: AbortSignal | undefined
  hitsOf(ranked: readonly RankedDocument[]): Promise<readonly LexicalHit[]>
  idOf(ranked: RankedDocument): number
}

/** Reads and grades the documents that may contain the candidates verbatim. */
export async function findExactHits(exactTexts: readonly ExactCandidate[], search: ExactSearch): Promise<ExactHits> {
  const { texts, documentsByGroup, bestHits, signal } = search
  const grades = new Map<number, number>()
  const hitsById = new Map<number, LexicalHit>()
  let hasName = false
  for (const [index, exact] of exactTexts.entries()) {
    const rankedDocuments = exact.termGroup.positions.length === 0 ? [] : (documentsByGroup[index] ?? [])
    if (exact.isCommon && rankedDocuments.length > READ_LIMITS.maximum) continue
    const matches = new Map<number, readonly [hit: LexicalHit, grade: number]>()
    const mustBeRare = exact.isCommon && !exact.isRequired
    const isTooCommon = () => mustBeRare && matches.size > MAX_COMMON_MATCHES
    const gradeHits = async (hits: readonly LexicalHit[]) => {
      for await (const [hit, text] of texts.each(hits, signal)) {
        const grade = exact.grade(hit.document, text)
        if (grade > 0) matches.set(hit.document.id, [hit, grade])
        if (isTooCommon()) break
      }
    }
    const ids = new Set(rankedDocuments.map(search.idOf))
    const matchesAnyDocument = exact.termGroup.positions.length === 0 || exact.termGroup.inTitle
    await gradeHits(bestHits.filter(({ document: { id } }) => matchesAnyDocument || ids.has(id)))
    const maximum = Math.min(rankedDocuments.length, READ_LIMITS.maximum)
    for (let [from, to] = [0, READ_LIMITS.first as number]; from < maximum; [from, to] = [to, 2 * to]) {
      if (isTooCommon() || (!mustBeRare && from > 0 && matches.size > 0)) break
      throwIfAborted(signal)
      await gradeHits(await search.hitsOf(rankedDocuments.slice(from, to)))
    }
    if (isTooCommon()) continue
    hasName ||= exact.isWritten === true && !(exact.isCommon && exact.isRequired) && matches.size > 0
    for (const [id, [hit, grade]] of matches) {
      grades.set(id, (grades.get(id) ?? 0) + grade)
      hitsById.set(id, hit)
    }
  }
  return { grades, hits: [...hitsById.values()], hasName }
}

/** Sorts hits by grade; hits with the same grade keep their order. Raises scores so that no hit scores less than a later hit. */
export function putExactFirst(hits: readonly FusedHit[], grades: ReadonlyMap<number, number>): readonly FusedHit[] {
  if (grades.size === 0) return hits
  const gradeOf = ({ document }: FusedHit) => grades.get(document.id) ?? 0
  let minScore = 0
  const ascending = hits.toSorted((a, b) => gradeOf(b) - gradeOf(a)).reverse()
  const raised = ascending.map((hit) => {
    minScore = Math.max(minScore, hit.score)
    return { ...hit, score: minScore }
  })
  return raised.reverse()
}
