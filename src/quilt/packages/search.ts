/** Finds packages by words in their names, messages, metadata and logical keys. Reads each latest manifest, because there is no index. */

import { invalidInput, orElse } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { mapParallel } from '../../core/steps.ts'
import { PassageIndex } from '../../retrieval/passages.ts'
import { paragraphOf } from '../../retrieval/units.ts'
import { byCodeUnit } from '../../text/paths.ts'
import type { PackageField, PackageListAnswer, PackageSearchAnswer } from '../answers.ts'
import { withRevision } from '../found.ts'
import { placeText, type RegistryPlace, registryPlace, registryText } from '../place.ts'
import type { ManifestEntry, ManifestHeader } from '../records.ts'
import type { Registries } from '../registries.ts'
import { readInOrder } from './in-order.ts'
import { listPackagePage } from './registry.ts'
import type { PackageListRequest, PackageSearchRequest } from './requests.ts'

/** Maximum concurrent reads of manifests. */
const MAX_CONCURRENT = 8

/** Maximum number of ranked logical keys of a package. */
const MAX_KEYS = 200
/** Maximum number of returned logical keys of a package. */
const MAX_NAMED_KEYS = 5

/** Maximum characters of metadata that are searched. */
const MAX_META = 20_000

/** The searched texts of a package. */
interface PackageText {
  readonly place: PackageListAnswer['packages'][number]
  readonly hash: string
  readonly message: string | null
  readonly parts: readonly { readonly field: PackageField; readonly text: string }[]
}

/**
 * The listed packages that match a query best.
 *
 * @throws ContextError `invalid-input` for a query without words.
 */
export async function searchPackages(
  registries: Registries,
  { packages, more, problems }: PackageListAnswer,
  { query, limit = 10 }: PackageSearchRequest,
  run: Run,
): Promise<PackageSearchAnswer> {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length === 0)
    throw invalidInput('There is no word to search for.', 'Give one, such as: ambit package search rainfall')
  const allProblems = [...problems]
  const textsOrFailures = await mapParallel(packages, { atOnce: MAX_CONCURRENT, signal: run.signal }, (place) =>
    orElse(readTexts(registries, place, { words, run }), ({ message }) => {
      allProblems.push({ registry: place.place, message })
    }),
  )
  const texts = textsOrFailures.filter((one) => one !== undefined)
  return { query, packages: rankTexts(texts, query, limit), searched: texts.length, more, problems: allProblems }
}

async function readTexts(
  registries: Registries,
  place: PackageText['place'],
  { words, run }: { readonly words: readonly string[]; readonly run: Run },
): Promise<PackageText> {
  return withRevision(registries, { text: place.place, signal: run.signal }, async ({ resolved }) => {
    const gather = () => ({
      keys: [] as string[],
      manifestHeader: undefined as ManifestHeader | undefined,
      header(header: ManifestHeader) {
        this.manifestHeader = header
      },
      entry({ logicalKey }: ManifestEntry) {
        const key = logicalKey.toLowerCase()
        if (this.keys.length < MAX_KEYS && words.some((word) => key.includes(word))) this.keys.push(logicalKey)
      },
    })
    const { keys, manifestHeader } = await readInOrder(resolved.manifest, gather, run)
    const { message = null, userMeta = null } = manifestHeader ?? {}
    const metadata = userMeta === null ? '' : JSON.stringify(userMeta).slice(0, MAX_META)
    const parts = [
      { field: 'name', text: place.name },
      { field: 'message', text: message ?? '' },
      { field: 'metadata', text: metadata },
      ...keys.map((text) => ({ field: 'entry', text }) as const),
    ] as const
    return { place, hash: resolved.hash, message, parts }
  })
}

function rankTexts(texts: readonly PackageText[], query: string, limit: number): PackageSearchAnswer['packages'] {
  const owners = texts.flatMap((text) => text.parts.map((part) => ({ text, part })))
  // Splits names and paths into words.
  const units = owners.map(({ part }) => paragraphOf(part.text.replace(/[^\p{L}\p{N}\s]+/gu, ' ')))
  const rankedUnits = new PassageIndex(units).rank(query)
  const byPackage = new Map<PackageText, { score: number; fields: Set<PackageField>; entries: string[] }>()
  for (const { score, at } of [...rankedUnits].sort((a, b) => b.score - a.score || a.at - b.at)) {
    const owner = owners[at]
    if (!owner || score <= 0) continue
    const { text, part } = owner
    const match = byPackage.get(text) ?? { score: 0, fields: new Set(), entries: [] }
    byPackage.set(text, match)
    // Only the best key counts, so that many keys with a word do not count more than one.
    if (!match.fields.has(part.field)) match.score += score
    match.fields.add(part.field)
    if (part.field === 'entry' && match.entries.length < MAX_NAMED_KEYS) match.entries.push(part.text)
  }
  const ranking = [...byPackage].sort(([a, x], [b, y]) => y.score - x.score || byCodeUnit(a.place.place, b.place.place))
  return ranking.slice(0, limit).map(([{ place, hash, message }, { score, fields, entries }]) => {
    return { ...place, hash, message, score: Math.round(score * 1000) / 1000, fields: [...fields], entries }
  })
}

/**
 * The names of the packages in a registry, or in all collections, from listings only. If a collection cannot be read,
 * the answer has its problem, and the packages of the other collections.
 */
export async function listPackageNames(
  registries: Registries,
  { registry: text, limit = 1000, after }: PackageListRequest,
  run: Run,
): Promise<PackageListAnswer> {
  const list = async ({ registry, prefix }: RegistryPlace): Promise<PackageListAnswer> => {
    const { bucket, objects } = await registries.find(registry)
    const { names, next } = await listPackagePage(objects, { prefix, limit, after, signal: run.signal })
    return {
      packages: names.map((name) => ({ bucket, name, place: placeText(registry, { name }) })),
      more: next === undefined ? [] : [{ registry: registryText(registry) + (prefix && `/${prefix}`), after: next }],
      problems: [],
    }
  }
  if (text !== undefined) return list(registryPlace(text))
  if (after !== undefined)
    throw invalidInput('There is a name to continue after, but no place.', 'Give the collection, too.')
  const listings = (await registries.names()).map((registry) =>
    orElse(list({ registry, prefix: '' }), ({ message }) => {
      return { packages: [], more: [], problems: [{ registry: registryText(registry), message }] }
    }),
  )
  const answers = await Promise.all(listings)
  return {
    packages: answers.flatMap(({ packages }) => packages),
    more: answers.flatMap(({ more }) => more),
    problems: answers.flatMap(({ problems }) => problems),
  }
}
