/** Downloads a package into a directory on disk. */

import { ContextError, invalidInput, NoSpace } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { ignoreMissing, listPages, type Objects } from '../../files/objects.ts'
import type { PackageGetAnswer, RevisionAnswer } from '../answers.ts'
import { checkedStream, isCheckable } from '../hashes.ts'
import type { RegistryReach } from '../located.ts'
import { checkDirectory, quoteForeign } from '../names.ts'
import type { ManifestEntry } from '../records.ts'
import { entryNotFound } from './directory.ts'
import { readInOrder } from './in-order.ts'
import { forEachEntry } from './manifest.ts'
import { type FetchedRevision, isOriginKey, ORIGIN_KEY, readOrigin, writeOrigin } from './origin.ts'
import type { ResolvedRevision } from './resolve.ts'
import { type BaseEntry, type BaseRevision, entryOfLine, NO_BASE, readBase } from './revise.ts'
import { ManifestSummary } from './top-hash.ts'
import { tallyEntries, verdictOf, verifyEntry } from './verify.ts'

export interface DownloadOptions extends RegistryReach {
  readonly directory: Objects
  /** The path of an entry, or of a directory of the package. Default: the whole package. */
  readonly path?: string | undefined
  /**
   * Whether to replace files that differ from the package. Default: false; then only files that did not change since
   * they were fetched are replaced, and changed files are reported.
   */
  readonly force?: boolean | undefined
}

/**
 * Writes the entries of a package into a directory, each under its logical key. A file gets its name only after its
 * hash has been checked. Files with the right hash stay, so a second call continues an interrupted download. The
 * manifest is stored in the directory, so that a push revises this revision.
 *
 * Emits `progress` of `get` in entries.
 *
 * @throws ContextError `untrusted` if the manifest does not have its hash; `not-found` if nothing is at the path;
 * `invalid-input` if `path` is set, and the directory has another revision; `unavailable` for a full disk; errors of
 * reading the manifest.
 */
export async function downloadPackage(
  { manifest, hash, name }: Pick<ResolvedRevision, 'manifest' | 'hash' | 'name'>,
  options: DownloadOptions,
  run: Run,
): Promise<Omit<PackageGetAnswer, keyof RevisionAnswer | 'dir'>> {
  const { directory, force = false } = options
  const isWanted = entryFilter(options.path)
  const plan = await readInOrder(manifest, () => new DownloadPlan(isWanted), run)
  const { computedHash } = plan.summary()
  if (computedHash !== hash) throw manifestMismatch(name, hash, computedHash)
  if (plan.entries === 0 && options.path)
    throw entryNotFound(`The package has nothing at ${quoteForeign(options.path)}.`)
  const registry = options.registry.uri
  const previous = await readOtherOrigin(directory, { registry, name, hash }, run)
  if (previous && options.path) throw otherRevisionError(name, hash)
  const { entries: fetchedEntries } = previous ? await readBase(previous.manifest, run.signal) : NO_BASE
  const tally = tallyEntries(plan.entries, 'get', run)
  /** Manifest lines of files that stay unchanged, by key. */
  const keptLines = new Map<string, string>()
  const keepFetchedLine = (key: string) => {
    const entry = fetchedEntries.get(key)
    if (entry) keptLines.set(key, entry.text)
  }
  const totals = { written: 0, writtenBytes: 0, current: 0, unchecked: 0 }
  const download = async (entry: ManifestEntry, signal: AbortSignal) => {
    if (!isWanted(entry)) return
    const { logicalKey: key } = entry
    if (isOriginKey(key)) return tally.add(entry, RESERVED_KEY)
    let state: Awaited<ReturnType<typeof stateOf>> | undefined
    try {
      state = await stateOf(entry, directory, { fetchedEntry: fetchedEntries.get(key), signal })
      if (state === 'different' && !force) {
        keepFetchedLine(key)
        return tally.add(entry, DIFFERENT_FILE)
      }
      if (state === 'current') {
        totals.current++
        return tally.add(entry, undefined)
      }
      const { size } = await directory.putStream(key, checkedStream(entry, options, signal), { signal })
      totals.written++
      totals.writtenBytes += size
      if (!isCheckable(entry)) totals.unchecked++
      tally.add(entry, undefined)
    } catch (error) {
      // The next file would fail, too.
      if (error instanceof NoSpace) throw error
      tally.add(entry, verdictOf(error))
      if (state !== 'absent') keepFetchedLine(key)
    }
  }
  await forEachEntry(manifest, download, run.signal)
  for await (const key of listObsoleteFiles(fetchedEntries, { plan, directory }, run)) {
    tally.addExtra(key)
    keepFetchedLine(key)
  }
  await writeOrigin(directory, { manifest, registry, name, hash, older: keptLines }, run.signal)
  await directory.sweep(plan.keys, run.signal)
  const { counts, reports } = tally.outcome()
  return { entries: plan.entries, bytes: plan.bytes, ...totals, counts, reports }
}

