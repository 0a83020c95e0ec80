import type { Fragment, Renderer } from '../../core/flow.ts'
import { inParts } from '../../core/steps.ts'
import { xml } from '../renderers/xml.ts'
import { shownName } from './code-fragments.ts'

/** Each fragment as an element that no text can leave. */
export const taskXml: Renderer = xml({
  attributes: { code: ['path', 'why'], passage: ['path', 'heading'], related: [] },
})

/** A heading for each file, with why it is there; code in fences that are longer than any in it. */
export const taskMarkdown: Renderer = inParts(({ kept }) => joinPassages(kept).map(sectionOf))

/** The passages of one file as one, in the order of the file, where the first of them stands. */
function joinPassages(kept: readonly Fragment[]): readonly Fragment[] {
  const byPath = Map.groupBy(kept, ({ kind, origin }) =>
    kind === 'passage' ? (origin.labels?.path ?? origin.uri) : '',
  )
  return kept.flatMap((fragment) => {
    if (fragment.kind !== 'passage') return fragment
    const own = byPath.get(fragment.origin.labels?.path ?? fragment.origin.uri) ?? []
    if (own[0] !== fragment) return []
    const ordered = own.toSorted((a, b) => lineOf(a) - lineOf(b))
    const heading = ordered.map(({ origin }) => origin.labels?.heading ?? '').join('; ')
    const origin = { ...fragment.origin, labels: { ...fragment.origin.labels, heading } }
    return { ...fragment, origin, text: ordered.map(({ text }) => text).join('\n…\n') }
  })
}

/** The first line of a passage, from its address. */
function lineOf({ origin }: Fragment): number {
  return Number(/#L(\d+)/.exec(origin.uri)?.[1] ?? 0)
}

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
