/** What is new to a reader, as the text that it is sent: framed, and within what the reader's tool takes. */

import { assemble } from '../../core/assemble.ts'
import type { Fragment, Renderer } from '../../core/flow.ts'
import { utf8Length } from '../../core/tokens.ts'
import { recipeFor } from '../load/recipe.ts'
import { fencedSections } from '../renderers/fenced.ts'
import { xml } from '../renderers/xml.ts'
import { type Delta, goneFragment, replacementFor } from '../session.ts'
import type { ApplyingFragment } from './applying.ts'
import type { ContextReader } from './reach.ts'
import type { Held } from './session-log.ts'

/** Says what the elements after it are; of fact, since readers take orders in tool results for attacks. AGENTS.md by `init` names it. */
const HEADER = 'Project context, loaded by Ambit from files that apply here:\n'
const NOTICE = 'Cut to fit. The rest is in the files named above, and in:'

/** Bytes kept free for the notice. */
const NOTICE_BYTES = 600

/** The text, of at most `reader.cap` bytes; `''` for nothing. What is cut is named, so that the reader can open it. */
export async function deliveryText(
  { added, changed, gone }: Delta<ApplyingFragment, Held>,
  reader: ContextReader,
): Promise<string> {
  const kept = [
    ...added.map(({ fragment }) => fragment),
    ...changed.map(({ item, before }) => replacementFor(item.fragment, before.parts).fragment),
    ...gone.map(([, { name }]) => goneFragment(name)),
  ]
  if (kept.length === 0) return ''
  const render = rendererFor(reader)
  const whole = HEADER + render({ kept, left: [], warnings: [] })
  return utf8Length(whole) <= reader.cap ? whole : cutText(kept, render, reader.cap)
}

function rendererFor({ format }: ContextReader): Renderer {
  if (format === 'markdown') return fencedSections({ heading: ['filename', 'also', 'path', 'update'] })
  return xml({ attributes: { context: ['filename', 'also', 'update'], 'path-context': ['path', 'update'] } })
}

/**
 * The nearest files whole, as many as there is room for, then what fits of the others. A constitution that alone takes more
 * than there is loses its end, like all else.
 */
async function cutText(kept: readonly Fragment[], render: Renderer, cap: number): Promise<string> {
  const ordered = [...kept.filter(({ pinned }) => pinned), ...kept.filter(({ pinned }) => !pinned)]
  const renderAll = (fragments: readonly Fragment[]) => render({ kept: fragments, left: [], warnings: [] })
  const bytes = cap - utf8Length(HEADER) - NOTICE_BYTES
  let count = 0
  while (utf8Length(renderAll(ordered.slice(0, count + 1))) <= bytes) count++
  const whole = count > 0 ? renderAll(ordered.slice(0, count)) : ''
  const others = ordered.slice(count).map((fragment) => ({ ...fragment, pinned: false }))
  const { text, selection } = await assembledIn(others, render, bytes - utf8Length(whole))
  return `${HEADER}${whole}${text}${noticeOf(selection.left.map(({ title }) => title))}`
}

function assembledIn(kept: readonly Fragment[], render: Renderer, bytes: number) {
  const sources = [{ name: 'news', gather: async () => ({ kept, left: [], warnings: [] }) }]
  // A token stands for four bytes.
  return assemble(recipeFor('delivery', Math.max(1, Math.floor(bytes / 4)), { sources, render }))
}

/** As many names as there is room for; then how many more. */
function noticeOf(left: readonly string[]): string {
  if (left.length === 0) return `${NOTICE.replace(', and in:', '.')}\n`
  const named: string[] = []
  for (const name of left) {
    if (utf8Length([...named, name].join(', ')) > NOTICE_BYTES - 120) break
    named.push(name)
  }
  const more = left.length - named.length
  return `${NOTICE} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.\n`
}
