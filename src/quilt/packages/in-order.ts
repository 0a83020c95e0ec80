import { ContextError, invalidInput } from '../../core/errors.ts'
import { compareBytes } from '../../files/objects.ts'
import { quoteForeign } from '../names.ts'
import { type ManifestEntry, type ManifestHeader, type ManifestRecord, readRecord } from '../records.ts'
import { addManifestName, batchesOf, type Manifest } from './manifest.ts'
import type { Stoppable } from './requests.ts'

/** Records (lines) of a manifest in batches: the header first, the entries in the order of the tree (`byTree`). */
export type Records = AsyncGenerator<readonly ManifestRecord[], void>

export interface InOrderOptions extends Stoppable {
  /** Maximum characters of a manifest that is sorted in memory. Default: 512 Mi. */
  readonly maxSorted?: number
}

const MAX_SORTED = 512 << 20

/**
 * Passes the records of manifests to `use`, in the order of the tree. Checks that no two entries have the same logical
 * key, and that no entry is below another. Quilt's own tools write entries in this order: then only one block is in
 * memory, and an entry is compared only with the previous entry. If a manifest has another order, `use` is called again
 * with its records sorted in memory, which takes about twice the size of the manifest; `use` must then start afresh.
 *
 * @throws ContextError `invalid-input` that names manifest and line; `over-limit` for a manifest that is too large to sort.
 */
export async function mergeInOrder<Result>(
  manifests: readonly Manifest[],
  use: (records: readonly Records[]) => Promise<Result>,
  options: InOrderOptions = {},
): Promise<Result> {
  const unsorted = new Set<Manifest>()
  for (;;) {
    const records = manifests.map((one) => (unsorted.has(one) ? sortRecords(one, options) : readAsStored(one, options)))
    try {
      return await use(records)
    } catch (error) {
      if (!(error instanceof OutOfOrder)) throw error
      unsorted.add(error.manifest)
    } finally {
      await Promise.all(records.map((one) => one.return()))
    }
  }
}

/** Receives the records of one manifest. */
export interface RecordVisitor {
  header?(header: ManifestHeader): void
  entry(entry: ManifestEntry): void
  directory?(directory: ManifestRecord & { kind: 'directory' }): void
}

/**
 * Passes the records of a manifest to a visitor, as `mergeInOrder` does; returns the visitor that received all records.
 */
export function readInOrder<Seen extends RecordVisitor>(
  manifest: Manifest,
  createVisitor: () => Seen,
  options: InOrderOptions = {},
): Promise<Seen> {
  const use = async ([records]: readonly Records[]) => {
    const visitor = createVisitor()
    for await (const batch of records ?? [])
      for (const record of batch) {
        if (record.kind === 'entry') visitor.entry(record)
        else if (record.kind === 'header') visitor.header?.(record)
        else visitor.directory?.(record)
      }
    return visitor
  }
  return mergeInOrder([manifest], use, options)
}

class OutOfOrder extends Error {
  readonly manifest: Manifest

  constructor(manifest: Manifest) {
    super(`${manifest.name} is out of order`)
    this.manifest = manifest
  }
}

async function* readAsStored(manifest: Manifest, { signal }: InOrderOptions): Records {
  let previous: ManifestEntry | undefined
  for await (const { records } of batchesOf(manifest, signal)) {
    for (const record of records) {
      if (record.kind !== 'entry') continue
      if (previous !== undefined && !isInOrder(manifest, previous, record)) throw new OutOfOrder(manifest)
      previous = record
    }
    yield records
  }
}

/** Yields the records of a manifest, sorted in memory. Holds entries as texts, which take less memory than objects. */
async function* sortRecords(manifest: Manifest, { signal, maxSorted = MAX_SORTED }: InOrderOptions): Records {
  const entries: { readonly key: string; readonly text: string; readonly line: number }[] = []
  let remainingCharacters = maxSorted
  for await (const { records, texts } of batchesOf(manifest, signal)) {
    for (const [index, record] of records.entries()) {
      const text = texts[index] ?? ''
      remainingCharacters -= text.length
      if (remainingCharacters < 0) throw manifestTooLarge(manifest, maxSorted)
      if (record.kind === 'entry') entries.push({ key: record.logicalKey, text, line: record.line })
      else yield [record]
    }
  }
  entries.sort((a, b) => byTree(a.key, b.key))
  let previous: ManifestEntry | undefined
  for (const { text, line } of entries) {
    const entry = readRecord(text, line) as ManifestEntry
    if (previous !== undefined) isInOrder(manifest, previous, entry)
    previous = entry
    yield [entry]
  }
}

/** Whether `entry` comes after `previous` in the tree. @throws ContextError if both cannot be in one package. */
function isInOrder(manifest: Manifest, previous: ManifestEntry, entry: ManifestEntry): boolean {
  const order = byTree(previous.logicalKey, entry.logicalKey)
  // In the order of the tree, the first entry below another entry comes right after that entry.
  if (order === 0 || entry.logicalKey.startsWith(`${previous.logicalKey}/`))
    throw addManifestName(manifest, clashError(previous, entry))
  return order < 0
}

function clashError(previous: ManifestEntry, entry: ManifestEntry): ContextError {
  const [earlier, later] = previous.line < entry.line ? [previous, entry] : [entry, previous]
  const key = quoteForeign(previous.logicalKey)
  if (previous.logicalKey === entry.logicalKey)
    return invalidInput(`Line ${later.line} has the logical key ${key} of line ${earlier.line} again.`)
  return invalidInput(`Line ${entry.line} is below ${key}, which is itself the entry of line ${previous.line}.`)
}

function manifestTooLarge({ name }: Manifest, limit: number): ContextError {
  const size = `${limit.toLocaleString('en')} characters`
  return new ContextError('over-limit', `The manifest ${name} is out of order, and larger than ${size}.`, {
    hint: 'A manifest of any size can be read if it lists its entries in the order of their tree.',
  })
}

const SLASH = 0x2f

/**
 * Compares keys in the order of a walk through their tree, each directory sorted by code point: `a/z` before `a.b`,
 * `b/x` before `b-c`. A key comes right before the keys below it.
 */
export function byTree(a: string, b: string): number {
  return compareBytes(a, b, (point = -2) => (point === SLASH ? -1 : point))
}
