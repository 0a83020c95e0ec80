import type { Fragment, Renderer } from '../core/flow.ts'

/** Prints in another order than that of importance: priority is not position. What is kept does not change. */
export function arranged(order: (kept: readonly Fragment[]) => readonly Fragment[], render: Renderer): Renderer {
  return (selection) => render({ ...selection, kept: order(selection.kept) })
}
