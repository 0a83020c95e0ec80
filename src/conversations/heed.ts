/** What one process says to another that gives an answer. */

import { ContextError } from '../core/errors.ts'
import type { Watch } from '../stores/bells.ts'

export type Approvals = readonly (readonly [id: string, isApproved: boolean])[]

export type Word =
  | { readonly type: 'stop' }
  /** What the person says to calls, by the id of what was asked. */
  | { readonly type: 'approvals'; readonly approvals: Approvals }

/** The conversations, as far as they are heard. */
interface Heard {
  words(id: string): Promise<readonly Word[]>
  watch(id: string, what: 'words'): Watch
}

interface Heeding {
  /** Of the conversation. */
  readonly id: string
  /** Fires when the answer is there. */
  readonly over: AbortSignal
  stop(): void
  /** Absent: nobody is asked but by this process. */
  approve?(approvals: Approvals): void
}

/**
 * Does what other processes say, and stops where another one has taken over: what would come of the answer is not kept. While the
 * store does not answer, nothing is heard.
 */
export async function heed(conversations: Heard, { id, over, stop, approve }: Heeding): Promise<void> {
  const watch = conversations.watch(id, 'words')
  try {
    while (!over.aborted) {
      for (const word of await heard(conversations, id)) {
        if (word.type === 'stop') stop()
        else approve?.(word.approvals)
      }
      await watch.changed(over)
    }
  } finally {
    watch.close()
  }
}

async function heard(conversations: Heard, id: string): Promise<readonly Word[]> {
  try {
    return await conversations.words(id)
  } catch (error) {
    if (!(error instanceof ContextError)) throw error
    return error.code === 'conflict' ? [{ type: 'stop' }] : []
  }
}
