import type { Fragment, Renderer, Selection } from '../../core/flow.ts'
import { inParts } from '../../core/steps.ts'

/** Prints in another order than that of importance: priority is not position. What is kept does not change. */
export function arranged(order: (kept: readonly Fragment[]) => readonly Fragment[], render: Renderer): Renderer {
  const arrangement = (selection: Selection): Selection => ({ ...selection, kept: order(selection.kept) })
  const { parts } = render
  if (parts) return inParts((selection) => parts(arrangement(selection)))
  return (selection) => render(arrangement(selection))
}
