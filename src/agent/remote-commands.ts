/** What one process says to another that gives an answer. */

import { ContextError } from '../core/errors.ts'
import type { Watch } from '../stores/change-notifier.ts'

export type Approvals = readonly (readonly [id: string, isApproved: boolean])[]

export type RemoteCommand =
  | { readonly type: 'stop' }
  /** What the person says to calls, by the id of what was asked. */
  | { readonly type: 'approvals'; readonly approvals: Approvals }

/** The conversations, as far as they are heard. */
interface CommandSource {
  words(id: string): Promise<readonly RemoteCommand[]>
  watch(id: string, what: 'words'): Watch
}

interface CommandHandlers {
  /** Of the conversation. */
  readonly id: string
  stop(): void
  /** Absent: nobody is asked but by this process. */
  approve?(approvals: Approvals): void
}

/**
 * Gives an answer, and does meanwhile what other processes say of it. It is stopped where another one has taken over: what would come
 * of it is not kept. While the store does not answer, nothing is heard.
 */
export async function receiveCommands<Value>(
  conversations: CommandSource,
  to: CommandHandlers,
  work: () => Promise<Value>,
): Promise<Value> {
  const over = new AbortController()
  const listening = watchCommands(conversations, to, over.signal)
  // Told when the answer is there.
  listening.catch(() => {})
  try {
    return await work()
  } finally {
    over.abort()
    await listening
  }
}

async function watchCommands(
  conversations: CommandSource,
  { id, stop, approve }: CommandHandlers,
  over: AbortSignal,
): Promise<void> {
  const watch = conversations.watch(id, 'words')
  try {
    while (!over.aborted) {
      for (const command of await receiveWords(conversations, id)) {
        if (command.type === 'stop') stop()
        else approve?.(command.approvals)
      }
      await watch.changed(over)
    }
  } finally {
    watch.close()
  }
}

async function receiveWords(conversations: CommandSource, id: string): Promise<readonly RemoteCommand[]> {
  try {
    return await conversations.words(id)
  } catch (error) {
    if (!(error instanceof ContextError)) throw error
    return error.code === 'conflict' ? [{ type: 'stop' }] : []
  }
}
