import { exactNamesIn, nameFinder } from '../../retrieval/reread.ts'
import type { FusedHit } from './fusion.ts'

/**
 * Moves the hits that hold more of the exact names in a query to the front; hits that hold equally many keep their order, and hits
 * whose texts were not read stay behind. A score is never below that of a later hit.
 */
export function putNamesFirst(
  query: string,
  hits: readonly FusedHit[],
  texts: ReadonlyMap<number, string>,
): readonly FusedHit[] {
  const finders = exactNamesIn(query).map(nameFinder)
  if (finders.length === 0) return hits
  const countIn = ({ document: { id, title, path } }: FusedHit) => {
    const text = texts.get(id)
    return text === undefined ? -1 : finders.filter((holds) => [title, path, text].some(holds)).length
  }
  const counted = hits.map((hit) => ({ hit, names: countIn(hit) }))
  counted.sort((a, b) => b.names - a.names)
  return withFallingScores(counted.map(({ hit }) => hit))
}

function withFallingScores(hits: readonly FusedHit[]): FusedHit[] {
  let least = 0
  const risen = hits.toReversed().map((hit) => {
    least = Math.max(least, hit.score)
    return { ...hit, score: least }
  })
  return risen.reverse()
}
