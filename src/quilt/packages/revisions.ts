import { ContextError } from '../../core/errors.ts'
import { mapParallel } from '../../core/steps.ts'
import { listPages, type Objects } from '../../files/objects.ts'
import type { LoggedRevision } from '../answers.ts'
import { NoPackage, pointerTime } from '../names.ts'
import { byCodePoint } from './in-order.ts'
import { LATEST, LAYOUTS, type Layout, pointerNames, readPointer, restOf } from './registry.ts'

/** One revision of a package, as its registry lists it. */
export type RevisionRow = Omit<LoggedRevision, 'message' | 'problem'>

export interface RevisionList {
  /** The newest first. */
  readonly revisions: readonly RevisionRow[]
  /** How many there are in all. */
  readonly total: number
  /** The hash that `latest` points to; absent where there is no such pointer. */
  readonly latest?: string
}

export interface RevisionOptions {
  /** Most revisions that are read and given. Default: 100. */
  readonly limit?: number
  readonly signal?: AbortSignal | undefined
}

/** Maximum number of pointers of one package that are read. */
const MOST = 100_000
/** Pointers that are read at the same time. */
const WIDE = 16

/**
 * The revisions of a package. Of layout 1 each pointer with a time is one, and only those that are given are read; of
 * layout 2 each manifest is.
 *
 * @throws ContextError `not-found` when there is no such package; `over-limit` for more than 100,000 revisions.
 */
export async function revisionsOf(
  registry: Objects,
  name: string,
  { limit = 100, signal }: RevisionOptions = {},
): Promise<RevisionList> {
  for (const layout of LAYOUTS) {
    const package_ = { registry, layout, name, limit, signal }
    const names = await pointerNames(registry, { ...package_, most: MOST })
    if (names.length >= MOST) throw tooManyRevisions(name)
    if (names.length > 0) return layout.isNested ? ofPointers(package_, names) : ofManifests(package_, names)
  }
  throw new NoPackage(name, registry)
}

/** A revision whose time is asked for. */
interface TimedRevision {
  readonly name: string
  readonly hash: string
  /** The pointer that it was found by. */
  readonly pointer?: string
}

/** Pointers that are read for the time of one revision, the newest first. */
const MOST_TIMED = 1000

/**
 * When a revision was pushed, ISO 8601, UTC: by the pointer with a time that it was asked for by, else by the newest that
 * names it; in layout 2 by its manifest. `latest` says when it was copied, too. Undefined where nothing tells.
 */
export async function revisionTime(
  registry: Objects,
  { name, hash, pointer = '' }: TimedRevision,
  { signal }: Pick<RevisionOptions, 'signal'> = {},
): Promise<string | undefined> {
  const own = pointerTime(pointer)
  if (own !== undefined) return own
  for (const layout of LAYOUTS) {
    const package_ = { registry, layout, name, limit: 0, signal }
    const time = layout.isNested ? await pointerTimeOf(package_, hash) : await manifestTime(package_, hash)
    if (time !== undefined) return time
  }
  return undefined
}

async function pointerTimeOf(package_: PackageOf, hash: string): Promise<string | undefined> {
  const names = await pointerNames(package_.registry, { ...package_, most: MOST })
  const times = newestTimes(names).slice(0, MOST_TIMED)
  // Mostly the newest is the latest: it is read alone.
  for (let [at, end] = [0, 1]; at < times.length; [at, end] = [end, end + WIDE]) {
    const hashes = await hashesOf(package_, times.slice(at, end))
    const found = times[at + hashes.indexOf(hash)]
    if (hashes.includes(hash) && found !== undefined) return pointerTime(found)
  }
  return undefined
}

async function manifestTime({ registry, layout, name, signal }: PackageOf, hash: string): Promise<string | undefined> {
  const prefix = layout.manifestKey(name, hash)
  const page = await registry.list({ prefix, limit: 1, signal })
  return page.objects.find(({ key }) => key === prefix)?.modifiedAt
}

function newestTimes(names: readonly string[]): string[] {
  return names.filter((name) => pointerTime(name) !== undefined).sort((a, b) => Number(b) - Number(a))
}

interface PackageOf {
  readonly registry: Objects
  readonly layout: Layout
  readonly name: string
  readonly limit: number
  readonly signal?: AbortSignal | undefined
}

async function ofPointers(package_: PackageOf, names: readonly string[]): Promise<RevisionList> {
  const times = newestTimes(names)
  const shown = times.slice(0, package_.limit)
  const [latest, ...hashes] = await hashesOf(package_, [LATEST, ...shown])
  const revisions = shown.flatMap((pointer, index) => {
    const hash = hashes[index]
    const modified = pointerTime(pointer) ?? ''
    return hash === undefined ? [] : [{ hash, pointers: [pointer], modified, isLatest: false }]
  })
  return withLatest({ revisions, total: times.length }, latest)
}

async function ofManifests(package_: PackageOf, names: readonly string[]): Promise<RevisionList> {
  const tags = names.filter((name) => name !== LATEST)
  const [latest, ...tagged] = await hashesOf(package_, [LATEST, ...tags])
  const manifests = (await manifestsOf(package_)).sort(
    (a, b) => byCodePoint(b.modified, a.modified) || byCodePoint(a.hash, b.hash),
  )
  const revisions = manifests.slice(0, package_.limit).map(({ hash, modified }) => {
    return { hash, pointers: tags.filter((_, index) => tagged[index] === hash), modified, isLatest: false }
  })
  return withLatest({ revisions, total: manifests.length }, latest)
}

/** Only the newest of those with the hash of `latest` is it: the same package may have been pushed twice. */
function withLatest({ revisions, total }: RevisionList, latest: string | undefined): RevisionList {
  if (latest === undefined) return { revisions, total }
  const newest = revisions.find(({ hash }) => hash === latest)
  return { revisions: revisions.map((row) => (row === newest ? { ...row, isLatest: true } : row)), total, latest }
}

/** Hashes in the pointers; undefined for a pointer that was removed meanwhile. */
function hashesOf({ registry, layout, name, signal }: PackageOf, pointers: readonly string[]) {
  return mapParallel(pointers, { wide: WIDE }, async (pointer) => {
    const found = await readPointer(registry, `${layout.pointersOf(name)}${pointer}`, signal)
    return found?.hash
  })
}

async function manifestsOf({ registry, layout, name, signal }: PackageOf) {
  const prefix = layout.manifestsOf(name)
  const found: { hash: string; modified: string }[] = []
  for await (const page of listPages(registry, { prefix, signal })) {
    for (const info of page.objects) {
      const hash = layout.hashOf(restOf(info, prefix))
      if (hash !== undefined) found.push({ hash, modified: info.modifiedAt })
    }
    if (found.length >= MOST) throw tooManyRevisions(name)
  }
  return found
}

function tooManyRevisions(name: string): ContextError {
  return new ContextError('over-limit', `The package ${name} has ${MOST.toLocaleString('en')} revisions or more.`)
}
