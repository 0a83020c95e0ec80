import { ContextError, invalidInput } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { countNoun, formatBytes } from '../../text/counts.ts'
import { decode } from '../../text/decode.ts'
import type { PackageCatAnswer, PackagePathRequest } from '../answers.ts'
import type { ResolvedPackage } from '../found.ts'
import { checkedStream, isCheckable } from '../hashes.ts'
import type { RegistryReach } from '../located.ts'
import { quoteForeign } from '../names.ts'
import type { ManifestEntry } from '../records.ts'
import { entryAt } from './directory.ts'

/** An entry of a package, and where its bytes may be. */
export interface OpenedEntry {
  readonly entry: ManifestEntry
  readonly reach: RegistryReach
}

/**
 * The place in a package that is asked for: `''` is the package itself.
 *
 * @throws ContextError `invalid-input` when it is said twice.
 */
export function requestedPath({ place }: ResolvedPackage, { path }: PackagePathRequest): string {
  if (path !== undefined && place.path !== undefined) {
    throw invalidInput('The address has a path, and another one is given.', 'Give one of them.')
  }
  return path ?? place.path ?? ''
}

/** @throws ContextError `not-found`; `invalid-input` for a path that leaves the package. */
export async function entryOf(found: ResolvedPackage, request: PackagePathRequest, run: Run): Promise<ManifestEntry> {
  const path = requestedPath(found, request)
  if (path === '') throw invalidInput('No entry is named.', 'Give its path, such as data/table.csv.')
  if (path.endsWith('/')) throw invalidInput(`${quoteForeign(path)} is a directory.`, '"ambit package ls" lists it.')
  return entryAt(found.resolved.manifest, path, run)
}

/** Bytes of the largest text that is given at once, when nothing else is asked for: 1 MiB. */
const MAX_TEXT = 1 << 20

/**
 * The text of an entry.
 *
 * @throws ContextError `over-limit`; `invalid-input` for what is not text; `untrusted` for bytes that the manifest does not
 * name; as reading does.
 */
export async function entryText(
  { entry, reach }: OpenedEntry,
  maxBytes = MAX_TEXT,
  { signal }: Pick<Run, 'signal'> = {},
): Promise<Omit<PackageCatAnswer, 'bucket' | 'name' | 'hash'>> {
  if ((entry.size ?? 0) > maxBytes) throw entryTooLarge(entry, maxBytes)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const bytes of checkedStream(entry, reach, signal)) {
    size += bytes.length
    if (size > maxBytes) throw entryTooLarge(entry, maxBytes)
    parts.push(bytes)
  }
  const decoded = decode(Buffer.concat(parts))
  if ('binary' in decoded) throw noText(entry, size)
  return { path: entry.logicalKey, size, ...decoded, isVerified: isCheckable(entry) }
}

function noText({ logicalKey }: ManifestEntry, size: number): ContextError {
  const hint = 'On a command line, send it to a file: > FILE'
  return invalidInput(
    `${quoteForeign(logicalKey)} is not text: it holds NUL bytes, and is ${formatBytes(size)} long.`,
    hint,
  )
}

function entryTooLarge({ logicalKey, size }: ManifestEntry, limit: number): ContextError {
  const length = size === null || size <= limit ? 'more' : countNoun(size, 'byte')
  const message = `${quoteForeign(logicalKey)} has ${length}; at most ${limit} are given as a text.`
  const hint = 'Ask for more by maxBytes (--max-bytes); or on a command line, send it to a file: > FILE'
  return new ContextError('over-limit', message, { hint })
}
