import type { Assembled } from '../../core/assemble.ts'
import type { Count, Fragment, Recipe, Source } from '../../core/flow.ts'
import { duplicateUris } from '../../core/ledger.ts'
import type { BlockOrder } from '../passes/budget/block-order.ts'
import { budget } from '../passes/budget/budget.ts'
import { unique } from '../passes/unique.ts'
import { markdown } from '../renderers/markdown.ts'
import type { ContextDirReading, ContextDirText } from '../sources/context-dir.ts'

/** The blocks of these files are not equally important. */
const BLOCK_ORDERS: Readonly<Record<string, BlockOrder>> = {
  'TASKS.md': 'open-first',
  'DECISIONS.md': 'recent-first',
  'LEARNINGS.md': 'recent-first',
}

/** How the blocks of a context file are ordered when not all can be shown. */
export function blockOrder({ origin }: Fragment): BlockOrder {
  return BLOCK_ORDERS[origin.labels?.source?.split('/').at(-1) ?? ''] ?? 'written'
}

/** How a context directory reads. */
export const contextMarkdown = markdown({ heading: 'Project Context' })

/** The face as data: one source, one budget, Markdown. */
export function contextDirRecipe(source: Source, tokenBudget: number, count: Count): Recipe {
  return {
    name: 'context-dir',
    sources: [source],
    passes: [unique(), budget(tokenBudget, { blockOrder })],
    render: contextMarkdown,
    count,
  }
}

/** What was read, without second names of the same file. */
export function uniqueFiles({ files }: ContextDirReading, { ledger }: Assembled): ContextDirText[] {
  const again = duplicateUris(ledger)
  return [...files].flatMap(([uri, file]) => (again.has(uri) ? [] : [file]))
}
