/** Splits reasoning from the text of models that write `<think>…</think>` before the answer. */

import type { StepPart } from '../language.ts'

const OPEN = '<think>'
const THOUGHT = /^\s*<think>([\s\S]*?)<\/think>\s*/

/** The same parts, with the reasoning before an answer as a part of its own. */
export async function* splitThoughts(parts: AsyncIterable<StepPart>): AsyncGenerator<StepPart> {
  // What came before the answer, which is nothing more once that has begun.
  let [head, stage, text]: [string, 'before' | 'within' | 'behind' | 'answer', string] = ['', 'before', '']
  for await (const part of parts) {
    const end = part.type === 'part' && part.part.type === 'text' ? part.part : undefined
    if (part.type !== 'text' && !end) {
      yield part
      continue
    }
    const said = part.type === 'text' ? part.text : stage === 'within' ? '</think>' : ''
    head += said
    if (stage === 'before' && head.trimStart().startsWith(OPEN)) stage = 'within'
    // The tag ends with the part that has its last character.
    const closed = stage === 'within' && said.includes('>') ? THOUGHT.exec(head) : null
    if (closed) {
      const [whole, thought = ''] = closed
      if (thought.trim() !== '') yield { type: 'part', part: { type: 'reasoning', text: thought.trim() } }
      head = head.slice(whole.length)
      stage = 'behind'
    }
    if (stage === 'behind') head = head.trimStart()
    if (stage === 'behind' ? head !== '' : stage === 'before' && !OPEN.startsWith(head.trimStart())) stage = 'answer'
    if (stage === 'answer' || end) {
      if (head !== '') yield { type: 'text', text: head }
      text += head
      head = ''
    }
    if (!end) continue
    if (text !== '' || end.extra !== undefined) yield { type: 'part', part: { ...end, text } }
    text = ''
  }
}
