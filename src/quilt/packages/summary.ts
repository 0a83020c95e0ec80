import type { PackageShowAnswer, RevisionAnswer } from '../answers.ts'
import type { ManifestEntry, ManifestHeader } from '../records.ts'
import { type InOrderOptions, type RecordVisitor, readInOrder } from './in-order.ts'
import type { Manifest } from './manifest.ts'
import { TopHash } from './top-hash.ts'

/** A package as a whole. */
export type PackageSummary = Omit<PackageShowAnswer, keyof RevisionAnswer | 'modified'>

/** @throws ContextError as `readInOrder`. */
export async function summarizeManifest(manifest: Manifest, options?: InOrderOptions): Promise<PackageSummary> {
  const seen = await readInOrder(manifest, () => new ManifestSummary(), options)
  return seen.summary()
}

/** Sums up the records that it is shown. */
export class ManifestSummary implements RecordVisitor {
  readonly #topHash = new TopHash()
  #header: ManifestHeader | undefined
  #entries = 0
  #bytes = 0

  header(header: ManifestHeader): void {
    this.#header = header
    this.#topHash.header(header)
  }

  entry(entry: ManifestEntry): void {
    this.#entries++
    this.#bytes += entry.size ?? 0
    this.#topHash.entry(entry)
  }

  summary(): PackageSummary {
    const { message = null, userMeta = null, workflow = null } = this.#header ?? {}
    const { problem } = this.#topHash
    const [totalEntries, totalBytes, computedHash] = [this.#entries, this.#bytes, this.#topHash.digest()]
    const summary = { message, userMeta, workflow, totalEntries, totalBytes, computedHash }
    return problem === undefined ? summary : { ...summary, problem }
  }
}
