/** Reads sequence diagrams of Mermaid; gives up on what it does not know. */

import type { LineEnd, Sequence, SequenceStep, Side } from './drawn.ts'
import { labelOf } from './lines.ts'

const MOST = { people: 20, steps: 200 }

const MESSAGE = /^(.+?)\s*(<<-->>|<<->>|-->>|->>|--x|-x|--\)|-\)|-->|->)\s*[+-]?\s*([^:]+?)\s*:\s*(.*)$/
const PERSON = /^(?:participant|actor)\s+(.+?)(?:\s+as\s+(.+))?$/
const NOTE = /^note\s+(left of|right of|over)\s+([^:,]+?)\s*(?:,\s*([^:]+?)\s*)?:\s*(.*)$/i
const OPEN = /^(loop|alt|opt|par|critical|break|rect)\b\s*(.*)$/
const NEXT = /^(?:else|and|option)\b\s*(.*)$/
/** What changes no message. */
const SILENT = /^(?:activate|deactivate|links?|accTitle|accDescr)\b/

/** The talk of these statements; undefined where some of them are not known here. */
export function readSequence([header = '', ...statements]: readonly string[]): Sequence | undefined {
  if (header !== 'sequenceDiagram') return undefined
  const talk = new Talk()
  return statements.every((statement) => talk.read(statement)) ? talk.sequence() : undefined
}

class Talk {
  readonly #people = new Map<string, string>()
  readonly #steps: SequenceStep[] = []
  #depth = 0
  #isNumbered = false
  #messages = 0

  /** Whether it understood the statement. */
  read(statement: string): boolean {
    if (SILENT.test(statement)) return true
    if (/^autonumber$/.test(statement)) {
      this.#isNumbered = true
      return true
    }
    const person = PERSON.exec(statement)
    if (person) return this.#meet(person[1] ?? '', labelOf(person[2] ?? person[1] ?? ''))
    return this.#readBlock(statement) || this.#readNote(statement) || this.#readMessage(statement)
  }

  sequence(): Sequence | undefined {
    const people = [...this.#people].map(([id, label]) => ({ id, label }))
    if (this.#depth !== 0 || people.length === 0 || people.length > MOST.people || this.#steps.length > MOST.steps)
      return undefined
    return { kind: 'sequence', people, steps: this.#steps }
  }

  #meet(id: string, label: string): boolean {
    if (id.includes('@{')) return false
    this.#people.set(id, label)
    return true
  }

  #placeOf(id: string): number {
    if (!this.#people.has(id)) this.#people.set(id, labelOf(id))
    return [...this.#people.keys()].indexOf(id)
  }

  #readBlock(statement: string): boolean {
    const [open, next] = [OPEN.exec(statement), NEXT.exec(statement)]
    if (open) {
      this.#depth++
      const [, word = '', text = ''] = open
      this.#steps.push({ type: 'open', word: word === 'rect' ? '' : word, text: word === 'rect' ? '' : labelOf(text) })
      return true
    }
    if (next && this.#depth > 0) {
      this.#steps.push({ type: 'next', text: labelOf(next[1] ?? '') })
      return true
    }
    if (statement !== 'end' || this.#depth === 0) return false
    this.#depth--
    this.#steps.push({ type: 'close' })
    return true
  }

  #readNote(statement: string): boolean {
    const note = NOTE.exec(statement)
    if (!note) return false
    const [, where = '', first = '', last = first, text = ''] = note
    const side = (where.toLowerCase().split(' ')[0] ?? 'over') as Side
    const [from, to] = [this.#placeOf(first), this.#placeOf(last)].sort((one, other) => one - other)
    this.#steps.push({ type: 'note', from: from ?? 0, to: to ?? 0, side, text: labelOf(text) })
    return true
  }

  #readMessage(statement: string): boolean {
    const message = MESSAGE.exec(statement)
    // An arrow at both ends says that both speak: it would have to be drawn so.
    if (!message || message[2]?.startsWith('<<')) return false
    const [, from = '', arrow = '', to = '', text = ''] = message
    // A name with what could be an arrow in it may be cut at the wrong one.
    if (/-[->x)]/.test(`${from} ${to}`)) return false
    const end: LineEnd = /x$/.test(arrow)
      ? 'cross'
      : /[>)]$/.test(arrow) && arrow !== '->' && arrow !== '-->'
        ? 'arrow'
        : 'none'
    const isDotted = arrow.startsWith('--')
    const ends = { from: this.#placeOf(from), to: this.#placeOf(to) }
    this.#messages++
    const said = `${this.#isNumbered ? `${this.#messages}. ` : ''}${labelOf(text)}`
    this.#steps.push({ type: 'message', ...ends, text: said, isDotted, end })
    return true
  }
}
