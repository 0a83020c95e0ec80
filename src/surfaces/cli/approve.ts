import type { AgentCall } from '../../agent/events.ts'
import { oneLine } from '../../text/controls.ts'
import type { Streams } from './streams.ts'

/** Asks yes or no; no, when the answer is stopped meanwhile. */
type Confirm = (question: string, signal: AbortSignal) => Promise<boolean>

/** Shows a person what is about to be written, and asks. */
export function approveBy({ err }: Streams, confirm: Confirm) {
  return async ({ tool, input }: AgentCall, signal: AbortSignal): Promise<boolean> => {
    const lines = Object.entries(Object(input)).map(([name, value]) => `  ${oneLine(`${name}: ${String(value)}`)}\n`)
    err.write(`The assistant wants to do this: ${oneLine(tool)}\n${lines.join('')}`)
    return confirm('Let it?', signal)
  }
}
