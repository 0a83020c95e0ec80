import { BOUNDS } from '../../core/bounds.ts'
import { ContextError, invalidInput } from '../../core/errors.ts'
import type { PathContext } from '../../stores/store.ts'
import type { Address } from '../../text/collection-uri.ts'
import { normalPath } from '../../text/paths.ts'

/** A path context (a note on a place) that applies to a path, and the place of the context. */
export interface AppliedContext {
  readonly scope: 'global' | 'collection' | 'path'
  /** The place of the context, with a leading slash; `/` for a whole collection, and for the global context. */
  readonly prefix: string
  readonly text: string
}

/** Looks up path contexts in a snapshot, synchronously. Paths are relative to the collection's root. */
export interface ContextResolver {
  /** The text of the most specific context, else of the global context; undefined if neither exists. */
  find(collection: string, path: string): string | undefined
  /** All contexts that apply to a path: the global context, then the others from general to specific. */
  all(collection: string, path: string): AppliedContext[]
}

/**
 * A resolver over all contexts. The time of a look-up depends on the segments of the path, not on the number of
 * contexts.
 */
export function contextResolver(contexts: readonly PathContext[]): ContextResolver {
  const byCollection = new Map<string, Map<string, AppliedContext>>()
  let global: AppliedContext | undefined
  let longestPrefix = 0
  for (const { collection, pathPrefix: prefix, context: text } of contexts) {
    longestPrefix = Math.max(longestPrefix, prefix.length)
    if (collection === null) global = { scope: 'global', prefix, text }
    else {
      const contextsOfCollection = byCollection.get(collection) ?? new Map<string, AppliedContext>()
      contextsOfCollection.set(prefix, { scope: prefix === '/' ? 'collection' : 'path', prefix, text })
      byCollection.set(collection, contextsOfCollection)
    }
  }
  const all = (collection: string, path: string) => {
    const contextsOfCollection = byCollection.get(collection)
    const normalPathOfPlace = contextsOfCollection && normalPath(path)
    const contextsOfPath =
      normalPathOfPlace === undefined
        ? []
        : placesAlong(normalPathOfPlace, longestPrefix).flatMap((place) => contextsOfCollection?.get(place) ?? [])
    return global ? [global, ...contextsOfPath] : contextsOfPath
  }
  return { find: (collection, path) => all(collection, path).at(-1)?.text, all }
}

/** The path context of this place alone, without the contexts of the places above. */
export function placeContext(contexts: ContextResolver, { collection, path }: Address): { readonly context?: string } {
  const isOwn = ({ scope, prefix }: AppliedContext) => scope !== 'global' && prefix === `/${path}`
  const ownContext = contexts.all(collection, path).find(isOwn)
  return ownContext ? { context: ownContext.text } : {}
}

/** The places along a path: `/`, `/a` and `/a/b` for `/a/b`. May omit places longer than `longestPrefix`. */
function placesAlong(path: string, longestPrefix: number): string[] {
  const places = ['/']
  for (let at = 0; at >= 0 && at < Math.min(longestPrefix, path.length - 1); ) {
    at = path.indexOf('/', at + 1)
    places.push(at === -1 ? path : path.slice(0, at))
  }
  return places
}

const INVISIBLE = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u

/**
 * The text of a path context, without white space around it.
 *
 * @throws ContextError `invalid-input` for an invisible text or invalid Unicode; `over-limit` above `BOUNDS.pathContext` characters.
 */
export function normaliseContextText(text: unknown): string {
  if (typeof text !== 'string') throw invalidInput('A path context must be a text.', 'Write it after the place.')
  const trimmed = text.trim()
  if ([...trimmed].length > BOUNDS.pathContext) {
    const hint = 'Say what the place is for in a few sentences. Put a longer text into a file.'
    const message = `The text has more than ${BOUNDS.pathContext} characters.`
    throw new ContextError('over-limit', message, { hint })
  }
  if (INVISIBLE.test(trimmed)) {
    const hint = 'Say what the place is for. To remove its path context: ambit context remove PATH'
    throw invalidInput('The text is empty.', hint)
  }
  if (!trimmed.isWellFormed() || trimmed.includes('\0'))
    throw invalidInput('The text is not valid Unicode, or holds a NUL.', 'Save it as UTF-8 and try again.')
  return trimmed
}
