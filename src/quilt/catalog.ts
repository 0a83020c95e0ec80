/** Operations on the packages of collections and buckets. */

import { ContextError, invalidInput } from '../core/errors.ts'
import type { Run } from '../core/flow.ts'
import { openWritable } from '../files/directory.ts'
import { countNoun, formatBytes } from '../text/counts.ts'
import { decode } from '../text/decode.ts'
import type {
  PackageCatAnswer,
  PackageCatRequest,
  PackageDiffAnswer,
  PackageDiffRequest,
  PackageGetAnswer,
  PackageGetRequest,
  PackageListAnswer,
  PackageListRequest,
  PackageLogAnswer,
  PackageLogRequest,
  PackageLsAnswer,
  PackageLsRequest,
  PackagePathRequest,
  PackagePushAnswer,
  PackagePushRequest,
  PackageRequest,
  PackageSearchAnswer,
  PackageSearchRequest,
  PackageShowAnswer,
  PackageVerifyAnswer,
  PackageVerifyRequest,
  RevisionAnswer,
} from './answers.ts'
import { type ResolvedPackage, readPackageLog, timeOfRevision, withPackage, withRevision } from './found.ts'
import { checkedStream, isCheckable } from './hashes.ts'
import type { RegistryReach } from './located.ts'
import { checkName, quoteForeign } from './names.ts'
import { diffOf } from './packages/diff.ts'
import { entryAt, listDirectory } from './packages/directory.ts'
import { downloadPackage } from './packages/local.ts'
import { pushPackage, readMetadata } from './packages/push.ts'
import { listPackageNames, searchPackages } from './packages/search.ts'
import { summarizeManifest } from './packages/top-hash.ts'
import { verifyPackage } from './packages/verify.ts'
import { placeText, registryPlace } from './place.ts'
import type { EntryHash, ManifestEntry } from './records.ts'
import { Registries, type RegistryRoots, type RegistryScope } from './registries.ts'

/**
 * The packages of collections and buckets.
 *
 * All methods throw ContextError: `not-found` with similar names; `invalid-input` for an invalid place, and for a
 * broken manifest, with its line; `denied` and `unavailable` from the bucket; `untrusted`; `cancelled`.
 */
export interface Packages {
  list(request: PackageListRequest, run: Run): Promise<PackageListAnswer>
  show(request: PackageRequest, run: Run): Promise<PackageShowAnswer>
  log(request: PackageLogRequest, run: Run): Promise<PackageLogAnswer>
  diff(request: PackageDiffRequest, run: Run): Promise<PackageDiffAnswer>
  ls(request: PackageLsRequest, run: Run): Promise<PackageLsAnswer>
  /** The text of an entry. Also throws `invalid-input` for a binary file, and `over-limit`. */
  cat(request: PackageCatRequest, run: Run): Promise<PackageCatAnswer>
  /** An entry to read later. Its stream throws `untrusted` at the end if the hash differs. */
  entry(request: PackagePathRequest, run: Run): Promise<PackageEntry>
  /** Emits `progress` of `verify` in entries. */
  verify(request: PackageVerifyRequest, run: Run): Promise<PackageVerifyAnswer>
  /** Searches by words, in the latest revisions of up to 10,000 packages of a registry. */
  search(request: PackageSearchRequest, run: Run): Promise<PackageSearchAnswer>
  /** Writes the entries of a package into a directory. Emits `progress` of `get` in entries. */
  get(request: PackageGetRequest, run: Run): Promise<PackageGetAnswer>
  /** Makes a revision from a directory. Emits `progress` of `push` in MiB. */
  push(request: PackagePushRequest, run: Run): Promise<Omit<PackagePushAnswer, 'isDryRun'>>
}

/** An entry of a package, and its bytes. */
export interface PackageEntry {
  /** From the root of its package. */
  readonly path: string
  /** The size in bytes according to the manifest; null if the manifest has none. */
  readonly size: number | null
  readonly hash: EntryHash | null
  stream(): AsyncIterable<Uint8Array>
}

/** Maximum packages of a registry that a search reads. */
const MAX_SEARCHED = 10_000

