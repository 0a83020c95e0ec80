import type { JsonSchema } from '../../core/operation.ts'
import type { Collection } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { counted, sized } from '../../text/counts.ts'
import { array, count, flag, object, text } from '../schema.ts'

/** A collection as a program sees it. */
export const item = (): JsonSchema =>
  object({
    name: text,
    root: text,
    patterns: array(text),
    exclude: array(text),
    isPaused: flag,
    hasSubstrings: flag,
    createdAt: text,
    'indexedAt?': text,
    documents: count,
    bytes: count,
  })

interface Described extends Collection {
  readonly isIndexing?: boolean
}

type State = Pick<Described, 'documents' | 'bytes' | 'indexedAt' | 'isIndexing'>

/** A collection in one line. */
export function described({ name, root, isPaused, ...rest }: Described): string {
  const state = stateOf(rest)
  return `${oneLine(name)}  ${oneLine(root)}  ${state}${isPaused ? ', paused' : ''}`
}

function stateOf({ documents, bytes, indexedAt, isIndexing = false }: State): string {
  const whole = `${counted(documents, 'document')}, ${sized(bytes)}`
  const size = indexedAt === undefined ? `${whole} so far` : whole
  if (isIndexing) return `${size}, being indexed`
  if (indexedAt !== undefined) return size
  return documents === 0 ? 'not indexed' : `${size}: run "ambit index", which goes on from there`
}
