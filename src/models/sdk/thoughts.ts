/** Splits reasoning from the text of models that write `<think>…</think>` before the answer. */

import type { StepPart } from '../language.ts'

const OPEN = '<think>'
const CLOSE = '</think>'

/** The same parts, with the reasoning before an answer as a separate part. */
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

/** Reads a text in chunks. States: `before` and `within` the tags; `after`: in the blanks behind them. */
class ThoughtReader {
  #state: 'before' | 'within' | 'after' | 'text' = 'before'
  #pending = ''
  #thought = ''
  /** The answer without reasoning. */
  text = ''

  /** Adds a chunk of the text, and returns the parts that are certain so far. */
  add(chunk: string): StepPart[] {
    this.#pending += chunk
    if (this.#state === 'before') {
      const start = this.#pending.trimStart()
      if (start.length < OPEN.length && OPEN.startsWith(start)) return []
      this.#state = start.startsWith(OPEN) ? 'within' : 'text'
      if (this.#state === 'within') this.#pending = start.slice(OPEN.length)
    }
    const parts: StepPart[] = []
    if (this.#state === 'within') {
      const close = this.#pending.indexOf(CLOSE)
      // The tag can be split over two chunks.
      const end = close < 0 ? Math.max(0, this.#pending.length - CLOSE.length) : close
      this.#thought += this.#pending.slice(0, end)
      if (end > 0) parts.push({ type: 'thinking', length: end })
      this.#pending = this.#pending.slice(close < 0 ? end : end + CLOSE.length)
      if (close >= 0) parts.push(...this.#takeThought())
    }
    if (this.#state === 'after') {
      this.#pending = this.#pending.trimStart()
      if (this.#pending !== '') this.#state = 'text'
    }
    return this.#state === 'text' ? [...parts, ...this.#takeText()] : parts
  }

  /** The remaining parts, after the end of the text. */
  end(): StepPart[] {
    if (this.#state !== 'within') return this.#takeText()
    this.#thought += this.#pending
    this.#pending = ''
    return this.#takeThought()
  }

  #takeThought(): StepPart[] {
    this.#state = 'after'
    const text = this.#thought.trim()
    return text === '' ? [] : [{ type: 'part', part: { type: 'reasoning', text } }]
  }

  #takeText(): StepPart[] {
    const text = this.#pending
    this.#pending = ''
    this.text += text
    return text === '' ? [] : [{ type: 'text', text }]
  }
}
