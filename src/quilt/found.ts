import { BucketTrouble, ContextError, invalidInput, orElse } from '../core/errors.ts'
import type { Run } from '../core/flow.ts'
import { mapParallel } from '../core/steps.ts'
import { nearest } from '../text/nearest.ts'
import type { LoggedRevision, PackageLogAnswer, Stoppable } from './answers.ts'
import { PackageNotFound } from './names.ts'
import { entryAt } from './packages/directory.ts'
import { readInOrder } from './packages/in-order.ts'
import { batchesOf, type Manifest } from './packages/manifest.ts'
import { listPackagePage, pointerNames } from './packages/registry.ts'
import { type ResolvedRevision, resolvePackage } from './packages/resolve.ts'
import { type RevisionRow, revisionsOf, revisionTime } from './packages/revisions.ts'
import { ManifestSummary, type PackageSummary } from './packages/top-hash.ts'
import { addPlaceToHint, type PackagePlace, packagePlace, placeText } from './place.ts'
import type { ManifestEntry } from './records.ts'
import type { Registries, Registry } from './registries.ts'

/** The package that a text names, and its registry. */
export interface NamedPackage {
  readonly place: PackagePlace
  readonly registry: Registry
}

export interface ResolvedPackage extends NamedPackage {
  readonly resolved: ResolvedRevision
}

/** Runs `work` with the package that a text names. Adds the package to commands in the hints of errors of `work`. */
export async function withPackage<T>(
  registries: Registries,
  { text, signal }: Stoppable & { readonly text: string },
  work: (target: NamedPackage) => Promise<T>,
): Promise<T> {
  const place = packagePlace(text)
  const registry = await registries.find(place.registry)
  try {
    return await work({ place, registry })
  } catch (error) {
    if (!(error instanceof PackageNotFound)) throw addPackageToHint(error, place)
    const similarNames = await findNearPackages(place.spec.name, registry, { signal })
    if (similarNames.length === 0) throw addPackageToHint(error, place)
    const places = similarNames.map((name) => placeText(place.registry, { name }))
    const { code, message, cause } = error
    throw new ContextError(code, message, { hint: `Similar: ${places.join(', ')}.`, cause })
  }
}

/** Runs `work` with the package revision that a text names. */
export function withRevision<T>(
  registries: Registries,
  request: Stoppable & { readonly text: string },
  work: (revision: ResolvedPackage) => Promise<T>,
): Promise<T> {
  return withPackage(registries, request, async (target) => work(await resolveRevision(target, request)))
}

/** Finds the requested revision of a package. Default: the latest. */
export async function resolveRevision(target: NamedPackage, options: Stoppable): Promise<ResolvedPackage> {
  return { ...target, resolved: await resolvePackage(target.registry.objects, target.place.spec, options) }
}

/** The time of a push, from the list of revisions; else the time when the pointer was written. Null without a pointer. */
export async function timeOfRevision({ registry, resolved }: ResolvedPackage, options: Stoppable) {
  return (await orElse(revisionTime(registry.objects, resolved, options), () => undefined)) ?? resolved.modified ?? null
}

/** Whether a registry has a package; false if the registry cannot be listed. */
export async function hasPackage({ objects }: Registry, name: string, { signal }: Stoppable): Promise<boolean> {
  return (await orElse(pointerNames(objects, { name, limit: 1, signal }), () => [])).length > 0
}

/** An entry of a package. @throws ContextError `not-found`, with similar keys; the errors of reading a manifest. */
export function readEntry({ resolved }: ResolvedPackage, path: string, options: Stoppable): Promise<ManifestEntry> {
  return entryAt(resolved.manifest, path, options)
}

/** The first entries below a directory of a package, in the order of its tree; `''` is the package itself. */
export async function entriesBelow(
  { resolved }: ResolvedPackage,
  directory: string,
  { limit, signal }: Stoppable & { readonly limit: number },
): Promise<{ readonly entries: readonly ManifestEntry[]; readonly total: number }> {
  const prefix = directory === '' ? '' : `${directory}/`
  const gather = () => ({
    entries: [] as ManifestEntry[],
    total: 0,
    entry(entry: ManifestEntry) {
      if (!entry.logicalKey.startsWith(prefix)) return
      this.total++
      if (this.entries.length < limit) this.entries.push(entry)
    },
  })
  return readInOrder(resolved.manifest, gather, { signal })
}

/** Adds the package to the commands in the hint of an error. */
export function addPackageToHint(error: unknown, place: PackagePlace): unknown {
  if (!(error instanceof ContextError) || error.hint === undefined) return error
  return new ContextError(error.code, error.message, { hint: addPlaceToHint(error.hint, place), cause: error.cause })
}

/** Maximum names to list from all namespaces, because each namespace takes a request. */
const MAX_NAMES = 200

/**
 * Names of packages that are similar to the beginning of a path: names in its namespace, else names in all namespaces. Empty if
 * the registry cannot be listed.
 */
