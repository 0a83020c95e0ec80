/** What the ranking is measured against: the search of documents, over the files that a code index takes. */

import { join } from 'node:path'
import { ContextError } from '../../src/core/errors.ts'
import { type OpenEngine, open } from '../../src/open.ts'

const MOST = 20

export class PresentSearch {
  readonly #engine: OpenEngine

  private constructor(engine: OpenEngine) {
    this.#engine = engine
  }

  static async over(tree: string, scratch: string): Promise<PresentSearch> {
    const engine = await open({ db: join(scratch, 'search.db') })
    await engine.store.collections.add({ name: 'tree', root: tree })
    return new PresentSearch(engine)
  }

  /** Paths, the best first: what a person finds who pastes the task. */
  async rank(task: string): Promise<string[]> {
    await this.#engine.store.collections.index()
    try {
      const { results } = await this.#engine.store.search({ query: task, limit: MOST })
      return [...new Set(results.map(({ path }) => path))]
    } catch (error) {
      // Some tasks are no query: too long, or nothing but marks.
      if (error instanceof ContextError) return []
      throw error
    }
  }

  close(): Promise<void> {
    return this.#engine.close()
  }
}
