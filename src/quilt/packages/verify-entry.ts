import { BucketTrouble, ContextError } from '../../core/errors.ts'
import { hasherOf } from '../hashes.ts'
import { type Reach, streamEntry } from '../located.ts'
import { logicalKeyProblem } from '../logical-key.ts'
import { shown } from '../message.ts'
import type { ManifestEntry } from '../records.ts'

/** What is wrong with an entry, or kept it from being checked. */
export type EntryProblem =
  /** There is no such object, or no such version of it. */
  | 'missing'
  | 'size-mismatch'
  | 'hash-mismatch'
  /** Its hash is of a type that is not known here. */
  | 'unknown-hash'
  /** The manifest says neither hash nor size. */
  | 'no-hash'
  /** Its logical key leaves the package, or its physical key is none. */
  | 'bad-key'
  /** Its object is in another place than the registry. */
  | 'outside'
  | 'denied'
  /** Reading it failed otherwise. */
  | 'failed'

/** Of those the object is not known to be wrong: it could not be looked at. */
export const UNCHECKED: readonly EntryProblem[] = ['unknown-hash', 'outside']

export interface Verdict {
  readonly problem: EntryProblem
  /** A sentence with the values. */
  readonly detail: string
}

/** What is wrong with an entry; undefined when its object has the size and the hash that the manifest says. */
export async function verifyEntry(
  entry: ManifestEntry,
  reach: Reach,
  signal?: AbortSignal,
): Promise<Verdict | undefined> {
  const problem = logicalKeyProblem(entry.logicalKey)
  if (problem !== undefined) return { problem: 'bad-key', detail: `The logical key is none: ${problem}.` }
  const { hash, size } = entry
  if (hash === null || size === null) return { problem: 'no-hash', detail: 'The manifest says no hash or no size.' }
  const hasher = hasherOf(hash.type, size)
  if (hasher === undefined)
    return { problem: 'unknown-hash', detail: `The type of hash ${shown(hash.type)} is not known.` }
  try {
    let read = 0
    for await (const bytes of streamEntry(entry, reach, signal)) {
      read += bytes.length
      if (read > size) return { problem: 'size-mismatch', detail: `It has more than ${size} bytes.` }
      hasher.update(bytes)
    }
    if (read < size) return { problem: 'size-mismatch', detail: `It has ${read} bytes, not ${size}.` }
  } catch (error) {
    return verdictOf(error)
  }
  return compared(hasher.digest(), hash.value)
}

function compared(actual: string, expected: string): Verdict | undefined {
  if (actual === expected) return undefined
  return { problem: 'hash-mismatch', detail: `Its hash is ${actual}, not ${shown(expected)}.` }
}

const PROBLEMS: Readonly<Record<string, EntryProblem>> = {
  'not-found': 'missing',
  'invalid-input': 'bad-key',
  untrusted: 'outside',
  denied: 'denied',
}

/** Rethrows what is no error of reading, and what would be that of every entry. */
function verdictOf(error: unknown): Verdict {
  if (!(error instanceof ContextError) || error.code === 'cancelled' || error instanceof BucketTrouble) throw error
  return { problem: PROBLEMS[error.code] ?? 'failed', detail: error.message }
}
