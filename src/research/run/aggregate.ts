/** The digests of files as one: what is said twice is one item. */

import { hasNegation } from '../report/claim-negations.ts'
import { numbersIn, termsIn } from '../routing/terms.ts'
import type { RoutingIndex, Span } from './context.ts'
import type { DigestItem, QuotedItem } from './evidence.ts'

/** What one file says. */
export interface FileDigest {
  readonly alias: string
  readonly items: readonly QuotedItem[]
}

/** Share of the words of two sentences that makes them say the same. */
const SAME = 0.9

/** A word that more items hold than `items` and than this share of all, or than `most`, brings no two of them together. */
const COMMON = { items: 40, share: 0.1, most: 200 }

/** The same, with what else does not agree: groups of ids. Text and sources are those of the items. */
export function withConflicts(items: readonly DigestItem[], groups: readonly (readonly string[])[]): DigestItem[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  const known = new Set(items.flatMap(({ kind, sources }) => (kind === 'conflict' ? [sources.join()] : [])))
  const found = groups.flatMap((ids): QuotedItem[] => {
    const sides = ids.flatMap((id) => byId.get(id) ?? [])
    const sources = [...new Set(sides.flatMap((side) => side.sources))]
    if (sides.length < 2 || known.has(sources.join())) return []
    known.add(sources.join())
    const said = sides.map(({ text }) => `“${text}”`).join(' and ')
    return [{ kind: 'conflict', text: `Sources disagree: ${said}`, sources }]
  })
  return [...items, ...found.map((item, at) => ({ id: `F${items.length + at + 1}`, ...item }))]
}

/** The items of all files, named `F1` … in their order; what is said twice is one item. */
export function aggregateOf(files: readonly FileDigest[]): DigestItem[] {
  const merged = files.flatMap(({ alias, items }) =>
    items.map((item) => ({ ...item, sources: item.sources.map((span) => `${alias}::${span}`) })),
  )
  return withoutRepeats(merged).map((item, at) => ({ id: `F${at + 1}`, ...item }))
}

interface Known {
  readonly item: QuotedItem
  readonly terms: ReadonlySet<string>
  readonly numbers: string
}

function knownOf(item: QuotedItem): Known {
  // Numbers are compared by themselves: no year is taken for another.
  const words = termsIn(item.text).filter((term) => !/^\d/.test(term))
  return { item, terms: new Set(words), numbers: [...new Set(numbersIn(item.text))].sort().join(' ') }
}

/** Of what is said alike, with the same numbers, the first; with the sources of all. */
function withoutRepeats(items: readonly QuotedItem[]): QuotedItem[] {
  const known = items.map(knownOf)
  const before = nearIn(known)
  const firsts = new Map<number, number>()
  const sources = new Map<number, string[]>()
  for (const [at, own] of known.entries()) {
    const first = before(at).find((other) => !firsts.has(other) && isRepeat(own, known[other]))
    if (first !== undefined) firsts.set(at, first)
    const to = first ?? at
    sources.set(to, [...(sources.get(to) ?? []), ...own.item.sources])
  }
  return known.flatMap(({ item }, at) => {
    return firsts.has(at) ? [] : [{ ...item, sources: [...new Set(sources.get(at))] }]
  })
}

/** Gives for each those before it that share a word that is not everywhere. */
function nearIn(known: readonly Known[]): (at: number) => number[] {
  const holders = new Map<string, number[]>()
  for (const [at, { terms }] of known.entries()) {
    for (const term of terms) {
      const held = holders.get(term)
      if (held) held.push(at)
      else holders.set(term, [at])
    }
  }
  const most = Math.min(COMMON.most, Math.max(COMMON.items, known.length * COMMON.share))
  return (at) => {
    const near = [...(known[at]?.terms ?? [])].flatMap((term) => {
      const all = holders.get(term) ?? []
      return all.length > most ? [] : all.filter((other) => other < at)
    })
    return [...new Set(near)].sort((a, b) => a - b)
  }
}

function isRepeat(a: Known, b: Known | undefined): boolean {
  if (!b) return false
  if (a.item.text === b.item.text) return true
  return a.numbers === b.numbers && a.terms.size > 2 && overlap(a.terms, b.terms) >= SAME && isDenial(a) === isDenial(b)
}

function isDenial({ item }: Known): boolean {
  return hasNegation(item.text)
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((term) => b.has(term)).length
  return shared === 0 ? 0 : shared / (a.size + b.size - shared)
}

/** The file of a source: `a.md` of `a.md::S3`. */
export function aliasOf(source: string): string {
  return source.slice(0, source.lastIndexOf('::'))
}

/** By what items can be found without reading them. */
export function routingIndexOf(
  items: readonly DigestItem[],
  spanOf: (source: string) => Span | undefined,
): RoutingIndex {
  const entities = new Map<string, string[]>()
  const tags = new Map<string, string[]>()
  const sources = new Map<string, string[]>()
  const note = (map: Map<string, string[]>, key: string, id: string) => {
    const ids = map.get(key) ?? []
    if (ids.at(-1) !== id) map.set(key, [...ids, id])
  }
  for (const { id, text, sources: own } of items) {
    for (const entity of entitiesIn(text)) note(entities, entity, id)
    for (const source of own) {
      note(sources, source, id)
      for (const heading of spanOf(source)?.headings ?? []) note(tags, heading, id)
    }
  }
  return { entities: sortedRecord(entities), tags: sortedRecord(tags), sources: sortedRecord(sources) }
}

/** Names of two words and more, acronyms, numbers with what they count, and years. */
function entitiesIn(text: string): string[] {
  const names = text.match(
    /\p{Lu}[\p{L}\p{N}’'-]{1,40}(?:\s\p{Lu}[\p{L}\p{N}’'-]{1,40})+|\b\p{Lu}{2,}\d*\b|\b\d[\d.,]*(?:\s?(?:%|€|\$|£|[a-z]{1,12}))?/gu,
  )
  return [...new Set((names ?? []).map((name) => name.trim()))]
}

/** In the order of the keys, so that the same items make the same JSON. */
function sortedRecord(map: ReadonlyMap<string, string[]>): Record<string, string[]> {
  return Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)))
}
