import { BucketTrouble, ContextError, UnsafeFileName } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { listPages, type Objects } from '../../files/objects.ts'
import { byCodeUnit } from '../../text/paths.ts'
import type { EntryProblem, EntryReport, PackageVerifyAnswer } from '../answers.ts'
import { AlteredEntry, checkBytes, isCheckable } from '../hashes.ts'
import { type RegistryReach, streamEntry } from '../located.ts'
import { logicalKeyProblem, quoteForeign } from '../names.ts'
import type { ManifestEntry } from '../records.ts'
import { forEachEntry, type Manifest } from './manifest.ts'
import { ORIGIN_KEY } from './origin.ts'
import { summarizeManifest } from './top-hash.ts'

type Verification = Omit<PackageVerifyAnswer, 'bucket' | 'name'>

export interface VerifyOptions extends RegistryReach {
  /** Whether to check only the top hash, without reading objects. */
  readonly topHashOnly?: boolean
  /** The directory whose files are checked instead of the objects. Files in it that the package does not have are reported. */
  readonly directory?: Objects | undefined
}

/**
 * Checks the top hash of a package and, even if the top hash is wrong, the size and the hash of each object.
 *
 * Emits `progress` of `verify` in entries. Errors of an entry are reported, and do not stop the check.
 *
 * @throws ContextError if the manifest cannot be read, or the credentials are not valid, and `cancelled`.
 */
export async function verifyPackage(
  { manifest, hash }: { readonly manifest: Manifest; readonly hash: string },
  options: VerifyOptions,
  run: Run,
): Promise<Verification> {
  const { signal } = run
  const { directory, topHashOnly = false } = options
  const summary = await summarizeManifest(manifest, { signal })
  const tally = tallyEntries(summary.totalEntries, 'verify', run)
  const open: OpenEntry = (entry, stop) =>
    directory ? directory.stream(entry.logicalKey, { signal: stop }) : streamEntry(entry, options, stop)
  const knownKeys = new Set([ORIGIN_KEY])
  const check = async (entry: ManifestEntry, stop: AbortSignal) => {
    if (directory) knownKeys.add(entry.logicalKey)
    tally.add(entry, await verifyEntry(entry, open, stop))
  }
  if (directory || !topHashOnly) await forEachEntry(manifest, check, signal)
  if (directory)
    for await (const { objects } of listPages(directory, { signal }))
      for (const { key } of objects) if (!knownKeys.has(key)) tally.addExtra(key)
  const { computedHash, totalEntries, totalBytes, problem } = summary
  const isTopHashGood = computedHash === hash
  const { isGood, ...outcome } = tally.outcome()
  const totals = { isGood: isTopHashGood && isGood, isTopHashGood, totalEntries, totalBytes, ...outcome }
  return { hash, computedHash, ...totals, ...(problem !== undefined && { problem }) }
}

export type OpenEntry = (entry: ManifestEntry, signal?: AbortSignal) => AsyncIterable<Uint8Array>

/** Maximum number of progress events. */
const MAX_EVENTS = 1000

/** Maximum number of problems in an answer. */
const MAX_REPORTS = 1000

/** Counts the results of the entries of a package, and emits progress. `what`: the subject of the progress. */
export function tallyEntries(total: number, what: string, run: Run) {
  const counts = new Map<EntryProblem, number>()
  let reports: EntryReport[] = []
  let [done, verified] = [0, 0]
  const positionOf = ({ line }: EntryReport) => line || Number.MAX_SAFE_INTEGER
  /** The first problems, sorted in the order of the manifest, because concurrent checks report in any order. */
  const firstReports = () => reports.sort((a, b) => positionOf(a) - positionOf(b)).slice(0, MAX_REPORTS)
  const addReport = (report: EntryReport) => {
    counts.set(report.problem, (counts.get(report.problem) ?? 0) + 1)
    reports.push(report)
    if (reports.length > 2 * MAX_REPORTS) reports = firstReports()
  }
  return {
    add({ line, logicalKey }: ManifestEntry, verdict: EntryVerdict | undefined): void {
      if (verdict === undefined) verified++
      else addReport({ line, logicalKey, ...verdict })
      done++
      if (done % Math.ceil(total / MAX_EVENTS) === 0 || done === total)
        run.emit({ type: 'progress', what, done, total })
    },
    /** Adds a file that is not an entry: it has no line (0), and comes after all entries. */
    addExtra(logicalKey: string): void {
      addReport({ line: 0, logicalKey, problem: 'extra', detail: 'The package does not have it.' })
    },
    outcome() {
      const isGood = [...counts.keys()].every((problem) => UNCHECKED.includes(problem))
      const sortedCounts = Object.fromEntries([...counts].sort(([a], [b]) => byCodeUnit(a, b)))
      return { verified, counts: sortedCounts, reports: firstReports(), isGood }
    },
  }
}

/** Problems of objects that could not be checked. They do not make a package bad. */
export const UNCHECKED: readonly EntryProblem[] = ['unknown-hash', 'outside']

/** A problem of an entry. `detail`: a sentence with the values. */
export type EntryVerdict = Pick<EntryReport, 'problem' | 'detail'>

/** The problem of an entry; undefined when its object has the size and hash of the manifest. */
export async function verifyEntry(
  entry: ManifestEntry,
  open: OpenEntry,
  signal?: AbortSignal | undefined,
): Promise<EntryVerdict | undefined> {
  const problem = logicalKeyProblem(entry.logicalKey)
  if (problem !== undefined) return { problem: 'bad-key', detail: `The logical key is not valid: ${problem}.` }
  const { hash, size } = entry
  if (hash === null || size === null) return { problem: 'no-hash', detail: 'The manifest has no hash or no size.' }
  if (!isCheckable(entry))
    return { problem: 'unknown-hash', detail: `The type of hash ${quoteForeign(hash.type)} is not known.` }
  try {
    for await (const _ of checkBytes(entry, open(entry, signal)));
    return undefined
  } catch (error) {
    if (!(error instanceof AlteredEntry)) return verdictOf(error)
    return { problem: `${error.alteredField}-mismatch`, detail: `I${error.problem.slice(1)}.` }
  }
}

const PROBLEMS: Readonly<Record<string, EntryProblem>> = {
  'not-found': 'missing',
  'invalid-input': 'bad-key',
  untrusted: 'outside',
  denied: 'denied',
}

/** The verdict on an entry that cannot be read. Rethrows other errors, and errors that every entry would have. */
export function verdictOf(error: unknown): EntryVerdict {
  if (!(error instanceof ContextError) || error.code === 'cancelled' || error instanceof BucketTrouble) throw error
  if (error instanceof AlteredEntry) return { problem: 'hash-mismatch', detail: error.message }
  if (error instanceof UnsafeFileName) return { problem: 'executable', detail: error.message }
  return { problem: PROBLEMS[error.code] ?? 'failed', detail: error.message }
}
