import { documentsOf } from '../../quality/known-item.ts'
import type { RankerMaker } from '../../quality/ranker.ts'
import type { SubjectMaker } from '../subject.ts'

/** A ranker that keeps its index in memory, as a subject; loaded only where it is measured, since its memory is, too. */
function inMemory(name: string, load: () => Promise<readonly RankerMaker[]>): SubjectMaker {
  return {
    name,
    kept: false,
    async open() {
      const maker = (await load()).find((one) => one.name === name)
      if (maker === undefined) throw new Error(`No ranker is called ${name}`)
      const ranker = maker.open()
      return {
        name,
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
export const memorySubjects: readonly SubjectMaker[] = [
  inMemory('minisearch', async () => (await import('../../quality/rankers/minisearch.ts')).miniSearchRankers),
  inMemory('orama', async () => (await import('../../quality/rankers/orama.ts')).oramaRankers),
  inMemory('flexsearch, suggest', async () => (await import('../../quality/rankers/flexsearch.ts')).flexSearchRankers),
]
