import { ContextError } from '../../core/errors.ts'

/** Characters of the longest text that can be said of a place. */
const LONGEST_CONTEXT = 8192

const UNSEEN = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u

/**
 * The text that is kept of what a person says: without white space around it.
 *
 * @throws ContextError `invalid-input` for one that shows nothing, or is no valid Unicode; `over-limit`.
 */
export function saidText(text: unknown): string {
  if (typeof text !== 'string') {
    throw new ContextError('invalid-input', 'What is said of a place is a text.', { hint: 'Give it behind the place.' })
  }
  const said = text.trim()
  if (said.length > LONGEST_CONTEXT * 2 || (said.length > LONGEST_CONTEXT && [...said].length > LONGEST_CONTEXT)) {
    const hint = 'Say what the place is for in a few sentences; what is longer belongs in a file of its own.'
    const message = `The text has ${said.length} characters; at most ${LONGEST_CONTEXT} are kept.`
    throw new ContextError('over-limit', message, { hint })
  }
  if (UNSEEN.test(said)) {
    const hint = 'Say what the place is for. To take away what was said of it: ambit context rm PATH'
    throw new ContextError('invalid-input', 'The text is empty.', { hint })
  }
  if (!said.isWellFormed() || said.includes('\0')) {
    throw new ContextError('invalid-input', 'The text is no valid Unicode, or holds a NUL.', {
      hint: 'Save it as UTF-8 and say it again.',
    })
  }
  return said
}
