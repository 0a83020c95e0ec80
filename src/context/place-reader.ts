import type { BrowseAnswer, BrowseRequest } from '../collections/answers.ts'
import type { Library } from '../collections/library.ts'
import { type Run, SILENT } from '../core/flow.ts'
import { pageText } from '../ingest/extractor.ts'
import type { PackageLsAnswer } from '../quilt/answers.ts'
import { catalogOver } from '../quilt/catalog.ts'
import { entriesBelow, type ResolvedPackage, withRevision } from '../quilt/found.ts'
import { checkedStream } from '../quilt/hashes.ts'
import { streamEntry } from '../quilt/located.ts'
import { bucketAddress, placeText } from '../quilt/place.ts'
import type { ManifestEntry } from '../quilt/records.ts'
import { type LocatedPath, Registries, type RegistryRoots, type RegistryScope } from '../quilt/registries.ts'
import { trimEnd } from '../text/trim.ts'
import { browsePlace, packageAt } from './catalog/browse-place.ts'
import {
  assertNoSecret,
  collectBytes,
  entryOf,
  existsAt,
  fileError,
  type PackagePath,
  type PlaceFile,
  type PlacePage,
  packageUriIn,
  plainText,
  uriIn,
} from './catalog/locate.ts'
import {
  type DiskSearch,
  diskFiles,
  filesBelow,
  MAX_FOUND_FILES,
  type SearchedPlace,
  searchFiles,
} from './catalog/place-search.ts'
import { type PreviewFile, previewPlace, readAttachment } from './catalog/preview.ts'
import { cutLines, ProjectFiles } from './catalog/project-files.ts'

export interface PlaceReaderParts extends RegistryRoots {
  library(): Promise<Library>
}

/** A path in a package, or a path in a bucket or collection. */
export type LocatedPlace = PackagePath | { readonly at: LocatedPath }

/** Maximum bytes to read of a file. Only the beginning of a larger file is read. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024

/**
 * Reads, lists and searches files without an index: in the project of a person, and at any place. A place is `collection/path` or a URI: `ambit://…`,
 * `s3://…`, `quilt+s3://…`. Every method throws ContextError: `not-found` with similar names; `denied` for secrets and other forbidden files.
 */
export class PlaceReader {
  readonly #parts: PlaceReaderParts
  readonly #within: RegistryScope
  readonly registries: Registries

  /** Reads a file that a person sent, for a model. @throws ContextError `invalid-input`, `over-limit`. */
  readonly attachment = readAttachment

  constructor(parts: PlaceReaderParts, within: RegistryScope = 'anywhere') {
    this.#parts = parts
    this.#within = within
    this.registries = new Registries(parts, within)
  }

  /** The files of the project around a place on disk. @throws ContextError `not-found`; `denied` for files of the operating system. */
  readonly openProject = (place: string): ProjectFiles => new ProjectFiles(place)

  /** Reads a picture or a PDF, at a place or among the files of a project. */
  readPreview(place: string, project: ProjectFiles | undefined, signal: AbortSignal): Promise<PreviewFile> {
    return previewPlace(place, { file: (one) => this.file(one, { ...SILENT, signal }), project })
  }

  /** The text of a page of a PDF. @throws ContextError `invalid-input`, `not-found`. */
  page({ place, bytes }: PreviewFile, page: number, signal: AbortSignal) {
    return pageText(place, bytes, { page, signal })
  }

