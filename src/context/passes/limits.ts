import { leave, uniqueBy } from '../../core/assemble.ts'
import { type Fragment, namePass, type Pass } from '../../core/flow.ts'
import { utf8Length } from '../../core/tokens.ts'
import { closeFence } from '../../text/fences.ts'
import { clipBytes } from '../../text/truncate.ts'

/**
 * Keeps the first `most` fragments, in order of importance; the others move to `left`, as `over-limit`. Fragments for which `exempt` is true are kept and
 * not counted. Default: none.
 */
export function limit(most: number, exempt: (fragment: Fragment) => boolean = () => false): Pass {
  return namePass('limit', (selection) => {
    let counted = 0
    return leave(selection, (fragment) => {
      if (exempt(fragment)) return undefined
      counted += 1
      return counted <= most ? undefined : { why: 'over-limit', detail: `Number ${counted}; at most ${most} are kept.` }
    })
  })
}

/**
 * Cuts each text to at most `maxBytes` bytes of UTF-8, never inside a character. A Markdown code fence that the cut
 * would leave open is closed within the limit. Pinned fragments stay whole.
 */
export function clip(maxBytes: number): Pass {
  return namePass('clip', ({ kept, ...selection }) => {
    return { ...selection, kept: kept.map((fragment) => clipFragment(fragment, maxBytes)) }
  })
}

function clipFragment(fragment: Fragment, maxBytes: number): Fragment {
  const { text, syntax, pinned } = fragment
  if (pinned || utf8Length(text) <= maxBytes) return fragment
  const cut = syntax === 'markdown' ? clipMarkdown(text, maxBytes) : clipBytes(text, maxBytes)
  return { ...fragment, text: cut, cut: { to: 'part', why: 'over-limit' } }
}

/** Cuts a text until it fits with a closing fence, which needs bytes. A shorter text may end in another fence. */
function clipMarkdown(text: string, maxBytes: number): string {
  let maxCutBytes = maxBytes
  for (;;) {
    const closed = closeFence(clipBytes(text, maxCutBytes))
    const excess = utf8Length(closed) - maxBytes
    if (excess <= 0) return closed
    maxCutBytes = Math.max(0, maxCutBytes - excess)
  }
}

/**
 * Limits all texts together to `maxBytes`, counted from the least important text: the text that exceeds the limit is
 * cut, and more important texts are left out. So this pass imitates tools that read general files first, and stop at a
 * limit.
 *
 * @param maxBytes bytes of UTF-8
 * @param exempt fragments that are kept and not counted
 */
export function cap(maxBytes: number, exempt: (fragment: Fragment) => boolean): Pass {
  return namePass('cap', (selection) => {
    const kept: Fragment[] = []
    const left = [...selection.left]
    let remainingBytes = maxBytes
    for (const fragment of selection.kept.toReversed()) {
      const bytes = exempt(fragment) ? 0 : utf8Length(fragment.text)
      const text = bytes <= remainingBytes ? fragment.text : clipBytes(fragment.text, remainingBytes)
      if (bytes <= remainingBytes) kept.unshift(fragment)
      else if (text !== '') kept.unshift({ ...fragment, text, cut: { to: 'part', why: 'over-limit' } })
      else {
        const { origin, title } = fragment
        left.push({ origin, title, why: 'over-limit', detail: `All files together may take ${maxBytes} bytes.` })
      }
      remainingBytes = Math.max(0, remainingBytes - bytes)
    }
    return { ...selection, kept, left }
  })
}

/** Keeps the most important fragment of each origin (`id`, else `uri`). The others move to `left`, as `duplicate`. */
export function unique(): Pass {
  return namePass('unique', (selection) => uniqueBy(selection, ({ origin }) => origin.id ?? origin.uri))
}