export async function findNearPackages(path: string, { objects }: Pick<Registry, 'objects'>, options: Stoppable) {
  const [namespace, last] = path.split('/', 2)
  if (!namespace || !last) return []
  const name = `${namespace}/${last}`
  const listNear = async (prefix: string, limit?: number) =>
    nearest(name, (await listPackagePage(objects, { prefix, limit, signal: options.signal })).names)
  const findNear = async () => {
    const similarNames = await listNear(`${namespace}/`)
    return similarNames.length > 0 ? similarNames : await listNear('', MAX_NAMES)
  }
  return orElse(findNear(), () => [])
}

/** Maximum concurrent reads of the first lines of manifests. */
const MAX_CONCURRENT = 16

/** The revisions of a package with their messages, the newest first. */
export async function readPackageLog(target: NamedPackage, limit: number, run: Run): Promise<PackageLogAnswer> {
  const { place, registry } = target
  const { name, revision } = place.spec
  if (revision !== undefined)
    throw invalidInput('The log lists all revisions of a package.', `Give ${name} without a revision.`)
  const { revisions, total, latest = null } = await revisionsOf(registry.objects, name, { limit, signal: run.signal })
  const rows = await mapParallel(revisions, { atOnce: MAX_CONCURRENT, signal: run.signal }, (row) =>
    describeRow(target, row, run),
  )
  return { bucket: registry.bucket, name, latest, total, revisions: rows }
}

/** A revision with its message, or with the problem if its manifest cannot be read. */
async function describeRow({ place, registry }: NamedPackage, row: RevisionRow, run: Run): Promise<LoggedRevision> {
  const spec = { name: place.spec.name, revision: { hash: row.hash } }
  // The message is in the first line, so only its block is read.
  const readMessage = async () => {
    const { manifest } = await resolvePackage(registry.objects, spec, run)
    for await (const { records } of batchesOf(manifest, run.signal))
      for (const record of records) if (record.kind === 'header') return { ...row, message: record.message }
    return { ...row, message: null }
  }
  return orElse(readMessage(), (error) => {
    if (error instanceof BucketTrouble) throw error
    return { ...row, message: null, problem: error.message }
  })
}

/** A summary of a package, its directories, and its entries with requested names. */
export interface PackageAtPlace {
  readonly summary: PackageSummary
  /** The entries with one of the requested names, by logical key. */
  readonly entries: ReadonlyMap<string, ManifestEntry>
  /** The directories of the package, without slashes at their ends; not the package itself. */
  readonly directories: ReadonlySet<string>
}

/** Maximum entries of one package in memory, and maximum directories. */
const MAX_IN_MEMORY = 100_000

/** The entries to find. */
interface PlaceFiles {
  /** Names of files, in any directory. */
  readonly names: ReadonlySet<string>
  /** The requested directory. */
  readonly directory: string
}

/**
 * Reads a manifest once for all places of its package. `isWhole`: whether the result is complete for every directory.
 * Above 100,000 entries or directories, it is complete only for the requested directory and the directories above.
 *
 * @throws ContextError as `readInOrder`.
 */
export async function packageAtPlace(
  manifest: Manifest,
  files: PlaceFiles,
  options: Stoppable = {},
): Promise<PackageAtPlace & { readonly isWhole: boolean }> {
  const visitor = await readInOrder(manifest, () => new PlaceVisitor(files), options)
  const { entries, directories, isWhole } = visitor
  return { summary: visitor.summary(), entries, directories, isWhole }
}

class PlaceVisitor extends ManifestSummary {
  readonly entries = new Map<string, ManifestEntry>()
  readonly directories = new Set<string>()
  isWhole = true
  readonly #files: PlaceFiles
  #lastDirectory = ''

  constructor(files: PlaceFiles) {
    super()
    this.#files = files
  }

  override entry(entry: ManifestEntry): void {
    super.entry(entry)
    const { logicalKey } = entry
    const end = logicalKey.lastIndexOf('/')
    const directory = end < 0 ? '' : logicalKey.slice(0, end)
    // Entries of one directory mostly follow each other.
    if (directory !== this.#lastDirectory) this.#enter(directory)
    if (this.#files.names.has(logicalKey.slice(end + 1)) && this.#hasRoom(this.entries.size, directory)) {
      this.entries.set(logicalKey, entry)
    }
  }

  #enter(directory: string): void {
    this.#lastDirectory = directory
    for (let end = directory.length; end > 0; end = directory.lastIndexOf('/', end - 1)) {
      const parent = directory.slice(0, end)
      if (this.directories.has(parent)) return
      if (this.#hasRoom(this.directories.size, parent)) this.directories.add(parent)
    }
  }

  /** Entries at or above the requested directory are always kept. */
  #hasRoom(count: number, directory: string): boolean {
    if (count < MAX_IN_MEMORY) return true
    this.isWhole = false
    return directory === '' || `${this.#files.directory}/`.startsWith(`${directory}/`)
  }
}
