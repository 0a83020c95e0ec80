import type { Collection } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'

interface Described extends Collection {
  readonly isIndexing?: boolean
}

type State = Pick<Described, 'documents' | 'bytes' | 'indexedAt' | 'isIndexing'>

/** A collection in one line. */
export function collectionLine({ name, root, isPaused, ...rest }: Described): string {
  const state = collectionState(rest)
  return `${oneLine(name)}  ${oneLine(root)}  ${state}${isPaused ? ', paused' : ''}`
}

function collectionState({ documents, bytes, indexedAt, isIndexing = false }: State): string {
  const whole = `${countNoun(documents, 'document')}, ${formatBytes(bytes)}`
  const size = indexedAt === undefined ? `${whole} so far` : whole
  if (isIndexing) return `${size}, being indexed`
  if (indexedAt !== undefined) return size
  return documents === 0 ? 'not indexed' : `${size}: run "ambit index", which goes on from there`
}
