import type { AgentCall } from '../../agent/tool.ts'
import { oneLine } from '../../text/controls.ts'
import type { Streams } from './streams.ts'

/** Shows a person what is about to be written, and asks. */
export function approveBy({ err }: Streams, confirm: (question: string) => Promise<boolean>) {
  return async ({ tool, input }: AgentCall): Promise<boolean> => {
    const lines = Object.entries(Object(input)).map(([name, value]) => `  ${oneLine(`${name}: ${String(value)}`)}\n`)
    err.write(`The assistant wants to do this: ${oneLine(tool)}\n${lines.join('')}`)
    return confirm('Let it?')
  }
}
