import { ContextError, invalidInput } from '../core/errors.ts'
import type { Objects } from '../files/objects.ts'
import { isWithin, relativeTo } from '../text/paths.ts'
import { quoteForeign } from './names.ts'
import { escapeQuery, unescapeOnce, unescapeQuery } from './packages/json.ts'
import type { ManifestEntry } from './records.ts'

/** Where the objects of a package may be: in its registry, or outside it. */
export interface RegistryReach {
  readonly registry: Objects
  /**
   * Finds the store of an object outside the registry. Without this function, no such object is read: a manifest can
   * name any file and any bucket, but no other file may be opened, and credentials must not be sent elsewhere.
   */
  readonly findOutside?: (physical: PhysicalKey) => Objects | undefined | Promise<Objects | undefined>
}

/**
 * Finds the store, the key and the version of the object that holds the bytes of an entry.
 *
 * @throws ContextError `invalid-input` for an invalid physical key; `untrusted` when it is out of reach.
 */
export async function locateEntry({ physicalKey }: Pick<ManifestEntry, 'physicalKey'>, reach: RegistryReach) {
  const physical = parsePhysicalKey(physicalKey)
  const version = physical.kind === 's3' ? physical.version : undefined
  const keyInRegistry = keyBelow(physical, reach.registry.uri)
  if (keyInRegistry !== undefined) return { objects: reach.registry, key: keyInRegistry, version }
  const objects = await reach.findOutside?.(physical)
  const key = objects && keyBelow(physical, objects.uri)
  if (objects === undefined || key === undefined)
    throw new ContextError('untrusted', `${quoteForeign(physicalKey)} is outside the registry ${reach.registry.uri}.`, {
      hint: 'Add its location as a collection to read it.',
    })
  return { objects, key, version }
}

/** Streams the bytes of an entry. @throws ContextError as `locateEntry`; errors of reading. */
export async function* streamEntry(
  entry: Pick<ManifestEntry, 'physicalKey'>,
  reach: RegistryReach,
  signal?: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const { objects, key, version } = await locateEntry(entry, reach)
  yield* objects.stream(key, { version, signal })
}

/** Physical key of an entry, decoded. */
export type PhysicalKey =
  /** A path below the root of the registry. */
  | { readonly kind: 'relative'; readonly path: string }
  /** An absolute path on the machine that wrote the manifest. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly key: string; readonly version?: string }

/**
 * Parses and decodes a physical key.
 *
 * @throws ContextError `invalid-input` for a scheme other than `file:` and `s3:`, a missing bucket or key, a fragment
 * or other query, and a segment of a path that is empty, `.` or `..`.
 */
export function parsePhysicalKey(text: string): PhysicalKey {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1]?.toLowerCase()
  if (text.includes('#')) throw invalidPhysicalKey(text, 'has a fragment', 'Write "#" in a key as %23.')
  if (scheme === undefined) return { kind: 'relative', path: parseRelativePath(text) }
  if (scheme === 's3') return parseS3Key(text)
  if (scheme === 'file') return { kind: 'file', path: parseFilePath(text) }
  throw invalidPhysicalKey(text, `is of the scheme "${scheme}"`, 'It begins with file:// or s3://, or is a path.')
}

/** The key below an address such as `file:///srv/data` or `s3://bucket/prefix`; undefined for a key outside of it. */
export function keyBelow(physical: PhysicalKey, uri: string): string | undefined {
  if (physical.kind === 'relative') return physical.path
  if (physical.kind === 's3') return s3Below(physical, uri)
  const root = /^file:\/\//.test(uri) ? decodeURIComponent(uri.slice('file://'.length)) : undefined
  // The root itself is not an object.
  if (root === undefined || physical.path === root) return undefined
  return isWithin(root, physical.path) ? relativeTo(root, physical.path) : undefined
}

function s3Below({ bucket, key }: PhysicalKey & { kind: 's3' }, uri: string): string | undefined {
  const [, ownBucket, root = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/s.exec(uri) ?? []
  if (ownBucket !== bucket) return undefined
  const prefix = root === '' ? '' : `${root}/`
  return key.startsWith(prefix) && key !== prefix ? key.slice(prefix.length) : undefined
}

function parseS3Key(text: string): PhysicalKey {
  const match = /^s3:\/\/([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/is.exec(text)
  if (!match) throw invalidPhysicalKey(text, 'lacks "//" before the bucket')
  const [, bucket = '', key = '', query] = match
  if (bucket === '') throw invalidPhysicalKey(text, 'has no bucket')
  if (key === '') throw invalidPhysicalKey(text, 'has no key')
  const version = query === undefined ? undefined : readVersionId(query, text)
  return { kind: 's3', bucket, key: unescapeOnce(key, 'The physical key'), ...(version !== undefined && { version }) }
}

function readVersionId(query: string, text: string): string {
  const [name, value = ''] = query.split('=', 2)
  if (name !== 'versionId' || query.includes('&'))
    throw invalidPhysicalKey(text, 'has a query that is not one versionId')
  if (value === '') throw invalidPhysicalKey(text, 'has an empty versionId')
  return unescapeQuery(value, 'The physical key')
}

/** The query in an address that names the version of an object; `''` for an object without a version. */
export function versionQuery(version: string | undefined): string {
  return version === undefined || version === 'null' ? '' : `?versionId=${escapeQuery(version)}`
}

function parseFilePath(text: string): string {
  const match = /^file:\/\/([^/?]*)([^?]*)(\?.*)?/is.exec(text)
  if (!match) throw invalidPhysicalKey(text, 'is not an absolute path', 'A key of a file begins with file:///.')
  const [, host = '', path = '', query] = match
  if (host !== '' && host.toLowerCase() !== 'localhost')
    throw invalidPhysicalKey(text, `names the host ${quoteForeign(host)}`)
  if (query !== undefined) throw invalidPhysicalKey(text, 'has a query', 'Write "?" in a path as %3F.')
  const decoded = unescapeOnce(path, 'The physical key')
  checkSegments(decoded.slice(1), text)
  return decoded
}

function parseRelativePath(text: string): string {
  if (text.startsWith('/'))
    throw invalidPhysicalKey(text, 'is an absolute path without a scheme', 'Write it as file:///….')
  if (text.includes('?')) throw invalidPhysicalKey(text, 'has a query', 'Write "?" in a path as %3F.')
  const path = unescapeOnce(text.startsWith('./') ? text.slice(2) : text, 'The physical key')
  checkSegments(path, text)
  return path
}

/** Checks a path after decoding, so that `%2e%2e` is recognized. */
function checkSegments(path: string, text: string): void {
  if (path.includes('\0')) throw invalidPhysicalKey(text, 'has a NUL')
  const badSegment = path.split('/').find((segment) => segment === '' || segment === '.' || segment === '..')
  if (badSegment !== undefined)
    throw invalidPhysicalKey(text, badSegment === '' ? 'has an empty segment' : `has the segment "${badSegment}"`)
}

function invalidPhysicalKey(text: string, problem: string, hint?: string) {
  return invalidInput(`The physical key ${quoteForeign(text)} ${problem}.`, hint)
}
