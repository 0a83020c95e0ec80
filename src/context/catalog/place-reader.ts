/** Reads what stands at any place that has a URI: in a collection, a bucket, or a package at a revision, indexed or not. */

import type { BrowseAnswer } from '../../collections/browse-answer.ts'
import type { Library } from '../../collections/library.ts'
import { BucketTrouble, ContextError, invalidInput } from '../../core/errors.ts'
import { type Run, SILENT } from '../../core/flow.ts'
import { isBucketRoot } from '../../files/bucket-root.ts'
import type { Objects } from '../../files/objects.ts'
import type { PackageLsAnswer } from '../../quilt/answers.ts'
import { catalogOver } from '../../quilt/catalog.ts'
import { entryIn, foundBy, hasPackage, PackageFinder, type ResolvedPackage } from '../../quilt/found.ts'
import { checkedStream } from '../../quilt/hashes.ts'
import { streamEntry } from '../../quilt/located.ts'
import { bucketAddress, packageAtPath, placeText } from '../../quilt/place.ts'
import type { ManifestEntry } from '../../quilt/records.ts'
import { type LocatedPath, Registries, type RegistryRoots, type Within } from '../../quilt/registries.ts'
import { oneLine } from '../../text/controls.ts'
import { readable } from '../../text/readable.ts'
import { looksSecret } from '../../text/secrets.ts'
import { trimEnd } from '../../text/trim.ts'
import { cutLines, type NumberedText } from './loose.ts'
import { packageUriIn, uriIn } from './standing.ts'

export interface PlaceReaderParts extends RegistryRoots {
  library(): Promise<Library>
}

/** A file at a place. */
export interface PlaceFile {
  readonly uri: string
  /** From the root of its collection, its bucket or its package. */
  readonly path: string
  /** Bytes; null where its package does not say. */
  readonly size: number | null
  /** All of it: where a package says a hash, `untrusted` at the end of other bytes. */
  stream(): AsyncIterable<Uint8Array>
  /** Its beginning, which nothing is held against. */
  begin(length: number): AsyncIterable<Uint8Array>
}

export interface PlaceText extends NumberedText {
  readonly uri: string
  readonly path: string
  /** What the reader should know of it: a sentence each. */
  readonly notices: readonly string[]
}

/** What a place holds: as a package lists it, or as it is looked at now. */
export type PlaceListing =
  | { readonly package: PackageLsAnswer; readonly uri: string }
  | { readonly browsed: BrowseAnswer }

/** A place in a revision of a package. */
export interface PackagePath {
  readonly found: ResolvedPackage
  /** From the root of the package; `''` is the package itself. */
  readonly path: string
}

/** A package, or where objects are. */
export type LocatedPlace = PackagePath | { readonly at: LocatedPath }

/** Some entries of a listing. */
export interface ListedPart {
  readonly limit: number
  /** The last name of the page before. */
  readonly after?: string | undefined
}

/** Bytes of the largest file that is read whole; of a larger one its beginning is. */
export const MOST_TEXT = 8 * 1024 * 1024

/** Entries of one page of a listing. */
const MOST_LISTED = 200

export class PlaceReader {
  readonly #parts: PlaceReaderParts
  readonly #within: Within
  readonly registries: Registries

  constructor(parts: PlaceReaderParts, within: Within) {
    this.#parts = parts
    this.#within = within
    this.registries = new Registries(parts, within)
  }

  /**
   * The file at a place.
   *
   * @throws ContextError `not-found` with what is near; `denied` for the name of a secret; as reading does.
   */
  async file(place: string, run: Run = SILENT): Promise<PlaceFile> {
    const one = await this.find(place, run)
    if ('at' in one) return this.objectFile(one.at, run)
    return this.entryFile(one.found, await entryIn(one.found, one.path, run), run)
  }

  /** The text of a file, or of some of its lines: `10-20`, `10-` or `10`. @throws ContextError as `file`; `invalid-input`. */
  async read(place: string, lines: string | undefined, run: Run = SILENT): Promise<PlaceText> {
    const file = await this.file(place, run)
    const isLarge = (file.size ?? 0) > MOST_TEXT
    // Where no size is known, one byte more shows that there is more.
    const bytes = await collectBytes(isLarge ? file.begin(MOST_TEXT) : file.stream(), MOST_TEXT + 1)
    const isWhole = !isLarge && bytes.length <= MOST_TEXT
    const { text, notices } = plainText(file, bytes.subarray(0, MOST_TEXT))
    const of = file.size === null ? '' : ` of ${file.size}`
    const cut = isWhole ? [] : [`Only its first ${MOST_TEXT}${of} bytes were read, so no hash was checked.`]
    return { uri: file.uri, path: file.path, ...cutLines(text, lines), notices: [...notices, ...cut] }
  }

