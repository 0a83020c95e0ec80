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
  #state: 'before' | 'within' | 'behind' | 'text' = 'before'
  #waiting = ''
  readonly #thought: string[] = []
  /** The answer without reasoning. */
  text = ''

  /** The parts that are certain so far. */
  add(more: string): StepPart[] {
    this.#waiting += more
    if (this.#state === 'before') {
      const start = this.#waiting.trimStart()
      if (OPEN.startsWith(start.slice(0, OPEN.length)) && start.length < OPEN.length) return []
      this.#state = start.startsWith(OPEN) ? 'within' : 'text'
      if (this.#state === 'within') this.#waiting = start.slice(OPEN.length)
    }
    const parts: StepPart[] = []
    if (this.#state === 'within') {
      const end = this.#waiting.indexOf(CLOSE)
      // The tag can be split over two chunks.
      const known = end >= 0 ? end : Math.max(0, this.#waiting.length - CLOSE.length)
      this.#thought.push(this.#waiting.slice(0, known))
      this.#waiting = this.#waiting.slice(end >= 0 ? end + CLOSE.length : known)
      if (end >= 0) {
        parts.push(...this.#thoughts())
        this.#state = 'behind'
      }
    }
    if (this.#state === 'behind') {
      this.#waiting = this.#waiting.trimStart()
      if (this.#waiting !== '') this.#state = 'text'
    }
    return this.#state === 'text' ? [...parts, ...this.#said()] : parts
  }

  /** The remaining parts, after the end of the text. */
  end(): StepPart[] {
    if (this.#state !== 'within') return this.#said()
    this.#thought.push(this.#waiting)
    this.#waiting = ''
    return this.#thoughts()
  }

  #thoughts(): StepPart[] {
    const text = this.#thought.splice(0).join('').trim()
    return text === '' ? [] : [{ type: 'part', part: { type: 'reasoning', text } }]
  }

  #said(): StepPart[] {
    const text = this.#waiting
    this.#waiting = ''
    this.text += text
    return text === '' ? [] : [{ type: 'text', text }]
  }
}
