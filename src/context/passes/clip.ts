import { type Fragment, namePass, type Pass } from '../../core/flow.ts'
import { utf8Length } from '../../core/tokens.ts'
import { closeFence } from '../../text/fences.ts'
import { clipBytes } from '../../text/truncate.ts'

/**
 * Cuts each text to at most `maxBytes` bytes of UTF-8, never inside a character. A Markdown code fence that the cut
 * would leave open is closed within the limit. Pinned fragments stay whole.
 */
export function clip(maxBytes: number): Pass {
  return namePass('clip', (selection) => {
    return { ...selection, kept: selection.kept.map((fragment) => clipFragment(fragment, maxBytes)) }
  })
}

function clipFragment(fragment: Fragment, maxBytes: number): Fragment {
  const { text, syntax, pinned } = fragment
  if (pinned || utf8Length(text) <= maxBytes) return fragment
  const cut = syntax === 'markdown' ? clipMarkdown(text, maxBytes) : clipBytes(text, maxBytes)
  return { ...fragment, text: cut, cut: { to: 'part', why: 'over-limit' } }
}

/** The closing fence takes bytes too: what is cut makes room for it, and may then end elsewhere on a line, or in another fence. */
function clipMarkdown(text: string, maxBytes: number): string {
  let most = maxBytes
  for (;;) {
    const closed = closeFence(clipBytes(text, most))
    const excess = utf8Length(closed) - maxBytes
    if (excess <= 0) return closed
    most = Math.max(0, most - excess)
  }
}
