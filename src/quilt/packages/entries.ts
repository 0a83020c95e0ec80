import { ContextError } from '../../core/errors.ts'
import { nearest } from '../../text/nearest.ts'
import { checkLogicalKey, quoteForeign } from '../names.ts'
import type { ManifestEntry } from '../records.ts'
import { readInOrder } from './in-order.ts'
import type { Manifest } from './manifest.ts'

/** @throws ContextError `not-found`; `invalid-input` for a key that would leave the package, and as `readInOrder`. */
export async function entryAt(
  manifest: Manifest,
  key: string,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ManifestEntry> {
  const folder = `${checkLogicalKey(key)}/`
  const gather = () => ({
    found: undefined as ManifestEntry | undefined,
    isDirectory: false,
    /** Keys of other entries, in the order of the manifest. */
    beside: [] as string[],
    entry(entry: ManifestEntry) {
      if (entry.logicalKey === key) this.found = entry
      else if (this.beside.length < MOST_BESIDE) this.beside.push(entry.logicalKey)
      this.isDirectory ||= entry.logicalKey.startsWith(folder)
    },
  })
  const { found, isDirectory, beside } = await readInOrder(manifest, gather, options)
  if (found) return found
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
