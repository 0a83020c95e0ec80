import { ContextError } from '../../core/errors.ts'
import { nearest } from '../../text/nearest.ts'
import { checkLogicalKey, quoteForeign } from '../names.ts'
import type { ManifestEntry } from '../records.ts'
import { type RecordVisitor, readInOrder } from './in-order.ts'
import type { Manifest } from './manifest.ts'

/**
 * The entries at these logical keys, by key; those that are not in the package are left out.
 *
 * @throws ContextError `invalid-input` for a key that would leave the package, and as `readInOrder`.
 */
export async function entriesAt(
  manifest: Manifest,
  keys: readonly string[],
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ReadonlyMap<string, ManifestEntry>> {
  const wanted = new Set(keys.map(checkLogicalKey))
  const { found } = await readInOrder(manifest, () => new Picking(wanted), options)
  return found
}

/** The entry at a logical key. @throws ContextError `not-found`, and as `entriesAt`. */
export async function entryAt(
  manifest: Manifest,
  key: string,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ManifestEntry> {
  const wanted = new Set([checkLogicalKey(key)])
  const { found, isDirectory, beside } = await readInOrder(manifest, () => new Picking(wanted), options)
  const entry = found.get(key)
  if (entry) return entry
  if (isDirectory)
    throw entryNotFound(`${quoteForeign(key)} is a directory of the package.`, '"ambit package ls" lists it.')
  const near = nearest(key, [...beside, ...directoriesOf(beside)])
  const hint = near.length > 0 ? `Similar: ${near.join(', ')}.` : '"ambit package ls" shows what it has.'
  throw entryNotFound(`The package has no ${quoteForeign(key)}.`, hint)
}

/** The directories that keys are in, without slashes at their ends. */
function directoriesOf(keys: readonly string[]): Set<string> {
  return new Set(keys.flatMap((key) => [...key.matchAll(/\//g)].map(({ index }) => key.slice(0, index))))
}

/** Keys that are looked through for what is near to one that is not there. */
const MOST_BESIDE = 10_000

export function entryNotFound(message: string, hint: string): ContextError {
  return new ContextError('not-found', message, { hint })
}

class Picking implements RecordVisitor {
  readonly #wanted: ReadonlySet<string>
  readonly found = new Map<string, ManifestEntry>()
  /** The last key that is wanted, as it begins what is below it; entries come in order. */
  readonly #folders: readonly string[]
  isDirectory = false
  /** Keys of other entries, where one is wanted: in the order of the manifest. */
  readonly beside: string[] = []

  constructor(wanted: ReadonlySet<string>) {
    this.#wanted = wanted
    this.#folders = wanted.size === 1 ? [...wanted].map((key) => `${key}/`) : []
  }

  entry(entry: ManifestEntry): void {
    const { logicalKey } = entry
    if (this.#wanted.has(logicalKey)) this.found.set(logicalKey, entry)
    else if (this.#folders.length > 0 && this.beside.length < MOST_BESIDE) this.beside.push(logicalKey)
    this.isDirectory ||= this.#folders.some((folder) => logicalKey.startsWith(folder))
  }
}
