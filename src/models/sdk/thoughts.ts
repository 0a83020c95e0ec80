/** Splits reasoning from the text of models that write `<think>…</think>` before the answer. */

import type { StepPart } from '../language.ts'

const OPEN = '<think>'
const CLOSE = '</think>'

/** The same parts, with the reasoning before an answer as a part of its own. */
export async function* splitThoughts(parts: AsyncIterable<StepPart>): AsyncGenerator<StepPart> {
  const reader = new ThoughtReader()
  for await (const part of parts) {
    if (part.type === 'text') yield* reader.add(part.text)
    else if (part.type !== 'part' || part.part.type !== 'text') yield part
    else {
      yield* reader.end()
      const { text } = reader
      reader.text = ''
      if (text !== '' || part.part.extra !== undefined) yield { type: 'part', part: { ...part.part, text } }
    }
  }
}

class ThoughtReader {
  /** The text that may still be reasoning. */
  #pending = ''
  #isAnswer = false
  /** The answer without reasoning. */
  text = ''

  /** The parts that are certain so far. */
  add(chunk: string): StepPart[] {
    this.#pending += chunk
    const start = this.#pending.trimStart()
    const mayThink = start.length < OPEN.length ? OPEN.startsWith(start) : start.startsWith(OPEN)
    if (this.#isAnswer || !mayThink) return this.#takeText()
    const close = start.indexOf(CLOSE)
    const hasAnswer = close >= 0 && start.slice(close + CLOSE.length).trim() !== ''
    return hasAnswer ? this.end() : []
  }

  /** The remaining parts, after the end of the text. */
  end(): StepPart[] {
    const start = this.#pending.trimStart()
    if (this.#isAnswer || !start.startsWith(OPEN)) return this.#takeText()
    const [thought = '', ...answer] = start.slice(OPEN.length).split(CLOSE)
    this.#pending = answer.join(CLOSE).trimStart()
    const text = thought.trim()
    return [...(text === '' ? [] : [{ type: 'part', part: { type: 'reasoning', text } } as const]), ...this.#takeText()]
  }

  #takeText(): StepPart[] {
    const text = this.#pending
    this.#pending = ''
    this.#isAnswer = true
    this.text += text
    return text === '' ? [] : [{ type: 'text', text }]
  }
}
