/** What one process says to another that gives an answer. */

import { ContextError } from '../../../core/errors.ts'
import type { Engine } from '../../../engine.ts'
import type { Running } from './running.ts'

export type Conversations = Awaited<ReturnType<Engine['conversations']>>

export type Word =
  | { readonly type: 'stop' }
  /** What the person says to calls, by the id of what was asked. */
  | { readonly type: 'approvals'; readonly approvals: readonly (readonly [id: string, isApproved: boolean])[] }

/** Does what other processes say, until the signal fires. While the store does not answer, nothing is heard. */
export async function heed(
  conversations: Conversations,
  { id, running, over }: { readonly id: string; readonly running: Running; readonly over: AbortSignal },
): Promise<void> {
  const watch = conversations.watch(id, 'words')
  try {
    while (!over.aborted) {
      for (const text of await conversations.words(id).catch(none)) {
        const word: Word = JSON.parse(text)
        if (word.type === 'stop') running.stop()
        else running.say(word.approvals)
      }
      await watch.changed(over)
    }
  } finally {
    watch.close()
  }
}

function none(error: unknown): readonly string[] {
  if (error instanceof ContextError) return []
  throw error
}
