/** A package beside a directory on disk: written into it, and compared with it. */

import { ContextError, NoSpace } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import type { WritableDirectory } from '../../files/directory.ts'
import { listPages, type Objects } from '../../files/objects.ts'
import type { PackageGetAnswer, RevisionAnswer } from '../answers.ts'
import { checkedStream, isCheckable } from '../hashes.ts'
import type { RegistryReach } from '../located.ts'
import { checkDirectory, logicalKeyProblem, quoteForeign } from '../names.ts'
import type { ManifestEntry, ManifestHeader } from '../records.ts'
import { entryNotFound } from './entries.ts'
import { type RecordVisitor, readInOrder } from './in-order.ts'
import { forEachEntry } from './manifest.ts'
import type { Resolved } from './resolve.ts'
import { Summing } from './summary.ts'
import { Tally, type Verification, verdictOf, verifyEntry } from './verify.ts'

export interface DownloadOptions extends RegistryReach {
  readonly directory: WritableDirectory
  /** An entry, or a directory of the package. Default: all of it. */
  readonly path?: string | undefined
  /** Replaces files that are others. Default: they are left, and told. */
  readonly force?: boolean | undefined
}

/** What became of the entries that were asked for. */
export type Download = Omit<PackageGetAnswer, keyof RevisionAnswer | 'dir'>

/**
 * Writes the entries of a package into a directory, each under its logical key, and each held against its hash before it has
 * its name. Files that are there with the right hash are left as they are: so a download that was killed goes on.
 *
 * Tells `progress` of `get` in entries.
 *
 * @throws ContextError `untrusted` where the manifest is not the one that its hash names; `not-found` where nothing is at the path;
 * `unavailable` for a full disk, and as reading the manifest does.
 */
export async function downloadPackage(
  { manifest, hash, name }: Pick<Resolved, 'manifest' | 'hash' | 'name'>,
  options: DownloadOptions,
  run: Run,
): Promise<Download> {
  const { directory, force = false } = options
  const isWanted = entryFilter(options.path)
  const planned = await readInOrder(manifest, () => new Planning(isWanted), run.signal ? { signal: run.signal } : {})
  const { computedHash } = planned.summary()
  if (computedHash !== hash) throw otherManifest(name, hash, computedHash)
  if (planned.entries === 0 && options.path) throw nothingAt(options.path)
  const tally = new Tally(planned.entries, { what: 'get' }, run)
  const done = { written: 0, writtenBytes: 0, current: 0, unchecked: 0 }
  const download = async (entry: ManifestEntry, signal: AbortSignal) => {
    if (!isWanted(entry)) return
    try {
      const state = await stateOf(entry, directory, signal)
      if (state === 'bad-key') return tally.add(entry, badKey(entry))
      if (state === 'different' && !force) return tally.add(entry, DIFFERENT)
      if (state === 'current') {
        done.current++
        return tally.add(entry, undefined)
      }
      const { size } = await directory.putStream(entry.logicalKey, checkedStream(entry, options, signal), { signal })
      done.written++
      done.writtenBytes += size
      if (!isCheckable(entry)) done.unchecked++
      tally.add(entry, undefined)
    } catch (error) {
      // The next would fail by it, too.
      if (error instanceof NoSpace) throw error
      tally.add(entry, verdictOf(error))
    }
  }
  await forEachEntry(manifest, download, { signal: run.signal })
  const { counts, reports } = tally.outcome()
  return { entries: planned.entries, bytes: planned.bytes, ...done, counts, reports }
}

const DIFFERENT = { problem: 'different', detail: 'Another file is there: --force replaces it.' } as const

function badKey({ logicalKey }: ManifestEntry) {
  return { problem: 'bad-key', detail: `The logical key is not valid: ${logicalKeyProblem(logicalKey)}.` } as const
}

/** Whether an entry is asked for. */
function entryFilter(path = ''): (entry: ManifestEntry) => boolean {
  const key = checkDirectory(path)
  const isDirectory = path.endsWith('/')
  return ({ logicalKey }) => key === '' || (!isDirectory && logicalKey === key) || logicalKey.startsWith(`${key}/`)
}

/** The top hash, and how much is asked for. */
class Planning implements RecordVisitor {
  readonly #summing = new Summing()
  readonly #isWanted: (entry: ManifestEntry) => boolean
  entries = 0
  bytes = 0

  constructor(isWanted: (entry: ManifestEntry) => boolean) {
    this.#isWanted = isWanted
  }

  header(header: ManifestHeader): void {
    this.#summing.header(header)
  }

  entry(entry: ManifestEntry): void {
    this.#summing.entry(entry)
    if (!this.#isWanted(entry)) return
    this.entries++
    this.bytes += entry.size ?? 0
  }

  summary() {
    return this.#summing.summary()
  }
}

/** What lies where an entry shall be. */
async function stateOf(entry: ManifestEntry, directory: Objects, signal: AbortSignal) {
  if (logicalKeyProblem(entry.logicalKey) !== undefined) return 'bad-key'
  try {
    const { size } = await directory.head(entry.logicalKey, { signal })
    if (size !== entry.size || !isCheckable(entry)) return 'different'
  } catch (error) {
    if (error instanceof ContextError && error.code === 'not-found') return 'absent'
    throw error
  }
  const open = ({ logicalKey }: ManifestEntry) => directory.stream(logicalKey, { signal })
  return (await verifyEntry(entry, open, signal)) === undefined ? 'current' : 'different'
}

function otherManifest(name: string, hash: string, computed: string | null): ContextError {
  const message = `The manifest of ${name} is not the one that its hash names: it has ${computed ?? 'no hash'}, not ${hash}.`
  return new ContextError('untrusted', message, { hint: '"ambit package verify" says what is wrong with it.' })
}

function nothingAt(path: string): ContextError {
  return entryNotFound(`The package has nothing at ${quoteForeign(path)}.`, '"ambit package ls" shows what it has.')
}

/**
 * Compares a package with a directory: the top hash, each entry with the file of its logical key, and each file that the
 * package does not have (`extra`). Tells `progress` of `verify` in entries.
 */
export async function compareDirectory(
  { manifest, hash }: Pick<Resolved, 'manifest' | 'hash'>,
  directory: Objects,
  run: Run,
): Promise<Verification> {
  const stop = run.signal ? { signal: run.signal } : {}
  const keys = new Set<string>()
  const summing = await readInOrder(manifest, () => new Summing(), stop)
  const summary = summing.summary()
  const tally = new Tally(summary.totalEntries, { what: 'verify' }, run)
  const open = ({ logicalKey }: ManifestEntry, signal?: AbortSignal) =>
    directory.stream(logicalKey, signal ? { signal } : {})
  const check = async (entry: ManifestEntry, signal: AbortSignal) => {
    keys.add(entry.logicalKey)
    tally.add(entry, await verifyEntry(entry, open, signal))
  }
  await forEachEntry(manifest, check, stop)
  for await (const { objects } of listPages(directory, stop)) {
    for (const { key } of objects) if (!keys.has(key)) tally.addExtra(key)
  }
  const isTopHashGood = summary.computedHash === hash
  const { verified, counts, reports, isGood } = tally.outcome()
  return { ...summary, hash, isGood: isTopHashGood && isGood, isTopHashGood, verified, counts, reports }
}
