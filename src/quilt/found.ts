import { ContextError } from '../core/errors.ts'
import { nearest } from '../text/nearest.ts'
import { NoPackage } from './names.ts'
import { entryAt } from './packages/entries.ts'
import { readInOrder } from './packages/in-order.ts'
import { LAYOUTS, listPackagePage, pointerNames } from './packages/registry.ts'
import { type Resolved, resolvePackage } from './packages/resolve.ts'
import { revisionTime } from './packages/revisions.ts'
import { type PackagePlace, packagePlace, placeText, pointHint } from './place.ts'
import type { ManifestEntry } from './records.ts'
import type { Registries, Registry } from './registries.ts'

/** What may stop a call. */
export interface Stoppable {
  readonly signal?: AbortSignal | undefined
}

/** A package that is asked for, and where it is. */
export interface PackageQuestion {
  readonly place: PackagePlace
  readonly registry: Registry
}

/** One revision of it. */
export interface ResolvedPackage extends PackageQuestion {
  readonly resolved: Resolved
}

/** Finds packages by what a person writes, and tells what is wrong so that it can be mended by what is written. */
export class PackageFinder {
  readonly #registries: Registries

  constructor(registries: Registries) {
    this.#registries = registries
  }

  /** Does something with a package. What fails says which commands go on from there. */
  async asked<T>(text: string, stop: Stoppable, work: (asked: PackageQuestion) => Promise<T>): Promise<T> {
    const place = packagePlace(text)
    const registry = await this.#registries.find(place.registry)
    try {
      return await work({ place, registry })
    } catch (error) {
      throw await withNearNames(error, { place, registry }, stop)
    }
  }

  /** Does something with one revision of a package. */
  found<T>(text: string, stop: Stoppable, work: (found: ResolvedPackage) => Promise<T>): Promise<T> {
    return this.asked(text, stop, async (asked) => work(await foundBy(asked, stop)))
  }
}

/** The revision that is asked for. */
export async function foundBy(asked: PackageQuestion, stop: Stoppable): Promise<ResolvedPackage> {
  return { ...asked, resolved: await resolvePackage(asked.registry.objects, asked.place.spec, stop) }
}

/** When the revision was pushed, as the list of revisions has it; null where nothing tells, or that may not be listed. */
export async function timeOfRevision({ registry, resolved }: ResolvedPackage, stop: Stoppable): Promise<string | null> {
  const { modified = null } = resolved
  try {
    return (await revisionTime(registry.objects, resolved, stop)) ?? modified
  } catch (error) {
    if (!(error instanceof ContextError) || error.code === 'cancelled') throw error
    return modified
  }
}

/** Whether a registry has a package of a name, as far as it can be listed. */
export async function hasPackage({ objects }: Registry, name: string, stop: Stoppable): Promise<boolean> {
  const found = LAYOUTS.map(async (layout) => {
    const pointers = await pointerNames(objects, { layout, name, most: 1, signal: stop.signal }).catch(
      (error: unknown) => {
        if (error instanceof ContextError && error.code !== 'cancelled') return []
        throw error
      },
    )
    return pointers.length > 0
  })
  return (await Promise.all(found)).includes(true)
}

/** An entry of it. @throws ContextError `not-found`, with what is near; as reading a manifest. */
export function entryIn({ resolved }: ResolvedPackage, path: string, stop: Stoppable): Promise<ManifestEntry> {
  return entryAt(resolved.manifest, path, stop)
}

/** The first entries of a directory of it, and of those below, in the order of the manifest; `''` is the package itself. */
export async function entriesBelow(
  { resolved }: ResolvedPackage,
  directory: string,
  { most, signal }: Stoppable & { readonly most: number },
): Promise<{ readonly entries: readonly ManifestEntry[]; readonly total: number }> {
  const prefix = directory === '' ? '' : `${directory}/`
  const gather = () => ({
    entries: [] as ManifestEntry[],
    total: 0,
    entry(entry: ManifestEntry) {
      if (!entry.logicalKey.startsWith(prefix)) return
      this.total++
      if (this.entries.length < most) this.entries.push(entry)
    },
  })
  return readInOrder(resolved.manifest, gather, { signal })
}

/** The error with hints that name this package; for a missing package, with similar names. */
async function withNearNames(error: unknown, { place, registry }: PackageQuestion, stop: Stoppable): Promise<unknown> {
  if (!(error instanceof ContextError) || error.hint === undefined) return error
  const { code, message, cause } = error
  const near = error instanceof NoPackage ? await findNearPackages(place.spec.name, registry, stop) : []
  const places = near.map((name) => placeText(place.registry, { name }))
  const hint = near.length > 0 ? `Similar: ${places.join(', ')}.` : pointHint(error.hint, place)
  return new ContextError(code, message, { hint, cause })
}

/** The error with hints that name the package. */
export function pointError(error: unknown, place: PackagePlace): unknown {
  if (!(error instanceof ContextError) || error.hint === undefined) return error
  return new ContextError(error.code, error.message, { hint: pointHint(error.hint, place), cause: error.cause })
}

/** Most names that are listed of a namespace; and of all, where each namespace takes a request. */
const MOST = { ofOne: 1000, ofAll: 200 }

/**
 * The packages near to a name, or to the beginning of a path: those of its namespace first. What cannot be listed keeps the
 * error from nothing.
 */
export async function findNearPackages(
  path: string,
  { objects }: Pick<Registry, 'objects'>,
  stop: Stoppable,
): Promise<readonly string[]> {
  const [namespace, last] = path.split('/', 2)
  if (!namespace || !last) return []
  const name = `${namespace}/${last}`
  const nearIn = async (prefix: string, limit: number) =>
    nearest(name, (await listPackagePage(objects, { prefix, limit, signal: stop.signal })).names)
  try {
    const near = await nearIn(name.slice(0, name.indexOf('/') + 1), MOST.ofOne)
    return near.length > 0 ? near : await nearIn('', MOST.ofAll)
  } catch (error) {
    if (error instanceof ContextError) return []
    throw error
  }
}
