/** Lists the present files of any place: of a collection or bucket from its root, of a data package from its manifest. */

import type { BrowseAnswer, BrowseEntry, BrowseRequest } from '../../collections/answers.ts'
import type { Library } from '../../collections/library.ts'
import { ContextError } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import type { PackageChild, PackageLsAnswer } from '../../quilt/answers.ts'
import { entryIn, findNearPackages, hasPackage, pointError, type ResolvedPackage } from '../../quilt/found.ts'
import { bucketAddress, type ObjectAddress, packageAtPath } from '../../quilt/place.ts'
import type { LocatedPath, Registries } from '../../quilt/registries.ts'
import { trimEnd } from '../../text/trim.ts'
import { directoryBefore, isNotFound, isThere, type ListedPart, type PackagePath, packageUriIn } from './locate.ts'

/** Reads packages. */
interface PackageReader {
  readonly registries: Registries
  /** @throws ContextError `not-found` with what is near. */
  findPackage(place: string, run: Run): Promise<PackagePath>
  listPackage(at: PackagePath, page: ListedPart, run: Run): Promise<PackageLsAnswer>
}

interface BrowseParts {
  readonly reader: PackageReader
  library(): Promise<Library>
}

/** Entries of a page where no number is given. */
const MOST = 1000

/**
 * A page of what a place holds. What names no revision of a package is a directory or a file where there is one, else the latest
 * revision of the package that it begins with.
 *
 * @throws ContextError `not-found` with what is near; as looking does.
 */
export async function browsePlace(request: BrowseRequest, parts: BrowseParts, run: Run): Promise<BrowseAnswer> {
  const address = bucketAddress(request.place ?? '')
  if ('package' in address) return browsePackage(address.package, request, parts, run)
  if (request.after !== undefined) {
    // A page token of a package is none of a bucket.
    const named = await packageAlone(address, parts, run)
    if (named !== undefined) return browsePackage(named, request, parts, run)
  }
  const browser = await (await parts.library()).browser()
  try {
    const answer = await browser.browse(request, run)
    const named = /^[^/]+\/[^/]+$/.test(answer.path) ? await packageAt(address, parts, run) : undefined
    return named ? { ...answer, choice: directoryBefore(answer.path, named) } : answer
  } catch (error) {
    if (!isNotFound(error)) throw error
    const named = await packageAt(address, parts, run)
    if (named === undefined) throw await withNearPackages(error, address, parts, run)
    return browsePackage(named, request, parts, run)
  }
}

/** The package that a place is in, as a place; undefined where a directory is of that name, too. */
async function packageAlone(address: ObjectAddress, parts: BrowseParts, run: Run): Promise<string | undefined> {
  const at = await locateIn(parts.reader, address)
  if (!at || at.path === '' || (await isThere(at.registry.objects, at.path, run))) return undefined
  return packageAt(address, parts, run)
}

/** The error with the packages that are near, where no file or directory is. */
async function withNearPackages(
  error: ContextError,
  address: ObjectAddress,
  { reader }: BrowseParts,
  run: Run,
): Promise<ContextError> {
  if (error.hint?.startsWith('Similar')) return error
  const near = await locateIn(reader, address).then((at) => at && findNearPackages(at.path, at.registry, run))
  if (!near?.length) return error
  const called = 'collection' in address ? address.collection : `s3://${address.bucket}`
  const hint = `Similar: ${near.map((one) => `${called}/${one}`).join(', ')}.`
  return new ContextError(error.code, error.message, { hint, cause: error })
}

/** The package that a place begins with, as a place; undefined where there is none. */
async function packageAt(address: ObjectAddress, { reader }: BrowseParts, run: Run): Promise<string | undefined> {
  const at = await locateIn(reader, address)
  const named = at && packageAtPath(at.registry.name, at.path)
  return named && (await hasPackage(at.registry, named.name, run)) ? named.place : undefined
}

/** Path of a place; undefined for one on disk, and for an unknown collection. */
async function locateIn(reader: PackageReader, address: ObjectAddress): Promise<LocatedPath | undefined> {
  try {
    return await reader.registries.locate(address)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

async function browsePackage(
  place: string,
  { limit = MOST, after }: BrowseRequest,
  { reader, library }: BrowseParts,
  run: Run,
): Promise<BrowseAnswer> {
  const at = await reader.findPackage(place, run)
  const { registry, resolved } = at.found
  const path = trimEnd(at.path, '/')
  const collection = 'collection' in registry.name ? registry.name.collection : null
  const resolver = await (await library()).contexts.resolver()
  return {
    collection,
    path,
    uri: packageUriIn(at.found, path || undefined),
    bucket: registry.bucket === collection ? null : registry.bucket,
    contexts: resolver.all(collection ?? '', ''),
    ...(await entriesAt(reader, at, { limit, after }, run)),
    package: { name: resolved.name, hash: resolved.hash },
  }
}

/** The entries of a directory, or the one entry that is meant. */
async function entriesAt(
  reader: PackageReader,
  at: PackagePath,
  page: ListedPart,
  run: Run,
): Promise<Pick<BrowseAnswer, 'entries' | 'next'>> {
  try {
    const { children, next } = await reader.listPackage(at, page, run)
    return { entries: children.map(entryOf), ...(next !== undefined && { next }) }
  } catch (error) {
    if (!isNotFound(error)) throw error
    return { entries: [await entryAt(at.found, at.path, run)] }
  }
}

async function entryAt(found: ResolvedPackage, path: string, run: Run): Promise<BrowseEntry> {
  const { size } = await entryIn(found, path, run).catch((error: unknown) => {
    throw pointError(error, found.place)
  })
  const name = path.slice(path.lastIndexOf('/') + 1)
  return { name, kind: 'file', ...(size !== null && { size }), isIndexed: false }
}

function entryOf(child: PackageChild): BrowseEntry {
  const { name } = child
  if (child.kind === 'directory') return { name, kind: 'directory', files: child.totalEntries }
  return { name, kind: 'file', ...(child.size !== null && { size: child.size }), isIndexed: false }
}
