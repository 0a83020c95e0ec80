/** What each node has of the digest: made from the items of its parent, by their ids. */

import { termsIn } from '../routing/terms.ts'
import type { NodeContextSlice, SelectedItem, SliceMode } from './context.ts'
import type { DigestItem } from './evidence.ts'

/** The root has everything. */
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

/** What a router chose for one child. */
export interface Choice {
  readonly item_ids: readonly string[]
  readonly selection_reason: string
  readonly coverage_note: string
  readonly why_relevant?: Readonly<Record<string, string>>
  /** A model was to choose, and said nothing of this child. */
  readonly isFallback?: boolean
}

/** Of a node that has nothing to choose from. */
export const NO_CHOICE: Choice = {
  item_ids: [],
  selection_reason: 'There is no usable context.',
  coverage_note: '',
}

/** A child's slice: always a part of the parent's, whatever was chosen; text and sources are those of the digest. */
export function childSlice(
  node: string,
  parent: Pick<NodeContextSlice, 'selected_items'>,
  { choice, mode }: { readonly choice: Choice; readonly mode: SliceMode },
): NodeContextSlice {
  const chosen = new Set(choice.item_ids)
  const selected = parent.selected_items.filter(({ id }) => chosen.has(id))
  return {
    node_id: node,
    selection_reason: choice.selection_reason,
    selected_items: selected.map((item) => withReason(item, choice.why_relevant?.[item.id])),
    coverage_note: choice.coverage_note,
    dropped_items_count: parent.selected_items.length - selected.length,
    mode: parent.selected_items.length === 0 ? 'none' : mode,
  }
}

function withReason({ id, kind, text, sources }: SelectedItem, why: string | undefined): SelectedItem {
  return { id, kind, text, sources, ...(why !== undefined && { why_relevant: why }) }
}

/** What is said of a choice that was made by words. */
export function noteOn(question: string, items: readonly DigestItem[]): string {
  const own = new Set(termsIn(question))
  const speaking = items.filter(({ text }) => termsIn(text).some((term) => own.has(term))).length
  if (items.length === 0) return 'No item was selected.'
  if (speaking === 0) return 'No item holds a word of the question.'
  return `${speaking} of ${items.length} items hold words of the question.`
}

/** Items of a parent that none of its children has. */
export function orphansOf(parent: NodeContextSlice, children: readonly NodeContextSlice[]): readonly SelectedItem[] {
  const taken = new Set(children.flatMap(({ selected_items }) => selected_items.map(({ id }) => id)))
  return children.length === 0 ? [] : parent.selected_items.filter(({ id }) => !taken.has(id))
}
