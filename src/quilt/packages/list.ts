import { ContextError, invalidInput } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import type { PackageListAnswer, PackageListRequest } from '../answers.ts'
import { placeText, type RegistryPlace, registryPlace, registryText } from '../place.ts'
import type { Registries } from '../registries.ts'
import { listPackagePage } from './registry.ts'

/** The names of the packages in a place, or of all collections. Nothing is read but listings. */
export async function listPackageNames(
  registries: Registries,
  { registry, limit = 1000, after }: PackageListRequest,
  run: Run,
): Promise<PackageListAnswer> {
  if (registry !== undefined) return namesIn(registries, { ...registryPlace(registry), limit, after }, run)
  if (after !== undefined)
    throw invalidInput('There is a name to continue after, but no place.', 'Give the collection, too.')
  const places = (await registries.names()).map((name) => ({ registry: name, prefix: '', limit }))
  const answers = await Promise.all(places.map((place) => namesOrProblem(registries, place, run)))
  return {
    packages: answers.flatMap(({ packages }) => packages),
    more: answers.flatMap(({ more }) => more),
    problems: answers.flatMap(({ problems }) => problems),
  }
}

interface NameListRequest extends RegistryPlace {
  readonly limit: number
  readonly after?: string | undefined
}

async function namesIn(registries: Registries, place: NameListRequest, run: Run): Promise<PackageListAnswer> {
  const { registry, prefix, limit, after } = place
  const { bucket, objects } = await registries.find(registry)
  const { names, next } = await listPackagePage(objects, { prefix, limit, after, signal: run.signal })
  return {
    packages: names.map((name) => ({ bucket, name, place: placeText(registry, { name }) })),
    more: next === undefined ? [] : [{ registry: prefixLabel(place), after: next }],
    problems: [],
  }
}

function prefixLabel({ registry, prefix }: RegistryPlace): string {
  return prefix === '' ? registryText(registry) : `${registryText(registry)}/${prefix}`
}

/** A place that cannot be read keeps the others from nothing. */
async function namesOrProblem(registries: Registries, place: NameListRequest, run: Run): Promise<PackageListAnswer> {
  try {
    return await namesIn(registries, place, run)
  } catch (error) {
    if (!(error instanceof ContextError) || error.code === 'cancelled') throw error
    return { packages: [], more: [], problems: [{ registry: registryText(place.registry), message: error.message }] }
  }
}
