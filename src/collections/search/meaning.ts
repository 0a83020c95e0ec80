/** Compares documents with a query by meaning, by the built-in table of word vectors. `Meaning` also fits a model. */

import { readWordVectors } from '../../files/home.ts'
import {
  LOW_COVERAGE,
  MIN_COSINE,
  type PassageSpan,
  type QuestionMeaning,
  TABLE_WEIGHT,
  wordMeaning,
} from '../../retrieval/meaning.ts'
import { UNKNOWN_IDF } from '../../retrieval/reread.ts'
import { stemOf } from '../../retrieval/terms.ts'
import type { Document, DocumentFilter } from '../../stores/document-store.ts'
import type { Store } from '../../stores/store.ts'
import type { VectorChunk } from '../../stores/vector-store.ts'
import type { ExactTextReader } from './exact-text.ts'
import type { ResolvedTerm } from './resolve-terms.ts'

/** The nearest passage of a document: its position in the text, or the lines of its chunk if the text was not read. */
export interface NearDocument extends Partial<PassageSpan> {
  readonly cosine: number
  readonly chunk?: VectorChunk
}

type NearDocuments = ReadonlyMap<number, NearDocument>

/** How to compare documents with one query by meaning. */
export interface Meaning {
  /**
   * Exponent of the coverage (share of the query's words that the best hit has). A higher exponent lowers word scores.
   */
  readonly coverageExponent: number
  /**
   * Weight of a cosine, relative to a word score. `isNamed`: a document has a name in the query, whose words it covers.
   */
  weightFor(documents: readonly Document[], isNamed: boolean): number
  /** The passages of a document, the nearest first, if known. */
  passages?(document: Document, text: string): readonly PassageSpan[]
  /** Further documents that are near in meaning. `coverage`: share of the query that the best hit by words contains. */
  findFurther(coverage: number): Promise<readonly Document[]>
  /** The nearest passage of each document, if known, by its id. Reads texts that are not cached. */
  nearest(hits: readonly ComparedHit[], texts: ExactTextReader, coverage: number): Promise<NearDocuments>
}

/** A document, with its best passage by words. */
export interface ComparedHit {
  readonly document: Document
  readonly shown?: PassageSpan
}

/** Maximum documents to compare if words cover the query. More documents do not improve the first ten results. */
const MAX_COVERED_DOCUMENTS = 15

/** Below `LOW_COVERAGE`: maximum documents to compare, and maximum further documents. */
const MAX_COMPARED_DOCUMENTS = 1_000
const MAX_FURTHER_DOCUMENTS = 20

/** Minimum further documents of a search with `minScore` 0, regardless of their similarity. */
const MIN_FURTHER_DOCUMENTS = 5

interface MeaningScope {
  readonly store: Store
  readonly filter: DocumentFilter
  /** Number of all documents, including filtered ones. */
  readonly documentCount: number
  /** Whether the query has no conditions. */
  readonly isPlain: boolean
  readonly texts: ExactTextReader
  /** The requested minimum score. 0 makes a few documents hits regardless of their similarity. */
  readonly minScore: number | undefined
}

/**
 * The comparison by the built-in table of word vectors; undefined if the table does not know the words of the query.
 */
export function tableMeaning(plain: string, terms: readonly ResolvedTerm[], scope: MeaningScope): Meaning | undefined {
  const question = askTable(plain, terms)
  if (!question) return undefined
  return {
    coverageExponent: 1,
    weightFor: (documents, isNamed) => {
      // The table does not know names: pages about another person or product would seem near.
      if (isNamed) return 0
      const codeShare = documents.filter(({ format }) => format === 'code').length / (documents.length || 1)
      return codeShare * TABLE_WEIGHT.code + (1 - codeShare) * TABLE_WEIGHT.prose
    },
    findFurther: async (coverage) =>
      coverage < LOW_COVERAGE || scope.minScore === 0 ? nearestDocuments(question, scope) : [],
    passages: ({ hash, title }, text) => question.passages({ hash, title, text }),
    // Whole texts take most of the time of a search, so if words cover the query, only passages are compared.
    nearest: (hits, texts, coverage) => {
      const isCovered = coverage >= LOW_COVERAGE
      const comparedHits = isCovered
        ? hits.filter(({ shown }, at) => at < MAX_COVERED_DOCUMENTS || !shown)
        : hits.map(({ document }) => ({ document }))
      return nearestPassages(question, comparedHits, texts)
    },
  }
}

/** The query as a question to the built-in table; undefined if the table does not know the words. */
export function askTable(plain: string, terms: readonly ResolvedTerm[]): QuestionMeaning | undefined {
  return wordMeaning(readWordVectors).askAbout(plain, wordWeights(terms))
}

/** The weight of a word of the query: its inverse document frequency (idf). Undefined for another word. */
function wordWeights(resolved: readonly ResolvedTerm[]): (word: string) => number | undefined {
  const weights = new Map<string, number>()
  for (const { term, docs = 0, idf = 0 } of resolved) weights.set(term.term, docs > 0 ? idf : UNKNOWN_IDF)
  return (word) => weights.get(stemOf(word.toLowerCase()))
}

async function nearestPassages(question: QuestionMeaning, hits: readonly ComparedHit[], texts: ExactTextReader) {
  const nearestById = new Map<number, NearDocument>()
  const compare = ({ document: { id, hash, title }, shown }: ComparedHit, text?: string) => {
    const nearest = question.nearest({ hash, title, text }, shown)
    if (nearest) nearestById.set(id, nearest)
  }
  for (const hit of hits) compare(hit)
  const unreadHits = hits.filter(({ document }) => !nearestById.has(document.id))
  for await (const [hit, { text }] of texts.each(unreadHits)) compare(hit, text)
  return nearestById
}

async function nearestDocuments(question: QuestionMeaning, scope: MeaningScope) {
  const { store, filter, documentCount, isPlain, texts, minScore } = scope
  if (!isPlain || documentCount > MAX_COMPARED_DOCUMENTS) return []
  const hits = (await store.documents.list(filter)).map((document) => ({ document }))
  const nearestById = await nearestPassages(question, hits, texts)
  const cosineOf = (id: number) => nearestById.get(id)?.cosine ?? 0
  const sorted = hits.map(({ document }) => document).sort((a, b) => cosineOf(b.id) - cosineOf(a.id))
  const similar = sorted.filter(({ id }) => cosineOf(id) >= MIN_COSINE).slice(0, MAX_FURTHER_DOCUMENTS)
  return similar.length < MIN_FURTHER_DOCUMENTS && minScore === 0 ? sorted.slice(0, MIN_FURTHER_DOCUMENTS) : similar
}
