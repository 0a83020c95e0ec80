/** Finds out which rules a hook delivers completely in a session that touches one path after the other. */

import { join } from 'node:path'
import type { ToolSetUp } from '../profiles/settings.ts'
import { deliver, type ReaderPosition } from '../reach/applying.ts'
import { applyingIn } from '../reach/reach.ts'
import { type HeldText, news } from '../session.ts'

export interface CutAnswer {
  /** The touched path, from the root; `''` for the start. */
  readonly by: string
  /** Bytes of the answer before the cut. */
  readonly bytes: number
  readonly cap: number
}

/**
 * The digests of the completely delivered rules, and for each other rule the answer that cut it. `touches`: paths from the root, in their order. `cap`:
 * maximum bytes of one answer. `loaded`: digests of the texts that the tool loads itself.
 */
export async function rulesByHook(
  position: Omit<ReaderPosition, 'touched'>,
  touches: readonly string[],
  { tool, cap, loaded }: { readonly tool: ToolSetUp; readonly cap: number; readonly loaded: readonly string[] },
) {
  const held = new Map<string, HeldText>(loaded.map((digest) => [digest, { digest }]))
  const arrived = new Set<string>()
  const cut = new Map<string, CutAnswer>()
  for (const by of ['', ...touches]) {
    const touched = by === '' ? [] : [join(position.root, by)]
    const applying = await applyingIn({ tool, pathContexts: async () => [] }, { ...position, touched }, by !== '')
    const { added } = news(applying.items, { held })
    const { whole, bytes } = await deliver({ added, changed: [], gone: [] }, { cap, format: 'xml' })
    for (const { uri, digest } of added) {
      held.set(uri, { digest })
      if (whole.has(uri)) arrived.add(digest)
      else cut.set(digest, { by, bytes, cap })
    }
  }
  return { arrived, cut }
}
