import type { AgentCall } from '../../agent/events.ts'
import { oneLine } from '../../text/controls.ts'
import type { Streams } from './streams.ts'

/** Asks yes or no; no, when the answer is stopped meanwhile. */
type Confirm = (question: string, signal: AbortSignal) => Promise<boolean>

/** UTF-16 units of one input that are shown. */
const MOST = 4000

/** Shows a person what is about to be written, and asks. */
export function approveBy({ err }: Pick<Streams, 'err'>, confirm: Confirm) {
  return async ({ tool, input }: AgentCall, signal: AbortSignal): Promise<boolean> => {
    const lines = Object.entries(Object(input)).map(
      ([name, value]) => `  ${displayValue(name)}: ${displayValue(valueText(value))}\n`,
    )
    err.write(`The assistant wants to do this: ${oneLine(tool)}\n${lines.join('')}`)
    return confirm('Let it?', signal)
  }
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What is not seen is written out: a person says yes to what they read. */
function displayValue(text: string): string {
  const more = text.length > MOST ? ` … and ${text.length - MOST} characters more` : ''
  const plain = oneLine(text.slice(0, MOST).toWellFormed())
  return plain.replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`) + more
}
