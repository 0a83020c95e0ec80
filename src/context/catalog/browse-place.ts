/** Lists the files of a place: the current files of a collection or bucket, or the entries of a data package. */

import type { BrowseAnswer, BrowseEntry, BrowseRequest } from '../../collections/answers.ts'
import type { Library } from '../../collections/library.ts'
import { ContextError, isNotFound } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { ignoreMissing } from '../../files/objects.ts'
import type { PackageChild, PackageLsAnswer } from '../../quilt/answers.ts'
import { findNearPackages, hasPackage } from '../../quilt/found.ts'
import { bucketAddress, packageAtPath } from '../../quilt/place.ts'
import type { ManifestEntry } from '../../quilt/records.ts'
import type { LocatedPath, Registries } from '../../quilt/registries.ts'
import { lastPathSegment } from '../../text/paths.ts'
import { trimEnd } from '../../text/trim.ts'
import { directoryNotice, entryOf, existsAt, type PackagePath, type PlacePage, packageUriIn } from './locate.ts'

interface BrowseParts {
  readonly reader: {
    readonly registries: Registries
    /** @throws ContextError `not-found` with similar names. */
    findPackage(place: string, run: Run): Promise<PackagePath>
    listPackage(at: PackagePath, page: PlacePage, run: Run): Promise<PackageLsAnswer>
  }
  library(): Promise<Library>
}

/** Default number of entries of a page. */
const DEFAULT_LIMIT = 1000

/**
 * A page of the entries of a place. A place without a revision is an existing directory or file, else the latest revision of the package that it
 * begins with.
 *
 * @throws ContextError `not-found` with similar names; the errors of `PlaceReader`.
 */
export async function browsePlace(request: BrowseRequest, parts: BrowseParts, run: Run): Promise<BrowseAnswer> {
  const address = bucketAddress(request.place ?? '')
  if ('package' in address) return browsePackage(address.package, request, parts, run)
  // `Browser` opens every bucket, so `locate` must refuse forbidden buckets first.
  const bucket = 'bucket' in address ? await parts.reader.registries.locate(address) : undefined
  // Undefined for a place on disk, and for an unknown collection.
  const locate = async () => bucket ?? ignoreMissing(parts.reader.registries.locate(address))
  if (request.after !== undefined) {
    // A page token of a package is not valid for a bucket.
    const at = await locate()
    const isAbsent = at && at.path !== '' && !(await existsAt(at.registry.objects, at.path, run))
    const packagePlace = isAbsent ? await packageAt(at, run) : undefined
    if (packagePlace !== undefined) return browsePackage(packagePlace, request, parts, run)
  }
  const browser = await (await parts.library()).browser()
  try {
    const answer = await browser.browse(request, run)
    const packagePlace = /^[^/]+\/[^/]+$/.test(answer.path) ? await packageAt(await locate(), run) : undefined
    return packagePlace ? { ...answer, choice: directoryNotice(answer.path, packagePlace) } : answer
  } catch (error) {
    if (!isNotFound(error)) throw error
    const at = await locate()
    const packagePlace = await packageAt(at, run)
    if (packagePlace !== undefined) return browsePackage(packagePlace, request, parts, run)
    const similar = at && !error.hint?.startsWith('Similar') ? await findNearPackages(at.path, at.registry, run) : []
    if (similar.length === 0) throw error
    const placeName = 'collection' in address ? address.collection : `s3://${address.bucket}`
    const hint = `Similar: ${similar.map((one) => `${placeName}/${one}`).join(', ')}.`
    throw new ContextError(error.code, error.message, { hint, cause: error })
  }
}

/** The place in a package, if the location begins with the name of an existing package; else undefined. */
export async function packageAt(at: LocatedPath | undefined, run: Run): Promise<string | undefined> {
  const named = at && packageAtPath(at.registry.name, at.path)
  return named && (await hasPackage(at.registry, named.name, run)) ? named.place : undefined
}

async function browsePackage(place: string, page: BrowseRequest, parts: BrowseParts, run: Run): Promise<BrowseAnswer> {
  const at = await parts.reader.findPackage(place, run)
  const { registry, resolved } = at.found
  const path = trimEnd(at.path, '/')
  const collection = 'collection' in registry.name ? registry.name.collection : null
  const resolver = await (await parts.library()).contexts.resolver()
  return {
    collection,
    path,
    uri: packageUriIn(at.found, path || undefined),
    bucket: registry.bucket === collection ? null : registry.bucket,
    contexts: resolver.all(collection ?? '', ''),
    ...(await entriesAt(parts, at, { limit: page.limit ?? DEFAULT_LIMIT, after: page.after }, run)),
    package: { name: resolved.name, hash: resolved.hash },
  }
}

/** The entries of a directory, or the entry that the place names. */
async function entriesAt({ reader }: BrowseParts, at: PackagePath, page: PlacePage, run: Run) {
  const listing = await ignoreMissing(reader.listPackage(at, page, run))
  if (!listing) return { entries: [fileEntry(lastPathSegment(at.path), await entryOf(at.found, at.path, run))] }
  const { children, next } = listing
  return { entries: children.map(toBrowseEntry), ...(next !== undefined && { next }) }
}

function fileEntry(name: string, { size }: Pick<ManifestEntry, 'size'>): BrowseEntry {
  return { name, kind: 'file', ...(size !== null && { size }), isIndexed: false }
}

function toBrowseEntry(child: PackageChild): BrowseEntry {
  if (child.kind === 'entry') return fileEntry(child.name, child)
  return { name: child.name, kind: 'directory', files: child.totalEntries }
}
