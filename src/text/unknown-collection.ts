import { ContextError } from '../core/errors.ts'
import { oneLine } from './controls.ts'
import { nearest } from './nearest.ts'
import { shortenPath } from './paths.ts'

/** A collection. Without a root, the collection was removed, and only its path contexts (notes on paths) are left. */
export interface KnownCollection {
  readonly name: string
  readonly root?: string
}

/** The error for a name that no collection has. */
export function unknownCollection(name: string, collections: readonly KnownCollection[]): ContextError {
  const names = collections.filter(({ root }) => root !== undefined).map((each) => each.name)
  const similar = nearest(name, names)
  const shownNames = names.length > 10 ? [...names.slice(0, 10), '…'] : names
  const hint =
    names.length === 0
      ? 'Add one: ambit collection add NAME PATH'
      : similar.length > 0
        ? `Did you mean ${similar.join(' or ')}?`
        : `There are: ${shownNames.join(', ')}.`
  return new ContextError('not-found', `There is no collection "${oneLine(shortenPath(name))}".`, { hint })
}
