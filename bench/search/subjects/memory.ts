import { documentsOf } from '../../quality/known-item.ts'
import type { RankerMaker } from '../../quality/ranker.ts'
import { flexSearchRankers } from '../../quality/rankers/flexsearch.ts'
import { miniSearchRankers } from '../../quality/rankers/minisearch.ts'
import { oramaRankers } from '../../quality/rankers/orama.ts'
import type { SubjectMaker } from '../subject.ts'

/** A ranker that keeps its index in memory, as a subject. */
function inMemory(maker: RankerMaker): SubjectMaker {
  return {
    name: maker.name,
    kept: false,
    async open() {
      const ranker = maker.open()
      return {
        name: maker.name,
        async build(dir) {
          let count = 0
          await ranker.index(counted(dir, () => count++))
          return count
        },
        query: (text, k) => ranker.search(text, k),
        size: () => 0,
        close: () => ranker.close(),
      }
    },
  }
}

async function* counted(dir: string, count: () => void) {
  for await (const doc of documentsOf(dir)) {
    count()
    yield doc
  }
}

/** Each as it comes. */
export const memorySubjects: readonly SubjectMaker[] = [miniSearchRankers, oramaRankers, flexSearchRankers].flatMap(
  ([plain]) => (plain === undefined ? [] : [inMemory(plain)]),
)
