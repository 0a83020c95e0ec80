import type { Fragment, Renderer } from '../../core/flow.ts'
import { inParts } from '../../core/steps.ts'
import { xml } from '../renderers/xml.ts'
import { shownName } from './code-fragments.ts'

/** Each fragment as an element that no text can leave. */
export const taskXml: Renderer = xml({
  attributes: { code: ['path', 'why'], passage: ['path', 'heading'], related: [] },
})

/** A heading for each file, with why it is there; code in fences that are longer than any in it. */
export const taskMarkdown: Renderer = inParts(({ kept }) => kept.map(sectionOf))

function sectionOf({ kind, origin, text }: Fragment): string {
  const { path = origin.uri, why = '', heading = '', language = '' } = origin.labels ?? {}
  const about = kind === 'code' ? (text === '' ? `${why}; no lines shown` : why) : heading
  const head = `## ${shownName(path)}\n${about === '' ? '' : `${shownName(about)}\n`}`
  if (text === '') return `${head}\n`
  if (kind === 'related') return `${head}\n${text}\n\n`
  const fence = fenceFor(text)
  return `${head}\n${fence}${kind === 'code' ? language : 'md'}\n${text}\n${fence}\n\n`
}

function fenceFor(text: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  return '`'.repeat(longest + 1)
}
