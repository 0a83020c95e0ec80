/** Slices: the items of the digest (statements of the files) that a node gets, chosen by id from its parent's slice. */

import { byCodeUnit } from '../../text/paths.ts'
import { foldTypography } from '../../text/typography.ts'
import type { DigestItem, NodeContextSlice, QuotedItem, SelectedItem, SliceMode } from './evidence.ts'

/** The slice of the root: all items. */
export function rootSlice(node: string, items: readonly DigestItem[]): NodeContextSlice {
  return {
    node_id: node,
    selection_reason: items.length > 0 ? 'The root has everything that the files say.' : 'There is no usable context.',
    selected_items: items,
    coverage_note: '',
    dropped_items_count: 0,
    mode: items.length > 0 ? 'root' : 'none',
  }
}

/** A router's choice for one child. */
export interface RouterChoice {
  readonly item_ids: readonly string[]
  readonly selection_reason: string
  readonly coverage_note: string
  readonly why_relevant?: Readonly<Record<string, string>>
  /** Whether code chose by words, because the model left this child out or named only unknown items. */
  readonly isFallback?: boolean
}

/** The choice for a node without items to choose from. */
export const NO_CHOICE = { item_ids: [], selection_reason: 'There is no usable context.', coverage_note: '' }

/** The slice of a child: the chosen items of its parent's slice, with the text and the sources of the digest. */
export function childSlice(
  node: string,
  parent: Pick<NodeContextSlice, 'selected_items'>,
  { choice, mode }: { readonly choice: RouterChoice; readonly mode: SliceMode },
): NodeContextSlice {
  const chosen = new Set(choice.item_ids)
  const selected = parent.selected_items.filter(({ id }) => chosen.has(id))
  return {
    node_id: node,
    selection_reason: choice.selection_reason,
    selected_items: selected.map(({ why_relevant: _, ...item }) => {
      const why_relevant = choice.why_relevant?.[item.id]
      return { ...item, ...(why_relevant !== undefined && { why_relevant }) }
    }),
    coverage_note: choice.coverage_note,
    dropped_items_count: parent.selected_items.length - selected.length,
    mode: parent.selected_items.length === 0 ? 'none' : mode,
  }
}

/** Items of a parent that no child has. */
export function orphansOf(parent: NodeContextSlice, children: readonly NodeContextSlice[]): readonly SelectedItem[] {
  const taken = new Set(children.flatMap(({ selected_items }) => selected_items.map(({ id }) => id)))
  return children.length === 0 ? [] : parent.selected_items.filter(({ id }) => !taken.has(id))
}

export interface FileDigest {
  readonly alias: string
  readonly items: readonly QuotedItem[]
}

/** The items, followed by the contradictions between them. `groups`: ids of items that contradict each other. */
export function withConflicts(items: readonly DigestItem[], groups: readonly (readonly string[])[]): DigestItem[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  const conflicts = groups.map((ids): QuotedItem => {
    const sides = ids.flatMap((id) => byId.get(id) ?? [])
    const texts = sides.map(({ text }) => `“${text}”`).join(' and ')
    return { kind: 'conflict', text: `Sources disagree: ${texts}`, sources: sides.flatMap(({ sources }) => sources) }
  })
  return [...items, ...withoutRepeats(conflicts).map((item, at) => ({ id: `F${items.length + at + 1}`, ...item }))]
}

/** The items of all files, in order, with ids `F1` …; duplicates are merged. */
export function aggregateOf(files: readonly FileDigest[]): DigestItem[] {
  const merged = files.flatMap(({ alias, items }) =>
    items.map((item) => ({ ...item, sources: item.sources.map((span) => `${alias}::${span}`) })),
  )
  return withoutRepeats(merged).map((item, at) => ({ id: `F${at + 1}`, ...item }))
}

/** The first value with each key, in order. */
export function firstOfEach<One>(all: readonly One[], keyOf: (one: One) => string): One[] {
  return [...Map.groupBy(all, keyOf).values()].flatMap((same) => same.slice(0, 1))
}

/** Merges items with the same words: the first of them, with the sources of all. */
function withoutRepeats(items: readonly QuotedItem[]): QuotedItem[] {
  const byText = Map.groupBy(items, ({ text }) => foldTypography(text).toLowerCase().replace(/\.$/, ''))
  return [...byText.values()].flatMap((same) => {
    const sources = [...new Set(same.flatMap((one) => one.sources))]
    return same.slice(0, 1).map((item) => ({ ...item, sources }))
  })
}

/** The file of a source: `a.md` of `a.md::S3`. */
export function aliasOf(source: string): string {
  return source.slice(0, Math.max(0, source.lastIndexOf('::')))
}

export function routingIndexOf(items: readonly DigestItem[], headingsOf: (source: string) => readonly string[]) {
  const tagged = items.flatMap(({ id, sources }) => {
    return [...new Set(sources.flatMap(headingsOf))].map((heading) => ({ heading, id }))
  })
  // Sorted by heading, so that the same items give the same JSON.
  const byHeading = [...Map.groupBy(tagged, ({ heading }) => heading)].sort(([a], [b]) => byCodeUnit(a, b))
  return { tags: Object.fromEntries(byHeading.map(([heading, all]) => [heading, all.map(({ id }) => id)])) }
}
