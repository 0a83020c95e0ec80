import type { Doc } from './collection.ts'

/** What is compared: anything that indexes documents and answers a query with their ids, best first. */
export interface Ranker {
  readonly name: string
  index(documents: AsyncIterable<Doc>): Promise<void>
  /** At most `k` ids, none twice. */
  search(query: string, k: number): Promise<readonly string[]>
  close(): Promise<void>
}

/** Makes a ranker with an empty index. */
export interface RankerMaker {
  readonly name: string
  /** Whether it is ours, and held to the gates; the others are there to compare with. */
  readonly ours?: boolean
  open(): Ranker
}