  /** A page of the entries of a place; without a place, the collections. Facts are from the index or a manifest. */
  browse(request: BrowseRequest, run: Run): Promise<BrowseAnswer> {
    return browsePlace(request, { reader: this, library: this.#parts.library }, run)
  }

  /** As `browse`, for a place that is not on disk: `find` locates the place. */
  async list(place: string, limit: number, run: Run): Promise<BrowseAnswer> {
    const located = await this.find(place, run)
    const uri =
      'at' in located
        ? uriIn(located.at.registry, trimEnd(located.at.path, '/'))
        : packageUriIn(located.found, trimEnd(located.path, '/') || undefined)
    return this.browse({ place: uri, limit }, run)
  }

  /** The best passages of the texts below a place. */
  async search(place: string, query: string, signal: AbortSignal) {
    const run = { ...SILENT, signal }
    return searchFiles(await this.#filesAt(await this.find(place, run), run), query, run)
  }

  /** As `search`, below a directory on disk. */
  async searchDisk(project: ProjectFiles, query: string, options: DiskSearch) {
    return searchFiles(await diskFiles(project, options), query, { ...SILENT, signal: options.signal })
  }

  /**
   * The file at a place.
   *
   * @throws ContextError `not-found` with similar names; `denied` for the name of a secret; the errors of reading.
   */
  async file(place: string, run: Run): Promise<PlaceFile> {
    const located = await this.find(place, run)
    if ('at' in located) return this.objectFile(located.at, run)
    return this.entryFile(located.found, await entryOf(located.found, located.path, run), run)
  }

  /**
   * The text of a file, or of some of its lines: `10-20`, `10-` or `10`; and notices for the reader.
   *
   * @throws ContextError as `file`; `invalid-input`.
   */
  async read(place: string, lines: string | undefined, signal: AbortSignal) {
    const file = await this.file(place, { ...SILENT, signal })
    const isLarge = (file.size ?? 0) > MAX_TEXT_BYTES
    // If the size is unknown, one more byte shows whether the file is longer than the limit.
    const bytes = await collectBytes(isLarge ? file.begin(MAX_TEXT_BYTES) : file.stream(), MAX_TEXT_BYTES + 1)
    const isWhole = !isLarge && bytes.length <= MAX_TEXT_BYTES
    const { text, notices } = plainText(file, bytes.subarray(0, MAX_TEXT_BYTES))
    const ofSize = file.size === null ? '' : ` of ${file.size}`
    const cut = isWhole ? [] : [`Only its first ${MAX_TEXT_BYTES}${ofSize} bytes were read, so no hash was checked.`]
    return { uri: file.uri, path: file.path, ...cutLines(text, lines), notices: [...notices, ...cut] }
  }

  /** A page of a directory of a package. @throws ContextError `not-found` with similar names; the errors of reading a manifest. */
  listPackage({ found, path }: PackagePath, page: PlacePage, run: Run): Promise<PackageLsAnswer> {
    const { name, hash } = found.resolved
    const revision = placeText(found.registry.name, { name, revision: { hash } })
    return catalogOver(this.#parts, this.#within).ls({ package: revision, path: trimEnd(path, '/'), ...page }, run)
  }

  /**
   * Locates a place. A place that does not exist in its bucket or collection, but begins with the name of a package, is
   * looked up in the latest revision of the package.
   */
  async find(place: string, run: Run): Promise<LocatedPlace> {
    const address = bucketAddress(place)
    if ('package' in address) return this.findPackage(address.package, run)
    const at = await this.registries.locate(address)
    if (at.path === '' || (await existsAt(at.registry.objects, at.path, run))) return { at }
    const packagePlace = await packageAt(at, run)
    return packagePlace === undefined ? { at } : this.findPackage(packagePlace, run)
  }

  async entryFile(found: ResolvedPackage, entry: ManifestEntry, { signal }: Run): Promise<PlaceFile> {
    const { logicalKey: path, size } = entry
    const uri = packageUriIn(found, path)
    assertNoSecret(path, uri)
    const reach = await this.registries.reach(found.registry)
    const stream = () => checkedStream(entry, reach, signal)
    return { uri, path, size, stream, begin: () => streamEntry(entry, reach, signal) }
  }

  /** Opens the package that a place names, and its path. @throws ContextError `not-found` with similar names. */
  async findPackage(place: string, run: Run): Promise<PackagePath> {
    return withRevision(this.registries, { text: place, signal: run.signal }, async (found) => {
      return { found, path: found.place.path ?? '' }
    })
  }

  /** An object as a file. @throws ContextError `not-found`; `denied`. */
  async objectFile({ registry, path }: LocatedPath, { signal }: Run): Promise<PlaceFile> {
    const uri = uriIn(registry, path)
    const { objects } = registry
    assertNoSecret(path, uri)
    const { size, etag } = await objects.head(path, { signal }).catch((error: unknown) => {
      throw fileError(error, uri, registry)
    })
    const stream = (length?: number) => objects.stream(path, { only: etag, length, signal })
    return { uri, path, size, stream: () => stream(), begin: stream }
  }

  async #filesAt(place: LocatedPlace, run: Run & { readonly signal: AbortSignal }): Promise<SearchedPlace> {
    if ('found' in place) {
      const { found, path } = place
      const bounds = { limit: MAX_FOUND_FILES, signal: run.signal }
      const { entries, total } = await entriesBelow(found, trimEnd(path, '/'), bounds)
      const files = entries.map((entry) => {
        return { path: entry.logicalKey, size: entry.size, open: () => this.entryFile(found, entry, run) }
      })
      return { files, isCut: total > files.length }
    }
    const { registry, path } = place.at
    const { files, isCut } = await filesBelow(registry.objects, path, run)
    const open = (key: string) => () => this.objectFile({ registry, path: key }, run)
    return { files: files.map(({ key, size }) => ({ path: key, size, open: open(key) })), isCut }
  }
}
