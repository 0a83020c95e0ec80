/** What is to be computed on a table. */

import type { CellFilter } from './table-filters.ts'

export type Aggregate = 'COUNT' | 'SUM' | 'AVG' | 'MAX' | 'MIN'

export interface QueryPlan {
  readonly aggregate: Aggregate
  /** Places of columns; `named`: the one whose value is asked for, where the highest or the lowest stands. */
  readonly column: number | undefined
  readonly group: number | undefined
  readonly named: number | undefined
  /** Whether values of the column that are the same count once. */
  readonly isDistinct?: boolean
  readonly filters: readonly CellFilter[]
  /** Words of the question that nothing of the table accounts for: it may ask for something else. */
  readonly beyond: number
}