export function catalogOver(roots: RegistryRoots, scope: RegistryScope): Packages {
  const registries = new Registries(roots, scope)
  const withResolved = <T>(text: string, { signal }: Run, work: (revision: ResolvedPackage) => Promise<T>) =>
    withRevision(registries, { text, signal }, work)
  const openEntry = (request: PackagePathRequest, run: Run) =>
    withResolved(request.package, run, async (revision) => {
      const entry = await entryOf(revision, request, run)
      return { revision: revisionAnswer(revision), entry, reach: await registries.reach(revision.registry) }
    })
  return {
    list: (request, run) => listPackageNames(registries, request, run),
    show: ({ package: text }, run) =>
      withResolved(text, run, async (revision) => {
        const summarized = summarizeManifest(revision.resolved.manifest, run)
        const [{ computedHash, ...summary }, modified] = await Promise.all([summarized, timeOfRevision(revision, run)])
        return { ...revisionAnswer(revision), computedHash, modified, ...summary }
      }),
    log: ({ package: text, limit = 20 }, run) =>
      withPackage(registries, { text, signal: run.signal }, (target) => readPackageLog(target, limit, run)),
    diff: ({ before, after, limit }, run) =>
      withResolved(before, run, (old) =>
        withResolved(after, run, async (current) => {
          const options = { limit, signal: run.signal }
          const difference = await diffOf(old.resolved.manifest, current.resolved.manifest, options)
          return { before: revisionAnswer(old), after: revisionAnswer(current), ...difference }
        }),
      ),
    ls: (request, run) =>
      withResolved(request.package, run, async (revision) => {
        const { limit, after } = request
        const options = { limit, after, signal: run.signal }
        const page = await listDirectory(revision.resolved.manifest, requestedPath(revision, request), options)
        return { ...revisionAnswer(revision), ...page }
      }),
    cat: async (request, run) => {
      const { revision, ...entry } = await openEntry(request, run)
      return { ...revision, ...(await entryText(entry, request.maxBytes, run)) }
    },
    entry: async (request, run) => {
      const { entry, reach } = await openEntry(request, run)
      const { logicalKey: path, size, hash } = entry
      return { path, size, hash, stream: () => checkedStream(entry, reach, run.signal) }
    },
    verify: ({ package: text, topHashOnly = false, dir }, run) =>
      withResolved(text, run, async (revision) => {
        const directory = dir === undefined ? undefined : openWritable(dir)
        const options = { ...(await registries.reach(revision.registry)), topHashOnly, directory }
        return { ...revisionAnswer(revision), ...(await verifyPackage(revision.resolved, options, run)) }
      }),
    search: async (request, run) => {
      const packageList = await listPackageNames(registries, { registry: request.registry, limit: MAX_SEARCHED }, run)
      return searchPackages(registries, packageList, request, run)
    },
    get: (request, run) =>
      withResolved(request.package, run, async (revision) => {
        const { dir, force, allowExecutableConfig: startsPrograms } = request
        const path = requestedPath(revision, request)
        const reach = await registries.reach(revision.registry)
        const directory = openWritable(dir, { create: true, startsPrograms })
        const download = await downloadPackage(revision.resolved, { ...reach, directory, path, force }, run)
        return { ...revisionAnswer(revision), dir, ...download }
      }),
    push: async (request, run) => pushDirectory(registries, request, run),
  }
}

async function pushDirectory(registries: Registries, request: PackagePushRequest, run: Run) {
  const { dir, isConfirmed = false, workflow, ...options } = request
  const { registry: registryName, prefix } = registryPlace(request.registry)
  if (prefix !== '')
    throw invalidInput('The registry is a collection or a bucket, without a namespace.', 'Give its name alone.')
  const name = checkName(request.name)
  const { bucket, objects } = await registries.find(registryName)
  const metadata = await readMetadata(request, run.signal)
  const pushRequest = { ...options, ...metadata, name, workflow: workflow === 'none' ? null : workflow, isConfirmed }
  const push = await pushPackage(openWritable(dir), objects, pushRequest, run)
  return { bucket, name, place: placeText(registryName, { name, revision: { hash: push.hash } }), ...push }
}

function revisionAnswer({ registry: { bucket }, resolved: { name, hash } }: ResolvedPackage): RevisionAnswer {
  return { bucket, name, hash }
}

/**
 * The requested path in a package, from the request or the address: `''` is the package itself.
 *
 * @throws ContextError `invalid-input` when two paths are given.
 */
function requestedPath({ place }: ResolvedPackage, { path }: PackagePathRequest): string {
  if (path !== undefined && place.path !== undefined) {
    throw invalidInput('The address has a path, and another one is given.', 'Give one of them.')
  }
  return path ?? place.path ?? ''
}

/** @throws ContextError `not-found`; `invalid-input` for a path that leaves the package. */
async function entryOf(revision: ResolvedPackage, request: PackagePathRequest, run: Run): Promise<ManifestEntry> {
  const path = requestedPath(revision, request)
  if (path === '') throw invalidInput('No entry is named.', 'Give its path, such as data/table.csv.')
  if (path.endsWith('/')) throw invalidInput(`${quoteForeign(path)} is a directory.`, '"ambit package ls" lists it.')
  return entryAt(revision.resolved.manifest, path, run)
}

/** Default maximum bytes of a text: 1 MiB. */
const MAX_TEXT = 1 << 20

/**
 * The text of an entry.
 *
 * @throws ContextError `over-limit`; `invalid-input` for a binary file; `untrusted` for bytes that differ from the
 * manifest; errors of reading.
 */
async function entryText(
  { entry, reach }: { readonly entry: ManifestEntry; readonly reach: RegistryReach },
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
  if ('binary' in decoded) {
    throw invalidInput(
      `${quoteForeign(entry.logicalKey)} is not text: it holds NUL bytes, and is ${formatBytes(size)} long.`,
      'On a command line, send it to a file: > FILE',
    )
  }
  return { path: entry.logicalKey, size, ...decoded, isVerified: isCheckable(entry) }
}

function entryTooLarge({ logicalKey, size }: ManifestEntry, limit: number): ContextError {
  const length = size === null ? 'more' : countNoun(size, 'byte')
  const message = `${quoteForeign(logicalKey)} has ${length}; at most ${limit} are given as a text.`
  const hint = 'Ask for more by maxBytes (--max-bytes); or on a command line, send it to a file: > FILE'
  return new ContextError('over-limit', message, { hint })
}
