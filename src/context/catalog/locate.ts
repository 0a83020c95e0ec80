/** Resolves a place in a bucket or a package. */

import { BucketTrouble, ContextError, invalidInput, isNotFound, orElse, renameInError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { setNewest } from '../../core/set-newest.ts'
import { isBucketRoot } from '../../files/bucket-root.ts'
import type { Objects } from '../../files/objects.ts'
import type { PackageEntry } from '../../quilt/catalog.ts'
import {
  addPackageToHint,
  findNearPackages,
  type PackageAtPlace,
  packageAtPlace,
  type ResolvedPackage,
  readEntry,
} from '../../quilt/found.ts'
import { checkDirectory, printSpec, quoteForeign } from '../../quilt/names.ts'
import { printPackageUri } from '../../quilt/place.ts'
import type { ManifestEntry } from '../../quilt/records.ts'
import type { LocatedPath, Registries, Registry } from '../../quilt/registries.ts'
import { encodePath } from '../../text/citations.ts'
import { uriOf as uriOfDocument } from '../../text/collection-uri.ts'
import { oneLine } from '../../text/controls.ts'
import { nearest } from '../../text/nearest.ts'
import { readSafeText } from '../../text/readable.ts'
import { looksSecret } from '../../text/secrets.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import { trimBoth, trimEnd } from '../../text/trim.ts'

/** The notice for a directory with the name of a package: how to name the package. */
export function directoryNotice(path: string, place: string): string {
  const exact = /[@:]/.test(place) ? place : `${place}:latest`
  return `${quoteShell(path)} means the directory. For the package of that name, write ${quoteShell(exact)}.`
}

/** The uri of an object in a registry (a bucket or collection). `key`: `''` for the registry itself. */
export function uriIn({ name, objects }: Pick<Registry, 'name' | 'objects'>, key: string): string {
  if ('collection' in name) return uriOfDocument({ collection: name.collection, path: key })
  return `${objects.uri}${encodePath(`/${key}`)}`
}

/** The uri of a revision of a package, or of the entry at `path` in the revision. */
export function packageUriIn({ registry, resolved: { name, hash } }: ResolvedPackage, path?: string): string {
  const spec = { name, revision: { hash } }
  const isBucket = 'bucket' in registry.name || isBucketRoot(registry.objects.uri)
  if (isBucket) return printPackageUri({ bucket: registry.bucket, ...spec, ...(path !== undefined && { path }) })
  const inside = path === undefined ? printSpec(spec) : `${printSpec(spec)}/${path}`
  const label = encodeURIComponent(registry.name.collection)
  // As `uriOf`, except that an `@` stays, because an `@` separates the name from the hash.
  const encode = (segment: string) => encodeURIComponent(segment.toWellFormed()).replaceAll('%40', '@')
  return `ambit://${label}/${inside.split('/').map(encode).join('/')}`
}

/**
 * The directory of a path: for a file, its parent. Ends in a slash; `''` is the root. Sends no request to a bucket: a
 * path that is not a known document counts as a directory, until it turns out to be empty.
 *
 * @throws ContextError `not-found` for a missing path on disk; `invalid-input` for a path that leads out of the root.
 */
export async function resolveDirectory({ registry, path }: LocatedPath, isDocument: boolean, run: Run) {
  if (isBucketRoot(registry.objects.uri))
    return isDocument ? parentPrefix(path) : path === '' || path.endsWith('/') ? path : `${path}/`
  const directory = checkDirectory(trimBoth(path.replace(/\/{2,}/g, '/'), '/'))
  if (directory === '') return ''
  const kind = await findKind(registry.objects, directory, run)
  if (kind === undefined) throw await notFoundAt({ registry, path: directory }, run)
  return kind === 'file' ? parentPrefix(directory) : `${directory}/`
}

/**
 * As `resolveDirectory`, after at most two requests to the bucket. If the bucket denies listing, the path counts as a
 * directory.
 *
 * @throws ContextError `not-found`, with similar names.
 */
export async function confirmDirectory(at: LocatedPath, directory: string, run: Run): Promise<string> {
  const path = directory.replace(/\/$/, '')
  const kind = await orElse(findKind(at.registry.objects, path, run), (error) => {
    if (error.code !== 'denied') throw error
    return 'directory' as const
  })
  if (kind === undefined) throw await notFoundAt({ ...at, path }, run)
  return kind === 'file' ? parentPrefix(path) : directory
}

function parentPrefix(key: string): string {
  return key.slice(0, key.lastIndexOf('/') + 1)
}

async function findKind(objects: Objects, path: string, { signal }: Run): Promise<'file' | 'directory' | undefined> {
  if (hasEntries(await objects.list({ prefix: `${path}/`, limit: 1, signal }))) return 'directory'
  const file = await orElse(objects.head(path, { signal }), () => undefined)
  return file && 'file'
}

function hasEntries({ objects, prefixes, left }: Awaited<ReturnType<Objects['list']>>): boolean {
  return objects.length + prefixes.length + left.length > 0
}

/** Maximum number of siblings to compare with a missing name. */
const MAX_SIBLINGS = 1000

async function notFoundAt({ registry, path }: LocatedPath, { signal }: Run): Promise<ContextError> {
  const { name, objects } = registry
  const place = 'collection' in name ? name.collection : objects.uri
  const listing = objects.list({ prefix: parentPrefix(path), delimiter: '/', limit: MAX_SIBLINGS, signal })
  const page = await orElse(listing, () => ({ objects: [], prefixes: [] }))
  const siblings = [...page.prefixes.map((one) => one.replace(/\/$/, '')), ...page.objects.map(({ key }) => key)]
  const packages = await findNearPackages(path, registry, { signal })
  const similar = [...new Set([...nearest(path, siblings), ...packages])].map((one) => `${place}/${one}`)
  const hint =
    similar.length > 0 ? `Similar: ${similar.join(', ')}.` : `"ambit browse ${quoteShell(place)}" shows what is in it.`
  return new ContextError('not-found', `There is no ${quoteForeign(path)} in "${place}".`, { hint })
}

export type PackageLocation = Awaited<ReturnType<typeof locateInPackage>>

/** Names of the files that are read in the directories of a package. */
const CONTEXT_NAMES: ReadonlySet<string> = new Set(['README.md', 'AGENTS.md'])

/** Maximum number of cached packages. */
const MAX_PACKAGES = 16

/** Caches packages by bucket and hash. The content of a hash never changes. */
export class PackageCache {
  readonly #cache = new Map<string, PackageAtPlace>()

  async read(found: ResolvedPackage, directory: string, run: Run): Promise<PackageAtPlace> {
    const { hash, manifest } = found.resolved
    const key = `${found.registry.objects.uri} ${hash}`
    const cached = this.#cache.get(key)
    if (cached) return cached
    const { isWhole, ...at } = await packageAtPlace(manifest, { names: CONTEXT_NAMES, directory }, run)
    if (isWhole) setNewest(this.#cache, key, at, MAX_PACKAGES)
    return at
  }
}

/**
 * The directory of a place in a package; for a file, its parent. `directory` ends in a slash; `''` is the package itself.
 *
 * @throws ContextError the errors of reading a manifest; `not-found` for a path that is not in the package.
 */
export async function locateInPackage(
  found: ResolvedPackage,
  { registries, packages }: { readonly registries: Registries; readonly packages: PackageCache },
  run: Run,
) {
  const path = checkDirectory(found.place.path ?? '')
  const at = await packages.read(found, path, run)
  const isDirectory = path === '' || at.directories.has(path)
  if (!isDirectory && !at.entries.has(path)) await entryOf(found, path, run)
  const directory = isDirectory ? path : parentPrefix(path).slice(0, -1)
  return { found, at, reach: await registries.reach(found.registry), directory: directory && `${directory}/` }
}

/** An entry of a package. @throws ContextError `not-found`, with a command that shows the package's entries. */
export function entryOf(found: ResolvedPackage, path: string, run: Run): Promise<ManifestEntry> {
  return readEntry(found, path, run).catch((error: unknown) => {
    throw addPackageToHint(error, found.place)
  })
}

export interface PlaceFile extends Pick<PackageEntry, 'path' | 'size' | 'stream'> {
  readonly uri: string
  /** The first `length` bytes of the file, without a check of the hash. */
  begin(length: number): AsyncIterable<Uint8Array>
}

/** A place in a revision of a package. */
export interface PackagePath {
  readonly found: ResolvedPackage
  /** Path from the root of the package; `''` is the package itself. */
  readonly path: string
}

export interface PlacePage {
  readonly limit: number
  /** The last name of the previous page; absent for the first page. */
  readonly after?: string | undefined
}

/** Whether an object with the key `path`, or with a key below `path`, exists. */
export async function existsAt(objects: Objects, path: string, { signal }: Run): Promise<boolean> {
  const plain = trimEnd(path, '/')
  const [page, isFile] = await Promise.all([
    orElse(objects.list({ prefix: `${plain}/`, limit: 1, signal }), unlessAbsent),
    orElse(objects.head(plain, { signal }), unlessAbsent),
  ])
  return isFile !== undefined || (page !== undefined && hasEntries(page))
}

function unlessAbsent(error: ContextError): undefined {
  // A missing bucket is `not-found`, too, but its error must be reported.
  const isAbsent = ['not-found', 'denied', 'invalid-input'].includes(error.code)
  if (!isAbsent || (error instanceof BucketTrouble && error.code === 'not-found')) throw error
}

/** An error of reading a file, without the path of a directory on this machine. */
export function fileError(error: unknown, uri: string, { name, objects }: LocatedPath['registry']): unknown {
  if (!(error instanceof ContextError)) return error
  const place = 'collection' in name ? name.collection : objects.uri
  const hint = `List ${place} to see its files.`
  if (isNotFound(error)) return new ContextError('not-found', `There is no file ${oneLine(uri)}.`, { hint })
  return isBucketRoot(objects.uri) ? error : renameInError(error, objects.uri, place)
}

export function assertNoSecret(path: string, uri: string): void {
  if (!looksSecret(path)) return
  throw new ContextError('denied', `${oneLine(uri)} has the name of a secret.`, { hint: SECRET_HINT })
}

const SECRET_HINT = 'Files like it are not shown, so that nothing in them gets into a prompt or onto a screen.'

/** The text of a file. @throws ContextError `invalid-input` unless it is text; `denied` for a text with a secret. */
export function plainText({ uri }: Pick<PlaceFile, 'uri'>, bytes: Uint8Array) {
  const read = readSafeText(bytes)
  if (read.ok) return { text: read.content, notices: read.warnings.filter((one) => /U\+FFFD/.test(one)) }
  const { why, detail } = read
  const name = oneLine(uri)
  if (why === 'denied') throw new ContextError(why, `${name} holds a secret. ${detail}`, { hint: SECRET_HINT })
  throw invalidInput(`${name} is not text: ${detail}`, 'Pictures and PDFs can be looked at by a preview.')
}

/** The first `maxBytes` bytes of a stream. */
export async function collectBytes(parts: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let remaining = maxBytes
  for await (const part of parts) {
    chunks.push(part.subarray(0, remaining))
    remaining -= part.length
    if (remaining < 0) break
  }
  return Buffer.concat(chunks)
}
