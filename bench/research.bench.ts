import type { Findings } from './harness.ts'
import { routingFigures } from './research/routing.ts'

/** What research does to texts without a model: how well, and how fast. */
export async function researchFigures(): Promise<Findings> {
  return routingFigures()
}
