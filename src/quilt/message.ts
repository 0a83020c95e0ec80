import { ContextError } from '../core/errors.ts'
import { oneLine } from '../text/controls.ts'

/** Most characters of a foreign text in a message. */
const SHOWN = 200

/** Foreign text as a message holds it: of one line, in quotes, and cut when it is long. */
export function shown(text: string): string {
  return `"${oneLine(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)}"`
}

export function invalid(message: string, hint?: string): ContextError {
  return new ContextError('invalid-input', message, hint === undefined ? {} : { hint })
}
