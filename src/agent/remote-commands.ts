/** Commands from other processes to the process that is writing an answer. */

import { orElse } from '../core/errors.ts'
import type { Watch } from '../stores/change-notifier.ts'
import type { FormValues } from './tool.ts'

/** A person's reply to the question with this id: approval or refusal, or the values of a form. */
export type PersonReply = readonly [id: string, reply: boolean | FormValues]

export type RemoteCommand =
  | { readonly type: 'stop' }
  | { readonly type: 'approvals'; readonly approvals: readonly PersonReply[] }

/** A store of commands. `id`: the conversation. */
interface CommandSource {
  receiveCommands(id: string): Promise<readonly RemoteCommand[]>
  watch(id: string, what: 'words'): Watch
}

const STOP: RemoteCommand = { type: 'stop' }

interface CommandHandlers {
  /** Id of the conversation. */
  readonly id: string
  stop(): void
  /** Receives replies of the person. Absent if replies are given only in this process. */
  approve?(replies: readonly PersonReply[]): void
}

/**
 * Runs `work`, which writes an answer, and meanwhile obeys commands of other processes. Stops `work` if another process
 * takes over the conversation, because the result would not be stored. A store that fails only delays commands.
 */
export function receiveCommands<Value>(
  conversations: CommandSource,
  { id, stop, approve }: CommandHandlers,
  work: () => Promise<Value>,
): Promise<Value> {
  const ended = new AbortController()
  const listen = async () => {
    using watch = conversations.watch(id, 'words')
    while (!ended.signal.aborted) {
      const commands = orElse(conversations.receiveCommands(id), ({ code }) => (code === 'conflict' ? [STOP] : []))
      for (const command of await commands) {
        if (command.type === 'stop') stop()
        else approve?.(command.approvals)
      }
      await watch.changed(ended.signal)
    }
  }
  const listening = listen()
  // Prevents an unhandled rejection: `await listening` below throws the error.
  listening.catch(() => {})
  return work().finally(async () => {
    ended.abort()
    await listening
  })
}
