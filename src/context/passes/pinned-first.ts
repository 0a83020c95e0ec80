import type { Selection } from '../../core/flow.ts'

/** What is never cut comes before everything else. */
export function pinnedFirst(selection: Selection): Selection {
  const pinned = selection.kept.filter((fragment) => fragment.pinned)
  if (pinned.length === 0) return selection
  return { ...selection, kept: [...pinned, ...selection.kept.filter((fragment) => !fragment.pinned)] }
}
