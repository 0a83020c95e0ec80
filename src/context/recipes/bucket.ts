import type { Count, Fragment, Pass, Recipe, Renderer, Source } from '../../core/flow.ts'
import type { BlockOrder } from '../passes/budget/block-order.ts'
import { budget } from '../passes/budget/budget.ts'
import { limit } from '../passes/limit.ts'
import { pinnedFirst } from '../passes/pinned-first.ts'
import { arranged } from '../renderers/arranged.ts'
import { markdown } from '../renderers/markdown.ts'
import { xml } from '../renderers/xml.ts'

/** Files that are kept besides those at the roots. */
export const MOST_FILES = 10

/** The attributes of elements, in order, by kind. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  'context-file': ['path', 'truncated', 'scope', 'bucket', 'package-name'],
  'path-context': ['path'],
  context: ['filename'],
}

/** How the context of a place in a bucket is made. */
export interface BucketRecipe {
  /** The most important first. */
  readonly sources: readonly Source[]
  readonly count: Count
  /** Most tokens. Default: none. */
  readonly budget?: number | undefined
  readonly format: 'markdown' | 'xml'
  readonly order: 'specific-first' | 'general-first'
  /** Whether it is at the root of its bucket or package. */
  isRoot(fragment: Fragment): boolean
  /** Where a file stands among those of its scope. */
  positionOf(fragment: Fragment): number
  readonly blockOrder: (fragment: Fragment) => BlockOrder
  /** Leaves what the reader has. */
  readonly unsent: Pass
}

/** The face as data. */
export function bucketRecipe(how: BucketRecipe): Recipe {
  const isCounted = (fragment: Fragment) => fragment.kind === 'context-file' && !how.isRoot(fragment)
  const passes: Pass[] = [limit(MOST_FILES, (fragment) => !isCounted(fragment)), pinnedFirst, how.unsent]
  if (how.budget !== undefined) passes.push(budget(how.budget, { blockOrder: how.blockOrder }))
  return { name: 'bucket', sources: how.sources, passes, render: rendererOf(how), count: how.count }
}

function rendererOf({ format, order, positionOf }: BucketRecipe): Renderer {
  const write = format === 'xml' ? xml({ attributes: ATTRIBUTES }) : MARKDOWN
  return arranged((kept) => {
    const files = kept.filter(({ kind }) => kind === 'context-file')
    const ordered = order === 'specific-first' ? byScope(files, positionOf) : byScope(files, positionOf).toReversed()
    const facts = kept.filter(({ kind }) => kind !== 'context-file' && kind !== 'path-context' && kind !== 'context')
    // What was said of places reads from the general to the specific.
    const said = kept.filter(({ kind }) => kind === 'path-context').toReversed()
    return [...facts, ...said, ...ordered, ...kept.filter(({ kind }) => kind === 'context')]
  }, write)
}

const MARKDOWN = markdown({ heading: 'Context' })

/** The package before its bucket, and each from the place to its root. */
function byScope(files: readonly Fragment[], positionOf: (fragment: Fragment) => number): Fragment[] {
  const scope = ({ origin }: Fragment) => Number(origin.labels?.scope === 'bucket')
  return files.toSorted((a, b) => scope(a) - scope(b) || positionOf(a) - positionOf(b))
}
