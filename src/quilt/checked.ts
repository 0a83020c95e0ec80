import { ContextError } from '../core/errors.ts'
import { hasherOf } from './hashes.ts'
import { type Reach, streamEntry } from './located.ts'
import { checkLogicalKey } from './logical-key.ts'
import { shown } from './message.ts'
import type { ManifestEntry } from './records.ts'

/** Whether the bytes of an entry can be held against its manifest: it says a size, and a hash of a type that is known. */
export function isCheckable({ hash, size }: ManifestEntry): boolean {
  return hash !== null && size !== null && hasherOf(hash.type, size) !== undefined
}

/**
 * The bytes of an entry as they come, held against the size and hash that the manifest says where it does.
 *
 * @throws ContextError as `streamEntry`; `untrusted` as soon as it is known that they are others: for a hash, at the end.
 */
export async function* checkedStream(
  entry: ManifestEntry,
  reach: Reach,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  checkLogicalKey(entry.logicalKey)
  const { hash, size } = entry
  const hasher = hash === null || size === null ? undefined : hasherOf(hash.type, size)
  let read = 0
  for await (const bytes of streamEntry(entry, reach, signal)) {
    read += bytes.length
    if (size !== null && read > size) throw other(entry, `it has more than ${size} bytes`)
    hasher?.update(bytes)
    yield bytes
  }
  if (size !== null && read < size) throw other(entry, `it has ${read} bytes, not ${size}`)
  const digest = hasher?.digest()
  if (digest !== undefined && digest !== hash?.value)
    throw other(entry, `its hash is ${digest}, not ${shown(hash?.value ?? '')}`)
}

function other({ logicalKey }: ManifestEntry, problem: string): ContextError {
  const message = `${shown(logicalKey)} is not what the package names: ${problem}.`
  return new ContextError('untrusted', message, {
    hint: 'The object was replaced or damaged after the package was made.',
  })
}
