import type { JsonSchema } from '../../core/operation.ts'
import type { Collection } from '../../engine.ts'
import { array, count, flag, object, text } from '../../schema.ts'
import { oneLine } from '../../text/controls.ts'
import { counted, sized } from '../../text/counted.ts'

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

/** A collection in one line. */
export function described({ name, root, documents, bytes, isPaused, indexedAt }: Collection): string {
  const size = `${counted(documents, 'document')}, ${sized(bytes)}`
  const unfinished = documents === 0 ? 'not indexed' : `${size} so far: run "ambit index", which goes on from there`
  const state = indexedAt === undefined ? unfinished : size
  return `${oneLine(name)}  ${oneLine(root)}  ${state}${isPaused ? ', paused' : ''}`
}
