import type { RankerMaker } from './ranker.ts'
import { ambitRanker } from './rankers/ambit.ts'
import { flexSearchRankers } from './rankers/flexsearch.ts'
import { fts5Rankers } from './rankers/fts5.ts'
import { miniSearchRankers } from './rankers/minisearch.ts'
import { oramaRankers } from './rankers/orama.ts'

/** Everything that is compared, in the order of the table. */
export const RANKERS: readonly RankerMaker[] = [
  ambitRanker,
  ...fts5Rankers,
  ...miniSearchRankers,
  ...oramaRankers,
  ...flexSearchRankers,
]
