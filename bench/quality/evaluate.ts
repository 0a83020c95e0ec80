import type { JudgedSet } from './collection.ts'
import { type Answer, type Scores, scoresOf } from './metrics.ts'
import type { RankerMaker } from './ranker.ts'

/** The figures of one ranker on one set. */
export interface Evaluation {
  readonly ranker: string
  readonly ours: boolean
  readonly set: string
  readonly scores: Scores
  /** Per kind of query, in sets whose queries say their kind. */
  readonly kinds: Readonly<Record<string, Scores>>
  readonly answers: readonly AnswerOf[]
}

/** The answer to one query. */
export interface AnswerOf extends Answer {
  readonly id: string
  readonly kind: string | undefined
}

/** The deepest figure is the recall among the first hundred. */
const DEPTH = 100

export async function evaluate(maker: RankerMaker, set: JudgedSet): Promise<Evaluation> {
  const ranker = maker.open()
  await ranker.index(set.documents())
  const answers: AnswerOf[] = []
  for (const { id, text, kind } of set.queries) {
    const ranking = await ranker.search(text, DEPTH)
    if (new Set(ranking).size < ranking.length) throw new Error(`${maker.name} gives a document twice for: ${text}`)
    answers.push({ ranking, relevance: set.judgements.get(id) ?? new Map(), id, kind })
  }
  await ranker.close()
  const groups = Map.groupBy(answers, ({ kind }) => kind)
  const kinds = [...groups].flatMap(([kind, of]) => (kind === undefined ? [] : [[kind, scoresOf(of)] as const]))
  return {
    ranker: maker.name,
    ours: maker.ours ?? false,
    set: set.name,
    scores: scoresOf(answers),
    kinds: Object.fromEntries(kinds),
    answers,
  }
}
