import type { Count, Fragment, Left, Recipe, Renderer, Run, Selection, Source, Step } from '../../src/core/flow.ts'
import { bytes4 } from '../../src/core/tokens.ts'

/** A Markdown fragment by a name, which is also its title. */
export function fragment(name: string, text = '', more: Partial<Fragment> = {}): Fragment {
  return { origin: { uri: `file:///${name}` }, kind: 'context-file', title: name, text, syntax: 'markdown', ...more }
}

export function left(name: string, more: Partial<Left> = {}): Left {
  return { origin: { uri: `file:///${name}` }, title: name, why: 'missing', ...more }
}

export function selectionOf(kept: readonly Fragment[], leftOut: readonly Left[] = []): Selection {
  return { kept, left: leftOut, warnings: [] }
}

export function sourceOf(name: string, selection: Selection): Source {
  return { name, gather: async () => selection }
}

export function recipeOf(selection: Selection, more: Partial<Recipe> = {}): Recipe {
  return { name: 'test', sources: [sourceOf('files', selection)], passes: [], render: plainly, ...more }
}

/** The texts, a line for each. */
export const plainly: Renderer = ({ kept }) => kept.map(({ text }) => `${text}\n`).join('')

/** What a pass is given, for a renderer. */
export function stepOf(render: Renderer, { task, count = bytes4 }: { task?: string; count?: Count } = {}): Step {
  const focus = task === undefined ? {} : { task }
  return { emit: () => {}, focus, count, measure: (selection) => count(render(selection)) }
}

/** A run that keeps what it hears. */
export function listening<Heard>(signal?: AbortSignal): Run & { readonly heard: Heard[] } {
  const heard: Heard[] = []
  return { heard, emit: (event) => heard.push(event as Heard), ...(signal && { signal }) }
}

export function namesOf(items: readonly { readonly title: string }[]): string[] {
  return items.map(({ title }) => title)
}
