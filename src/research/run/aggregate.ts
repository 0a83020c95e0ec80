/** The digests of files as one: what stands in two of them is one item. */

import { typewritten } from '../../text/typography.ts'
import type { RoutingIndex } from './context.ts'
import type { DigestItem, QuotedItem } from './evidence.ts'

/** What one file says. */
export interface FileDigest {
  readonly alias: string
  readonly items: readonly QuotedItem[]
}

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

/** Of items with the same words the first; with the sources of all. */
function withoutRepeats(items: readonly QuotedItem[]): QuotedItem[] {
  const byText = Map.groupBy(items, ({ text }) => typewritten(text).toLowerCase().replace(/\.$/, ''))
  return [...byText.values()].flatMap((same) => {
    const sources = [...new Set(same.flatMap((one) => one.sources))]
    return same.slice(0, 1).map((item) => ({ ...item, sources }))
  })
}

/** The file of a source: `a.md` of `a.md::S3`. */
export function aliasOf(source: string): string {
  return source.slice(0, source.lastIndexOf('::'))
}

export function routingIndexOf(
  items: readonly DigestItem[],
  headingsOf: (source: string) => readonly string[],
): RoutingIndex {
  const tags = new Map<string, string[]>()
  for (const { id, sources } of items) {
    for (const heading of new Set(sources.flatMap(headingsOf))) {
      const ids = tags.get(heading)
      if (ids) ids.push(id)
      else tags.set(heading, [id])
    }
  }
  // In the order of the headings, so that the same items make the same JSON.
  return { tags: Object.fromEntries([...tags].sort(([a], [b]) => (a < b ? -1 : 1))) }
}
