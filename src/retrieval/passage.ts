import { utf8Length } from '../core/tokens.ts'
import { byteEnd, byteStart } from '../text/truncate.ts'
import type { Snippet } from './snippets.ts'

/** Bytes of the longest: about 400 tokens of prose. Some models read 512 at once, and what is looked for is among them. */
const MOST = 1600

/**
 * What stands around a snippet, for a reader who knows nothing else of the text: a third of the room for what comes before
 * it, the rest for what comes after; what one side lacks the other has. It begins and ends with whole lines, or with whole
 * words where much would be lost.
 */
export function passageAround(text: string, { span: { start: at, end: last } }: Pick<Snippet, 'span'>): string {
  const room = Math.max(0, MOST - utf8Length(text.slice(at, last)))
  const near = byteEnd(text, last, Math.ceil((room * 2) / 3))
  const start = byteStart(text, at, room - utf8Length(text.slice(last, near)))
  const end = byteEnd(text, last, room - utf8Length(text.slice(start, at)))
  return text.slice(start + cutBefore(text, start, at), last + keptAfter(text, last, end)).trim()
}

/** Units that are left out at the beginning of what comes before. */
function cutBefore(text: string, start: number, end: number): number {
  if (start === 0 || text[start - 1] === '\n') return 0
  const before = text.slice(start, end)
  const line = before.indexOf('\n') + 1
  return line > 0 && line <= before.length / 2 ? line : Math.max(0, before.search(/\s/))
}

/** Units that are kept of what comes after. */
function keptAfter(text: string, start: number, end: number): number {
  const after = text.slice(start, end)
  if (end === text.length || text[end] === '\n') return after.length
  const line = after.lastIndexOf('\n')
  if (line >= after.length / 2) return line
  const word = after.search(/\s\S*$/)
  return word >= 0 ? word : after.length
}
