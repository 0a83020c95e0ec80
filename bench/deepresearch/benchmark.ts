import type { Engine } from '../../src/engine/engine.ts'
import type { ResearchReport } from '../../src/research/answers.ts'
import type { BenchArticle, BenchQuestion } from './articles.ts'
import type { Evaluating, Figure } from './evaluator.ts'

/** A public benchmark of research: its questions, and its own program that judges what was answered. */
export interface Benchmark {
  readonly name: string
  /** The model that judges, by which figures are published. */
  readonly judge: string
  /** What is to be there before anything is paid for. @throws Error that says what is missing. */
  check(evaluating: Evaluating): void
  questions(evaluating: Evaluating): readonly BenchQuestion[]
  /** What is needed before the first question: a corpus. */
  prepare?(evaluating: Evaluating, engine: Engine): Promise<void>
  articleOf(report: ResearchReport): string
  judged(articles: readonly BenchArticle[], evaluating: Evaluating): Promise<readonly Figure[]>
}
