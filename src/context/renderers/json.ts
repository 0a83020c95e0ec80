import type { Renderer } from '../../core/flow.ts'

/** The kept fragments as a JSON array of plain objects, two spaces deep; `''` for none. */
export function json(): Renderer {
  return ({ kept }) => (kept.length === 0 ? '' : `${JSON.stringify(kept, null, 2)}\n`)
}
