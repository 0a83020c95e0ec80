/** Finds documents that contain a query, or names in it, verbatim, and documents with that title. */

import { throwIfAborted } from '../../core/errors.ts'
import type { Query } from '../../retrieval/query.ts'
import type { Ranked, WantedTogether } from '../../retrieval/rank.ts'
import { type ExactText, exactTextsIn, ownNameFinder } from '../../retrieval/reread.ts'
import { withoutCase } from '../../retrieval/substrings.ts'
import type { Document } from '../../stores/document-store.ts'
import type { DocumentText, ReadTexts } from './exact-text.ts'
import type { FusedHit, LexicalHit } from './fusion.ts'
import type { ResolvedTerm } from './wanted.ts'

/** Number of documents to read for a name: the first, and the maximum if none of them contains it. */
const READ = { least: 32, most: 1024 } as const

/** A name that is also an ordinary word counts only if at most this number of documents contain it. */
const RARE = 4

/** Maximum number of informative words of a query that can be a title. */
const LONGEST_CALL = 8

/** Grade of a document with that title: above a mention of the same words, below a name with its punctuation. */
const CALLED = { words: 3, name: 1 } as const

/** A text to find verbatim in documents that contain all of its words. */
interface Exact extends Pick<ExactText, 'isCommon'> {
  readonly group: WantedTogether
  grade(document: Document, text: DocumentText): number
}

/** Texts of a query to find verbatim. */
export function exactlyWanted(query: Query, resolved: readonly ResolvedTerm[]): Exact[] {
  const words = resolved.filter(({ term }) => term.kind === 'word')
  const known = new Map(
    resolved.flatMap(({ term, as, terms: found }, at) => {
      return term.kind === 'word' && as === 'typed' && found.length > 0 ? [[term.term, at] as const] : []
    }),
  )
  const groupOf = (terms: readonly string[], inTitle: boolean): WantedTogether | undefined => {
    const at = terms.flatMap((term) => known.get(term) ?? [])
    return at.length < terms.length ? undefined : { at, inTitle }
  }
  const named = exactTextsIn(query).flatMap(({ terms, isCommon, grade }): Exact[] => {
    const group = groupOf(terms, false)
    const gradeOf = ({ title, path }: Document, { text, plain }: DocumentText) => {
      return Math.max(grade(text, plain), ...[title, path].map((name) => grade(name, withoutCase(name))))
    }
    return group ? [{ group, isCommon, grade: gradeOf }] : []
  })
  const guessed = words.length === 1 ? resolved.flatMap(guessedExactly) : []
  const isCall = words.length > 0 && words.length <= LONGEST_CALL && query.pieces.length === 0
  const group = isCall ? groupOf([...new Set(words.map(({ term }) => term.term))], true) : undefined
  if (!group) return [...named, ...guessed]
  const isCalled = ownNameFinder(query.plain)
  const called = named.every(({ isCommon }) => isCommon) ? CALLED.words : CALLED.name
  const grade = (one: Document, { text }: DocumentText) => (isCalled(one, text) ? called : 0)
  return [...named, ...guessed, { group, isCommon: false, grade }]
}

/** Corrections of a query of one word, to find verbatim: a term also stands for other words with its stem. */
function guessedExactly({ as, forms = [] }: ResolvedTerm, at: number): Exact[] {
  if (as !== 'near' || forms.length === 0) return []
  const exact = exactTextsIn({ text: forms.map((word) => `\`${word}\``).join(' '), plain: '' })
  const grade = (_: Document, { text, plain }: DocumentText) =>
    exact.some((form) => form.grade(text, plain) === 2) ? 1 : 0
  return [{ group: { at: [at], inTitle: false }, isCommon: false, grade }]
}

export interface ExactHits {
  /** Grades of documents by id; absent for documents without a match. */
  readonly grades: ReadonlyMap<number, number>
  readonly hits: readonly LexicalHit[]
}

interface ExactSearch {
  readonly texts: ReadTexts
  /** For each text, the documents that contain its words, in the order of the ranking. */
  readonly together: readonly (readonly Ranked[])[]
  /** The best hits by words, which are always read. */
  readonly first: readonly LexicalHit[]
  readonly signal: AbortSignal | undefined
  hitsOf(ranked: readonly Ranked[]): Promise<readonly LexicalHit[]>
  idOf(ranked: Ranked): number
}

/** Reads the documents that may contain the texts. */
export async function findExactHits(wanted: readonly Exact[], search: ExactSearch): Promise<ExactHits> {
  const { texts, together, first, signal } = search
  const grades = new Map<number, number>()
  const found = new Map<number, LexicalHit>()
  for (const [at, exact] of wanted.entries()) {
    const candidates = exact.group.at.length === 0 ? [] : (together[at] ?? [])
    if (exact.isCommon && candidates.length > READ.most) continue
    const held = new Map<number, readonly [hit: LexicalHit, grade: number]>()
    const gradeHits = async (hits: readonly LexicalHit[]) => {
      for await (const [hit, text] of texts.each(hits, signal)) {
        const grade = exact.grade(hit.document, text)
        if (grade > 0) held.set(hit.document.id, [hit, grade])
        if (exact.isCommon && held.size > RARE) break
      }
    }
    const ids = new Set(candidates.map(search.idOf))
    const isAny = exact.group.at.length === 0 || exact.group.inTitle
    await gradeHits(first.filter(({ document: { id } }) => isAny || ids.has(id)))
    const most = Math.min(candidates.length, READ.most)
    for (let [from, to] = [0, READ.least as number]; from < most; [from, to] = [to, 2 * to]) {
      if (exact.isCommon ? held.size > RARE : from > 0 && held.size > 0) break
      throwIfAborted(signal)
      await gradeHits(await search.hitsOf(candidates.slice(from, to)))
    }
    if (exact.isCommon && held.size > RARE) continue
    for (const [id, [hit, grade]] of held) {
      grades.set(id, (grades.get(id) ?? 0) + grade)
      found.set(id, hit)
    }
  }
  return { grades, hits: [...found.values()] }
}

/** Sorts by grade, and keeps the order of equal ones. Raises scores so that they fall with the order. */
export function putExactFirst(hits: readonly FusedHit[], grades: ReadonlyMap<number, number>): readonly FusedHit[] {
  if (grades.size === 0) return hits
  const gradeOf = ({ document }: FusedHit) => grades.get(document.id) ?? 0
  let least = 0
  const risen = hits.toSorted((a, b) => gradeOf(b) - gradeOf(a)).reverse()
  const raised = risen.map((hit) => {
    least = Math.max(least, hit.score)
    return { ...hit, score: least }
  })
  return raised.reverse()
}