  /** A page of what a place holds. @throws ContextError `not-found` with what is near; as listing does. */
  async list(place: string, after: string | undefined, run: Run = SILENT): Promise<PlaceListing> {
    const one = await this.find(place, run)
    const page = { limit: MOST_LISTED, ...(after !== undefined && { after }) }
    if ('at' in one) {
      const { registry, path } = one.at
      const browser = await (await this.#parts.library()).browser()
      return { browsed: await browser.browse({ place: uriIn(registry, trimEnd(path, '/')), ...page }, run) }
    }
    const uri = packageUriIn(one.found, trimEnd(one.path, '/') || undefined)
    return { package: await this.listPackage(one, page, run), uri }
  }

  /** A page of a directory of a package. @throws ContextError `not-found` with what is near; as reading a manifest. */
  listPackage({ found, path }: PackagePath, page: ListedPart, run: Run): Promise<PackageLsAnswer> {
    const { name, hash } = found.resolved
    const revision = placeText(found.registry.name, { name, revision: { hash } })
    const catalog = catalogOver(this.#parts, this.#within)
    return catalog.ls({ package: revision, path: trimEnd(path, '/'), ...page }, run)
  }

  /**
   * Where a place is: what names no revision of a package, and is not there as a file, is looked for in the latest revision of
   * the package that it begins with.
   */
  async find(place: string, run: Run): Promise<LocatedPlace> {
    const address = bucketAddress(place)
    if ('package' in address) return this.findPackage(address.package, run)
    const at = await this.registries.locate(address)
    if (at.path === '' || (await isThere(at.registry.objects, at.path, run))) return { at }
    const named = packageAtPath(at.registry.name, at.path)
    const isPackage = named !== undefined && (await hasPackage(at.registry, named.name, run))
    return isPackage ? this.findPackage(named.place, run) : { at }
  }

  /** An entry as a file. */
  async entryFile(found: ResolvedPackage, entry: ManifestEntry, { signal }: Run): Promise<PlaceFile> {
    const { logicalKey: path, size } = entry
    const uri = packageUriIn(found, path)
    assertNoSecret(path, uri)
    const reach = await this.registries.reach(found.registry)
    return {
      uri,
      path,
      size,
      stream: () => checkedStream(entry, reach, signal),
      begin: () => streamEntry(entry, reach, signal),
    }
  }

  /** The revision of a package that is named, and a place in it. @throws ContextError `not-found` with what is near. */
  async findPackage(place: string, run: Run): Promise<PackagePath> {
    return new PackageFinder(this.registries).asked(place, run, async (asked) => ({
      found: await foundBy(asked, run),
      path: asked.place.path ?? '',
    }))
  }

  /** An object as a file. @throws ContextError `not-found`; `denied`. */
  async objectFile({ registry, path }: LocatedPath, { signal }: Run): Promise<PlaceFile> {
    const uri = uriIn(registry, path)
    const { objects } = registry
    assertNoSecret(path, uri)
    const stop = signal ? { signal } : {}
    const { size, etag } = await objects.head(path, stop).catch((error: unknown) => {
      throw fileError(error, uri, registry)
    })
    const stream = (length?: number) =>
      objects.stream(path, { only: etag, ...(length !== undefined && { length }), ...stop })
    return { uri, path, size, stream: () => stream(), begin: stream }
  }
}

/** Whether there is an object of a key, or any below it. What may not be looked at is taken to be there: reading says why. */
export async function isThere(objects: Objects, path: string, { signal }: Run): Promise<boolean> {
  const stop = signal ? { signal } : {}
  const plain = trimEnd(path, '/')
  const [page, isFile] = await Promise.all([
    objects.list({ prefix: `${plain}/`, limit: 1, ...stop }).catch(notThere),
    objects.head(plain, stop).catch(notThere),
  ])
  return (
    isFile !== undefined || (page !== undefined && page.objects.length + page.prefixes.length + page.left.length > 0)
  )
}

function notThere(error: unknown): undefined {
  // The answer about an object says as little of a bucket that there is none of.
  if (error instanceof BucketTrouble && error.code === 'not-found') throw error
  if (error instanceof ContextError && ['not-found', 'denied', 'invalid-input'].includes(error.code)) return undefined
  throw error
}

/** Of a directory on this machine it is not told where that is. */
function fileError(error: unknown, uri: string, { name, objects }: LocatedPath['registry']): unknown {
  if (!(error instanceof ContextError)) return error
  const place = 'collection' in name ? name.collection : objects.uri
  if (error.code === 'not-found') {
    return new ContextError('not-found', `There is no file ${oneLine(uri)}.`, {
      hint: `List ${place} to see its files.`,
    })
  }
  if (isBucketRoot(objects.uri)) return error
  const { code, message, hint } = error
  return new ContextError(code, message.replaceAll(objects.uri, place), hint === undefined ? {} : { hint })
}

function assertNoSecret(path: string, uri: string): void {
  if (!looksSecret(path)) return
  throw new ContextError('denied', `${oneLine(uri)} has the name of a secret.`, { hint: SECRETS })
}

const SECRETS = 'Files like it are not shown, so that nothing in them gets into a prompt or onto a screen.'

/** @throws ContextError `invalid-input` for what is no text; `denied` for one that holds a secret. */
export function plainText({ uri }: Pick<PlaceFile, 'uri'>, bytes: Uint8Array) {
  const read = readable(bytes)
  if (!read.ok && read.why === 'denied')
    throw new ContextError('denied', `${oneLine(uri)} holds a secret. ${read.detail}`, { hint: SECRETS })
  if (!read.ok)
    throw invalidInput(
      `${oneLine(uri)} is not text: ${read.detail}`,
      'Pictures and PDFs can be looked at by a preview.',
    )
  return { text: read.content, notices: read.warnings.filter((one) => /U\+FFFD/.test(one)) }
}

/** At most so many bytes, from the first on. */
export async function collectBytes(parts: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const kept: Uint8Array[] = []
  let left = most
  for await (const part of parts) {
    kept.push(part.subarray(0, left))
    left -= part.length
    if (left < 0) break
  }
  return Buffer.concat(kept)
}
