import type { DocumentFilter } from '../document-store.ts'
import { isOpen } from './matching.ts'
import { type Statements, selectColumn } from './statement.ts'

/** Filters whose result is kept. */
const MOST_FILTERS = 32

/** What filters let through, kept while the library does not change. */
export class FilterCache<Value> {
  readonly #known = new Map<string, Value | undefined>();

  /** Undefined where the filter lets everything through. */
  *find(filter: DocumentFilter, select: () => Statements<Value>): Statements<Value | undefined> {
    const key = JSON.stringify(filter)
    const isKnown = this.#known.has(key)
    const value = isKnown ? this.#known.get(key) : yield* selectFiltered(filter, select)
    this.#known.delete(key)
    this.#known.set(key, value)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST_FILTERS && oldest !== undefined) this.#known.delete(oldest)
    return value
  }
}

function* selectFiltered<Value>(
  filter: DocumentFilter,
  select: () => Statements<Value>,
): Statements<Value | undefined> {
  const hasPaused = (yield* selectColumn('SELECT 1 FROM ambit.collections WHERE paused = 1 LIMIT 1')).length > 0
  return isOpen(filter) && !hasPaused ? undefined : yield* select()
}
