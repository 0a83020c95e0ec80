import type { Fragment, Left, Selection } from './flow.ts'

/** All of several selections, in order. */
export function mergeSelections(selections: readonly Selection[]): Selection {
  return {
    kept: selections.flatMap((selection) => selection.kept),
    left: selections.flatMap((selection) => selection.left),
    warnings: selections.flatMap((selection) => selection.warnings),
  }
}

/**
 * Keeps the first of the fragments that `key` calls the same, pinned if any of them is; the others are left as
 * duplicates of it.
 */
export function uniqueBy(selection: Selection, key: (fragment: Fragment) => string): Selection {
  const first = new Map<string, Fragment>()
  const duplicates: Left[] = []
  for (const fragment of selection.kept) {
    const same = first.get(key(fragment))
    if (!same) first.set(key(fragment), fragment)
    else duplicates.push(duplicateOf(fragment, same))
    if (same && fragment.pinned) first.set(key(fragment), { ...same, pinned: true })
  }
  if (duplicates.length === 0) return selection
  return { ...selection, kept: [...first.values()], left: [...selection.left, ...duplicates] }
}

function duplicateOf(fragment: Fragment, same: Fragment): Left {
  const { origin, title } = fragment
  return { origin, title, why: 'duplicate', detail: `The same as ${same.title}, which is kept.` }
}

/** Leaves the fragments that `reason` gives a reason for; the others stay, in order. */
export function leave(
  selection: Selection,
  reason: (fragment: Fragment, index: number) => Pick<Left, 'why' | 'detail'> | undefined,
): Selection {
  const kept: Fragment[] = []
  const left: Left[] = [...selection.left]
  selection.kept.forEach((fragment, index) => {
    const why = reason(fragment, index)
    if (why) left.push({ origin: fragment.origin, title: fragment.title, ...why })
    else kept.push(fragment)
  })
  return { ...selection, kept, left }
}
