/**
 * Words by their characters, found where they stand in a text: no word has to be cut out of it to be looked up, which is
 * most of what it costs to read a text word by word.
 */
export class WordTable<Value> {
  readonly #values: Value[] = []
  /** By hash: the number of the word plus one, or 0; the next place is tried where another word has it. */
  #slots = new Int32Array(1 << 12)
  /** The characters of all words, one after the other, and where those of each begin. */
  #characters = new Uint16Array(1 << 14)
  #starts = new Int32Array(1 << 11)

  get size(): number {
    return this.#values.length
  }

  /** What was added for the word from `start` up to `end`. */
  find(text: string, start: number, end: number): Value | undefined {
    const slots = this.#slots
    const last = slots.length - 1
    for (let at = hashRange(text, start, end) & last; ; at = (at + 1) & last) {
      const number = slots[at] ?? 0
      if (number === 0) return undefined
      if (this.#isSame(number - 1, text, start, end)) return this.#values[number - 1]
    }
  }

  #isSame(number: number, text: string, start: number, end: number): boolean {
    const characters = this.#characters
    const from = this.#starts[number] ?? 0
    if ((this.#starts[number + 1] ?? 0) - from !== end - start) return false
    for (let at = from, of = start; of < end; at++, of++) {
      if (characters[at] !== text.charCodeAt(of)) return false
    }
    return true
  }

  /** Adds a word that is not there. */
  add(text: string, start: number, end: number, value: Value): void {
    const number = this.size
    const from = this.#starts[number] ?? 0
    const to = from + end - start
    if (to > this.#characters.length) this.#characters = copyInto(this.#characters, new Uint16Array(2 * to))
    if (number + 2 > this.#starts.length) this.#starts = copyInto(this.#starts, new Int32Array(2 * this.#starts.length))
    for (let at = from, of = start; of < end; at++, of++) this.#characters[at] = text.charCodeAt(of)
    this.#starts[number + 1] = to
    this.#values.push(value)
    if (2 * this.size > this.#slots.length) this.#grow()
    else this.#place(hashRange(text, start, end), number)
  }

  #place(hash: number, number: number): void {
    const last = this.#slots.length - 1
    let at = hash & last
    while (this.#slots[at] !== 0) at = (at + 1) & last
    this.#slots[at] = number + 1
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length)
    for (let number = 0; number < this.size; number++) {
      const word = this.#characters.subarray(this.#starts[number], this.#starts[number + 1])
      this.#place(word.reduce(mixHash, SEED) >>> SPREAD, number)
    }
  }

  clear(): void {
    this.#values.length = 0
    this.#slots.fill(0)
  }
}

const SEED = 0x811c9dc5 | 0
/** The low bits of a product depend on low bits alone: the upper ones are distributed better. */
const SPREAD = 8

/** After Fowler, Noll and Vo, by characters in place of bytes. */
function mixHash(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

function hashRange(text: string, start: number, end: number): number {
  let hash = SEED
  for (let at = start; at < end; at++) hash = mixHash(hash, text.charCodeAt(at))
  return hash >>> SPREAD
}

function copyInto<List extends Uint16Array | Int32Array>(from: List, to: List): List {
  to.set(from)
  return to
}