const DIFFERENT_FILE = { problem: 'different', detail: 'Another file is there: --force replaces it.' } as const

const RESERVED_KEY = { problem: 'bad-key', detail: `Ambit stores the revision in ${ORIGIN_KEY}.` } as const

/** A filter for the requested entries. */
function entryFilter(path = ''): (entry: ManifestEntry) => boolean {
  const key = checkDirectory(path)
  const isDirectory = path.endsWith('/')
  return ({ logicalKey }) => key === '' || (!isDirectory && logicalKey === key) || logicalKey.startsWith(`${key}/`)
}

/** Computes the top hash, and the totals and keys of the requested entries. */
class DownloadPlan extends ManifestSummary {
  readonly #isWanted: (entry: ManifestEntry) => boolean
  entries = 0
  bytes = 0
  readonly keys: string[] = []

  constructor(isWanted: (entry: ManifestEntry) => boolean) {
    super()
    this.#isWanted = isWanted
  }

  override entry(entry: ManifestEntry): void {
    super.entry(entry)
    if (!this.#isWanted(entry)) return
    this.entries++
    this.bytes += entry.size ?? 0
    this.keys.push(entry.logicalKey)
  }
}

/**
 * The revision that the directory was fetched from. Undefined for another package, and if the whole directory has the
 * revision `hash`.
 */
async function readOtherOrigin(
  directory: Objects,
  { registry, name, hash }: Omit<FetchedRevision, 'manifest'>,
  { signal }: Run,
) {
  const origin = await readOrigin(directory, signal)
  const isOther = origin?.hash !== hash || origin.isMixed
  return origin?.registry === registry && origin.name === name && isOther ? origin : undefined
}

/** Files in the directory that the previous revision has, and this revision does not have. */
async function* listObsoleteFiles(
  fetchedEntries: BaseRevision['entries'],
  { plan, directory }: { readonly plan: DownloadPlan; readonly directory: Objects },
  { signal }: Run,
): AsyncGenerator<string> {
  if (fetchedEntries.size === 0) return
  const keys = new Set(plan.keys)
  for await (const { objects } of listPages(directory, { signal }))
    for (const { key } of objects) if (fetchedEntries.has(key) && !keys.has(key)) yield key
}

/** The state of the file at an entry's path. `outdated`: the file is unchanged since an older revision was fetched. */
async function stateOf(
  entry: ManifestEntry,
  directory: Objects,
  { fetchedEntry, signal }: { readonly fetchedEntry: BaseEntry | undefined; readonly signal: AbortSignal },
) {
  const matchesEntry = async (one: ManifestEntry, size: number) => {
    if (size !== one.size || !isCheckable(one)) return false
    const open = ({ logicalKey }: ManifestEntry) => directory.stream(logicalKey, { signal })
    return (await verifyEntry(one, open, signal)) === undefined
  }
  const info = await ignoreMissing(directory.head(entry.logicalKey, { signal }))
  if (!info) return 'absent'
  if (await matchesEntry(entry, info.size)) return 'current'
  return fetchedEntry && (await matchesEntry(entryOfLine(fetchedEntry.text), info.size)) ? 'outdated' : 'different'
}

function otherRevisionError(name: string, hash: string): ContextError {
  const message = `The directory holds files of another revision than ${name}@${hash.slice(0, 12)}.`
  return invalidInput(message, 'Get the whole package into it, or get this part into another directory.')
}

function manifestMismatch(name: string, hash: string, computed: string | null): ContextError {
  const message = `The manifest of ${name} does not match its hash ${hash}: the computed hash is ${computed ?? 'missing'}.`
  return new ContextError('untrusted', message, { hint: '"ambit package verify" says what is wrong with it.' })
}
