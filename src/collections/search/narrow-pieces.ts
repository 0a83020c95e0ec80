import type { RankedTerm } from '../../retrieval/rank.ts'
import { piecesOfWords } from '../../retrieval/substrings.ts'
import type { Store } from '../../stores/store.ts'
import type { GrowingView } from './growing-view.ts'

/** Terms that the words around a piece may have: with more, their documents would be most of all. */
const MOST_TERMS = 1_000
const ALL_TERMS = 10_000_000

/**
 * What a document must hold to hold pieces of text, by the words that the pieces are made of: nothing where that would not
 * narrow the search.
 */
export async function narrowPieces(
  pieces: readonly string[],
  { store, index }: { readonly store: Store; readonly index: GrowingView },
): Promise<RankedTerm[]> {
  const parts = pieces.flatMap(piecesOfWords)
  const whole = parts.flatMap(({ term }) => (term === undefined ? [] : [[term]]))
  // Only where no word is whole: to read all terms takes longer than to read some documents more.
  const isOpen = parts.length > 0 && whole.length === 0
  const all = isOpen ? [...(await store.index.longer([''], ALL_TERMS)).values()].flat() : []
  const groups = isOpen ? parts.map(({ mayStandIn }) => all.filter(mayStandIn)) : whole
  const narrow = groups.filter(({ length }) => length <= MOST_TERMS)
  await index.read(narrow.flat())
  const { segments, terms } = index.view
  return narrow.map((group) => {
    const postings = segments.map((_, at) => group.flatMap((term) => terms.get(term)?.[at] ?? []))
    return { postings, weight: 0, role: 'must', inTitle: false, idf: 0 }
  })
}
