/** Finds out which rules a hook delivers completely in a session that touches one path after the other. */

import { join } from 'node:path'
import type { ToolSetUp } from '../profiles/settings.ts'
import { deliver, type ReaderPosition } from '../reach/applying.ts'
import { applyingIn } from '../reach/reach.ts'
import { compareTexts, type ReaderText } from '../session.ts'

export interface CutAnswer {
  /** The touched path, from the root; `''` for the start. */
  readonly touchedPath: string
  /** Bytes of the answer before the cut. */
  readonly bytes: number
  readonly maxBytes: number
}

/** The hook of a tool. */
interface ToolHook {
  readonly tool: ToolSetUp
  /** Maximum bytes of one answer. */
  readonly maxBytes: number
  /** Digests of the texts that the tool loads itself. */
  readonly loaded: readonly string[]
}

/** The digests of the completely delivered rules, and for each other rule the answer that cut it. */
export type HookDelivery = Awaited<ReturnType<typeof findDeliveredRules>>

/** `touches`: paths from the root, in their order. */
export async function findDeliveredRules(
  position: Omit<ReaderPosition, 'touched'>,
  touches: readonly string[],
  { tool, maxBytes, loaded }: ToolHook,
) {
  const held = new Map<string, ReaderText>(loaded.map((digest) => [digest, { digest }]))
  const delivered = new Set<string>()
  const cutAnswers = new Map<string, CutAnswer>()
  for (const touchedPath of ['', ...touches]) {
    const touched = touchedPath === '' ? [] : [join(position.root, touchedPath)]
    const isCall = touchedPath !== ''
    const applying = await applyingIn({ tool, pathContexts: async () => [] }, { ...position, touched }, isCall)
    const { added } = compareTexts(applying.items, { held })
    const { whole, bytes } = await deliver({ added, changed: [], gone: [] }, { cap: maxBytes, format: 'xml' })
    for (const { uri, digest } of added) {
      held.set(uri, { digest })
      if (whole.has(uri)) delivered.add(digest)
      else cutAnswers.set(digest, { touchedPath, bytes, maxBytes })
    }
  }
  return { delivered, cutAnswers }
}
