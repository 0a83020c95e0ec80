import { readInOrder } from './packages/in-order.ts'
import type { Manifest } from './packages/manifest.ts'
import { ManifestSummary, type PackageSummary } from './packages/summary.ts'
import type { ManifestEntry } from './records.ts'

/** A package as who stands in it sees it. */
export interface PackageAtPlace {
  readonly summary: PackageSummary
  /** Those whose name is one of the names asked for, by logical key. */
  readonly entries: ReadonlyMap<string, ManifestEntry>
  /** Its directories, without slashes around them; without the package itself. */
  readonly directories: ReadonlySet<string>
}

/** Names and directories that are held of one package. */
const MOST_HELD = 100_000

/** The part of a manifest to read. */
interface PlaceFiles {
  /** File names, in whichever directory. */
  readonly names: ReadonlySet<string>
  /** The directory that is asked about. */
  readonly directory: string
}

/**
 * Reads a manifest once for all of its places: what it is as a whole, and the entries of some names.
 * `isWhole`: it holds for every directory of the package. Of a package with too many such entries or directories, it
 * holds for the one that was asked about.
 *
 * @throws ContextError as `readInOrder`.
 */
export async function packageAtPlace(
  manifest: Manifest,
  wanted: PlaceFiles,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<PackageAtPlace & { readonly isWhole: boolean }> {
  const seen = await readInOrder(manifest, () => new PlaceVisitor(wanted), options)
  return {
    summary: seen.summary(),
    entries: seen.entries,
    directories: seen.directories,
    isWhole: seen.isWhole,
  }
}

class PlaceVisitor extends ManifestSummary {
  readonly entries = new Map<string, ManifestEntry>()
  readonly directories = new Set<string>()
  isWhole = true
  readonly #wanted: PlaceFiles
  #last = ''

  constructor(wanted: PlaceFiles) {
    super()
    this.#wanted = wanted
  }

  override entry(entry: ManifestEntry): void {
    super.entry(entry)
    const { logicalKey } = entry
    const end = logicalKey.lastIndexOf('/')
    const directory = end < 0 ? '' : logicalKey.slice(0, end)
    // Entries of one directory mostly follow each other.
    if (directory !== this.#last) this.#enter(directory)
    if (this.#wanted.names.has(logicalKey.slice(end + 1)) && this.#hasRoom(this.entries.size, directory)) {
      this.entries.set(logicalKey, entry)
    }
  }

  #enter(directory: string): void {
    this.#last = directory
    for (let end = directory.length; end > 0; end = directory.lastIndexOf('/', end - 1)) {
      const above = directory.slice(0, end)
      if (this.directories.has(above)) return
      if (this.#hasRoom(this.directories.size, above)) this.directories.add(above)
    }
  }

  /** Entries at or above the requested directory are always kept. */
  #hasRoom(held: number, directory: string): boolean {
    if (held < MOST_HELD) return true
    this.isWhole = false
    return directory === '' || `${this.#wanted.directory}/`.startsWith(`${directory}/`)
  }
}
