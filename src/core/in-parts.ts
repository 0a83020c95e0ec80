import type { Renderer, Selection } from './flow.ts'

/** A renderer by the parts of its text, none of which parts a character. */
export function inParts(parts: (selection: Selection) => readonly string[]): Renderer {
  return Object.assign((selection: Selection) => parts(selection).join(''), { parts })
}
