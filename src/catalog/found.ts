import { nearest } from '../collections/nearest.ts'
import { ContextError } from '../core/errors.ts'
import type { PackageSpec } from '../packages/names.ts'
import { listPackages } from '../packages/registry.ts'
import { type Resolved, resolvePackage } from '../packages/resolve.ts'
import { type PackagePlace, packagePlace, placeText, pointed } from './place.ts'
import type { Registries, Registry } from './registries.ts'

/** What may stop a call. */
export interface Stoppable {
  readonly signal?: AbortSignal | undefined
}

/** As the rooms below want it: absent where there is none. */
export function stopping({ signal }: Stoppable): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

/** A package that is asked for, and where it is. */
export interface Asked {
  readonly place: PackagePlace
  readonly registry: Registry
}

/** One revision of it. */
export interface Found extends Asked {
  readonly resolved: Resolved
}

/** Names that are looked at for those that are near to one that is not there. */
const MOST_NAMES = 1000

/** Finds packages by what a person writes, and tells what is wrong so that it can be mended by what is written. */
export class Finder {
  readonly #registries: Registries

  constructor(registries: Registries) {
    this.#registries = registries
  }

  /** Does something with a package. What fails says which commands go on from there. */
  async asked<T>(text: string, stop: Stoppable, work: (asked: Asked) => Promise<T>): Promise<T> {
    const place = packagePlace(text)
    const registry = await this.#registries.find(place.registry)
    try {
      return await work({ place, registry })
    } catch (error) {
      throw await mended(error, { place, registry }, stop)
    }
  }

  /** Does something with one revision of a package. */
  found<T>(text: string, stop: Stoppable, work: (found: Found) => Promise<T>): Promise<T> {
    return this.asked(text, stop, async (asked) => work({ ...asked, resolved: await resolved(asked, stop) }))
  }
}

function resolved({ place: { spec }, registry: { objects } }: Asked, stop: Stoppable): Promise<Resolved> {
  return resolvePackage(objects, spec, stopping(stop))
}

/** The error with hints that name this package; of a package that there is none of, with the names that are near. */
async function mended(error: unknown, { place, registry }: Asked, stop: Stoppable): Promise<unknown> {
  if (!(error instanceof ContextError)) return error
  const near = error.code === 'not-found' ? await nearTo(place.spec, registry, stop).catch(() => undefined) : undefined
  if (near !== undefined && near.length > 0) return unknownPackage(place, { registry, near, cause: error })
  if (error.hint === undefined) return error
  return new ContextError(error.code, error.message, { hint: pointed(error.hint, place), cause: error.cause })
}

/** The names near to one; undefined when it is there itself. */
async function nearTo({ name }: PackageSpec, { objects }: Registry, stop: Stoppable): Promise<string[] | undefined> {
  const { names } = await listPackages(objects, { limit: MOST_NAMES, ...stopping(stop) })
  return names.includes(name) ? undefined : nearest(name, names)
}

function unknownPackage(
  { spec, registry: named }: PackagePlace,
  { registry, near, cause }: { readonly registry: Registry; readonly near: readonly string[]; readonly cause: unknown },
): ContextError {
  const places = near.map((name) => placeText(named, { name }))
  const message = `There is no package ${spec.name} in ${registry.objects.uri}.`
  return new ContextError('not-found', message, { hint: `Near to it: ${places.join(', ')}.`, cause })
}
