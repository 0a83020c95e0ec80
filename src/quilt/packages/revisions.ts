import { ContextError } from '../../core/errors.ts'
import { mapParallel } from '../../core/steps.ts'
import type { Objects } from '../../files/objects.ts'
import type { LoggedRevision, PackageLogRequest, Stoppable } from '../answers.ts'
import { PackageNotFound, pointerTime } from '../names.ts'
import { LATEST, pointerNames, pointersOf, readPointer } from './registry.ts'
import type { PackageLookup, ResolvedRevision } from './resolve.ts'

/** One revision of a package in the list of its registry. */
export type RevisionRow = Omit<LoggedRevision, 'message' | 'problem'>

/** Maximum number of listed pointers of one package. */
const MAX_POINTERS = 100_000
/** Maximum concurrent reads of pointers. */
const MAX_CONCURRENT = 16

/**
 * The revisions of a package, the newest first, one for each pointer whose name is a time. Reads only the pointers of
 * returned revisions.
 *
 * @returns `total`: number of all revisions. `latest`: the hash that `latest` points to; undefined without such a pointer.
 *
 * @throws ContextError `not-found` when there is no such package; `over-limit` for 100,000 revisions or more.
 */
export async function revisionsOf(
  registry: Objects,
  name: string,
  { limit = 100, signal }: Pick<PackageLogRequest, 'limit'> & Stoppable = {},
) {
  const names = await pointerNames(registry, { name, limit: MAX_POINTERS, signal })
  if (names.length === 0) throw new PackageNotFound(name, registry)
  if (names.length >= MAX_POINTERS) throw tooManyRevisions(name)
  const times = newestTimes(names)
  const shownTimes = times.slice(0, limit)
  const [latest, ...hashes] = await hashesOf({ registry, name, signal }, [LATEST, ...shownTimes])
  // If the same revision was pushed twice, two pointers have its hash. Only the newest row is marked.
  const newestIndex = hashes.indexOf(latest)
  const revisions = shownTimes.flatMap((pointer, at): RevisionRow[] => {
    const [hash, modified] = [hashes[at], pointerTime(pointer)]
    return hash && modified ? [{ hash, pointers: [pointer], modified, isLatest: at === newestIndex }] : []
  })
  return { revisions, total: times.length, latest }
}

/** Maximum pointers to read for the time of one revision, the newest first. */
const MAX_TIMED = 1000

/**
 * When a revision was pushed, ISO 8601, UTC: the time in the name of the requested pointer, else in the name of the
 * newest pointer to the revision. The time when `latest` was written does not count, because a copy of the registry
 * changes it. Undefined if unknown.
 */
export async function revisionTime(
  registry: Objects,
  { name, hash, pointer = '' }: Pick<ResolvedRevision, 'name' | 'hash' | 'pointer'>,
  { signal }: Stoppable = {},
): Promise<string | undefined> {
  const ownTime = pointerTime(pointer)
  if (ownTime !== undefined) return ownTime
  const times = newestTimes(await pointerNames(registry, { name, limit: MAX_POINTERS, signal })).slice(0, MAX_TIMED)
  // The newest pointer is mostly the latest, so it is read alone.
  for (let [at, end] = [0, 1]; at < times.length; [at, end] = [end, end + MAX_CONCURRENT]) {
    const hashes = await hashesOf({ registry, name, signal }, times.slice(at, end))
    const time = times[at + hashes.indexOf(hash)]
    if (hashes.includes(hash) && time !== undefined) return pointerTime(time)
  }
  return undefined
}

/** The names of pointers that are times, the newest first. */
export function newestTimes(names: readonly string[]): string[] {
  return names.filter((name) => pointerTime(name) !== undefined).sort((a, b) => Number(b) - Number(a))
}

/** Hashes in the pointers; undefined for a pointer that was removed meanwhile. */
function hashesOf({ registry, name, signal }: PackageLookup, pointers: readonly string[]) {
  return mapParallel(pointers, { atOnce: MAX_CONCURRENT }, async (pointer) => {
    return (await readPointer(registry, `${pointersOf(name)}${pointer}`, signal))?.hash
  })
}

function tooManyRevisions(name: string): ContextError {
  const limit = MAX_POINTERS.toLocaleString('en')
  return new ContextError('over-limit', `The package ${name} has ${limit} revisions or more.`)
}
