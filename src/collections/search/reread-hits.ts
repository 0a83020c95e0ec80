import type { WantedTerm } from '../../retrieval/passages.ts'
import type { Query } from '../../retrieval/query.ts'
import { REREAD, REREAD_GAIN, Rereader } from '../../retrieval/reread.ts'
import type { Store } from '../../stores/store.ts'
import { type ExactHits, putExactFirst } from './exact-first.ts'
import { type FusedHit, fuseHits } from './fusion.ts'
import { compareHits, type LexicalHit } from './lexical-hit.ts'
import { type Meaning, UNKNOWN_IDF } from './meaning.ts'
import type { ResolvedTerm } from './wanted.ts'

interface Rereading {
  readonly query: Pick<Query, 'plain'>
  readonly resolved: readonly ResolvedTerm[]
  /** The highest score that the index could have given. */
  readonly highest: number
  /** Absent: words alone count. */
  readonly meaning: Meaning | undefined
  readonly exact: ExactHits
}

interface RereadHits {
  readonly hits: readonly FusedHit[]
  /** Of the hits that were read. */
  readonly texts: ReadonlyMap<number, string>
}

/**
 * The hits in the order of what their texts say: what the index gave, times how much of the query stands in the text word for
 * word, and their best passage; then how near they are in meaning. Those that hold the query or its names as they are written come first. Only
 * these and the best are read. Scores come in as the index gives them, and go out in 0..1.
 */
export async function rereadHits(
  store: Store,
  hits: readonly LexicalHit[],
  { query, resolved, highest, meaning, exact }: Rereading,
): Promise<RereadHits> {
  const rereader = new Rereader(query.plain, resolved.flatMap(wantedTerm))
  const best = hits.slice(0, REREAD)
  const isBest = new Set(best.map(({ document }) => document.id))
  const read = [...best, ...exact.hits.filter(({ document }) => !isBest.has(document.id))]
  const isRead = new Set(read.map(({ document }) => document.id))
  const unread = read.flatMap(({ document: { id } }) => (exact.texts.has(id) ? [] : [id]))
  const texts = new Map([...exact.texts, ...(await store.documents.texts(unread))])
  const scored = read.map((hit): LexicalHit => {
    const { passage, run, shown } = rereader.read(texts.get(hit.document.id) ?? '')
    const score = hit.score * (1 + REREAD_GAIN.run * run * run) + REREAD_GAIN.passage * passage
    return { ...hit, score, ...(shown && { shown }) }
  })
  const all = [...scored, ...hits.filter(({ document }) => !isRead.has(document.id))].sort(
    (a, b) => b.score - a.score || compareHits(a.document, b.document),
  )
  const most = highest + REREAD_GAIN.passage * rereader.highest
  const byWords = all.map(({ document, shown, boost, score }, at): FusedHit => {
    const share = Math.min(1, score / most)
    return { document, score: share, lexical: { rank: at + 1, score: share, boost }, ...(shown && { shown }) }
  })
  if (!meaning) return { hits: putExactFirst(byWords, exact.grades), texts }
  const coverage = coverageOf(byWords[0], { texts, resolved, rereader })
  const beyond = await meaning.beyond(coverage)
  const others = beyond.flatMap(({ id }) => (texts.has(id) ? [] : [id]))
  const known = new Map([...texts, ...(await store.documents.texts(others))])
  await meaning.prepare?.([...byWords.slice(0, read.length), ...beyond.map((document) => ({ document }))], known)
  const fused = fuseHits(byWords, beyond, { meaning, coverage, texts: known })
  return { hits: putExactFirst(fused, exact.grades), texts: known }
}

interface Covering {
  readonly texts: ReadonlyMap<number, string>
  readonly resolved: readonly ResolvedTerm[]
  readonly rereader: Rereader
}

/** Share of the query that a hit holds, by how much its words tell; a word that no document holds tells the most. */
function coverageOf(hit: FusedHit | undefined, { texts, resolved, rereader }: Covering): number {
  if (!hit) return 0
  const words = resolved.filter(({ term }) => term.kind === 'word')
  const all = words.reduce((sum, { term, terms, idf = 0 }) => {
    return sum + term.weight * (terms.length === 0 ? UNKNOWN_IDF : idf)
  }, 0)
  const { id, title } = hit.document
  return all === 0 ? 1 : Math.min(1, rereader.held(`${title}\n${texts.get(id) ?? ''}`) / all)
}

/**
 * What was not typed counts as the index counted it. A prefix is looked for itself: which terms of the index it stands for depends
 * on how the index came about, and to look for one text takes less than for many.
 */
function wantedTerm({ terms, term, idf = 0, as, share }: ResolvedTerm): WantedTerm[] {
  if (terms.length === 0 || idf <= 0) return []
  const isPrefix = term.isPrefix || (as === 'begun' && terms.every((one) => one.startsWith(term.term)))
  return [{ forms: isPrefix ? [term.term] : terms, isPrefix, weight: term.weight * share, idf, cover: 1 }]
}
