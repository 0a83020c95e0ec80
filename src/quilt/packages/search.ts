/** Finds packages by words of their names, messages, metadata and logical keys. Each latest manifest is read: there is no index of them. */

import { ContextError, invalidInput } from '../../core/errors.ts'
import type { Run } from '../../core/flow.ts'
import { mapParallel } from '../../core/parallel.ts'
import { PassageIndex } from '../../retrieval/passages.ts'
import type { TextUnit } from '../../retrieval/units.ts'
import type { PackageField, PackageListAnswer, PackageSearchAnswer, PackageSearchRequest } from '../answers.ts'
import type { PackageFinder } from '../found.ts'
import type { ManifestEntry, ManifestHeader } from '../records.ts'
import { readInOrder } from './in-order.ts'

/** Packages whose manifests are read at the same time. */
const WIDE = 8

/** Logical keys of a package that are ranked, of those that hold a word; and that are named. */
const MOST_KEYS = 200
const NAMED_KEYS = 5

/** Characters of metadata that are looked through. */
const MOST_META = 20_000

/** A package as it is searched. */
interface PackageText {
  readonly place: PackageListAnswer['packages'][number]
  readonly hash: string
  readonly message: string | null
  readonly parts: readonly { readonly field: PackageField; readonly text: string }[]
}

/**
 * The packages that fit best, of those that are listed.
 *
 * @throws ContextError `invalid-input` for a query without words.
 */
export async function searchPackages(
  finder: PackageFinder,
  { packages, more, problems }: PackageListAnswer,
  { query, limit = 10 }: PackageSearchRequest,
  run: Run,
): Promise<PackageSearchAnswer> {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length === 0)
    throw invalidInput('There is no word to search for.', 'Give one, such as: ambit package search rainfall')
  const failed = [...problems]
  const read = await mapParallel(
    packages,
    { wide: WIDE, signal: run.signal },
    async (place): Promise<PackageText | undefined> => {
      try {
        return await readTexts(finder, place, { words, run })
      } catch (error) {
        if (!(error instanceof ContextError) || error.code === 'cancelled') throw error
        failed.push({ registry: place.place, message: error.message })
        return undefined
      }
    },
  )
  const texts = read.filter((one) => one !== undefined)
  return { query, packages: rankTexts(texts, query, limit), searched: texts.length, more, problems: failed }
}

async function readTexts(
  finder: PackageFinder,
  place: PackageText['place'],
  { words, run }: { readonly words: readonly string[]; readonly run: Run },
): Promise<PackageText> {
  return finder.found(place.place, run, async ({ resolved }) => {
    const gather = () => ({
      keys: [] as string[],
      first: undefined as ManifestHeader | undefined,
      header(header: ManifestHeader) {
        this.first = header
      },
      entry({ logicalKey }: ManifestEntry) {
        const key = logicalKey.toLowerCase()
        if (this.keys.length < MOST_KEYS && words.some((word) => key.includes(word))) this.keys.push(logicalKey)
      },
    })
    const { keys, first } = await readInOrder(resolved.manifest, gather, run)
    const { message = null, userMeta = null } = first ?? {}
    const metadata = userMeta === null ? '' : JSON.stringify(userMeta).slice(0, MOST_META)
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
  const owners = texts.flatMap((one) => one.parts.map((part) => ({ one, part })))
  const ranked = new PassageIndex(owners.map(({ part }) => toUnit(part.text))).rank(query)
  const byPackage = new Map<PackageText, { score: number; fields: Set<PackageField>; entries: string[] }>()
  for (const { score, at } of [...ranked].sort((a, b) => b.score - a.score || a.at - b.at)) {
    const owner = owners[at]
    if (!owner || score <= 0) continue
    const { one, part } = owner
    const known = byPackage.get(one) ?? { score: 0, fields: new Set(), entries: [] }
    byPackage.set(one, known)
    // Many keys with the word say little more than one.
    if (!known.fields.has(part.field)) known.score += score
    known.fields.add(part.field)
    if (part.field === 'entry' && known.entries.length < NAMED_KEYS) known.entries.push(part.text)
  }
  const best = [...byPackage].sort(([a, x], [b, y]) => y.score - x.score || (a.place.place < b.place.place ? -1 : 1))
  return best.slice(0, limit).map(([{ place, hash, message }, { score, fields, entries }]) => {
    return { ...place, hash, message, score: Math.round(score * 1000) / 1000, fields: [...fields], entries }
  })
}

function toUnit(text: string): TextUnit {
  // Names and paths are words with marks between them.
  const plain = text.replace(/[^\p{L}\p{N}\s]+/gu, ' ')
  return {
    kind: 'paragraph',
    text: plain,
    start: 0,
    end: plain.length,
    line: 1,
    trail: [],
    lead: '',
    title: '',
  }
}
