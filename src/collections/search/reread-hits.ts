import type { WantedTerm } from '../../retrieval/passages.ts'
import type { Query } from '../../retrieval/query.ts'
import { REREAD, REREAD_GAIN, Rereader } from '../../retrieval/reread.ts'
import type { Store } from '../../stores/store.ts'
import { compareHits, type LexicalHit } from './lexical-hit.ts'
import { putNamesFirst } from './names-first.ts'
import type { Meant } from './wanted.ts'

interface Rereading {
  readonly query: Pick<Query, 'text' | 'plain'>
  readonly meant: readonly Meant[]
  /** The highest score that the index could have given. */
  readonly highest: number
}

/**
 * The hits in the order of what their texts say: what the index gave, times how much of the query stands in the text word for
 * word, and their best passage. Those that hold exact names of the query come first. Only the best are read. Scores come in as the index gives them, and go out in 0..1.
 */
export async function rereadHits(
  store: Store,
  hits: readonly LexicalHit[],
  { query, meant, highest }: Rereading,
): Promise<{ readonly hits: readonly LexicalHit[]; readonly texts: ReadonlyMap<number, string> }> {
  const terms = meant.flatMap(wantedTerm)
  const rereader = new Rereader(query.plain, terms)
  const read = hits.slice(0, REREAD)
  const texts = await store.documents.texts(read.map(({ document }) => document.id))
  const scored = read.map((hit): LexicalHit => {
    const { passage, run, shown } = rereader.read(texts.get(hit.document.id) ?? '')
    const score = hit.score * (1 + REREAD_GAIN.run * run * run) + REREAD_GAIN.passage * passage
    return { ...hit, score, ...(shown && { shown }) }
  })
  const all = [...scored, ...hits.slice(REREAD)].sort(
    (a, b) => b.score - a.score || compareHits(a.document, b.document),
  )
  const most = highest + REREAD_GAIN.passage * rereader.highest
  const shares = all.map((hit) => ({ ...hit, score: Math.min(1, hit.score / most) }))
  return { hits: putNamesFirst(query.text, shares, texts), texts }
}

/**
 * What was not typed counts as the index counted it. A prefix is looked for itself: which terms of the index it stands for depends
 * on how the index came about, and to look for one text takes less than for many.
 */
function wantedTerm({ terms, term, idf = 0, as, share }: Meant): WantedTerm[] {
  if (terms.length === 0 || idf <= 0) return []
  const isPrefix = term.isPrefix || (as === 'begun' && terms.every((one) => one.startsWith(term.term)))
  return [{ forms: isPrefix ? [term.term] : terms, isPrefix, weight: term.weight * share, idf, cover: 1 }]
}
