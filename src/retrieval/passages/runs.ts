/** The longest piece of a query that stands in a text word for word. */

/** A state of the automaton: all pieces of the query that end in the same places. */
interface State {
  /** Words of the longest of these pieces. */
  length: number
  /** The state of the longest shorter ends that stand elsewhere, too. */
  link: number
  readonly next: Map<string, number>
}

/** A run of words: places in the list that was searched. */
export interface WordRun {
  /** The first word, and the one behind the last. */
  readonly start: number
  readonly end: number
}

/** Knows all pieces of a list of words; made in time that grows with their number (after Blumer and others). */
export class RunFinder {
  readonly #states: State[] = [{ length: 0, link: -1, next: new Map() }]

  constructor(words: readonly string[]) {
    let last = 0
    for (const word of words) last = this.#extend(last, word)
  }

  /** The longest run of at least `least` words that counts; of equal ones the first. Takes time that grows with the list. */
  longest(words: readonly string[], least: number, counts: (run: WordRun) => boolean): WordRun | undefined {
    let best: WordRun | undefined
    let [state, length] = [0, 0]
    for (const [at, word] of words.entries()) {
      while (state > 0 && !this.#states[state]?.next.has(word)) {
        state = this.#states[state]?.link ?? 0
        length = this.#states[state]?.length ?? 0
      }
      const next = this.#states[state]?.next.get(word)
      if (next === undefined) continue
      state = next
      length++
      const run = { start: at + 1 - length, end: at + 1 }
      if (length >= least && length > (best ? best.end - best.start : 0) && counts(run)) best = run
    }
    return best
  }

  #extend(last: number, word: string): number {
    const states = this.#states
    const own = states.push({ length: (states[last]?.length ?? 0) + 1, link: 0, next: new Map() }) - 1
    let at = last
    for (; at >= 0 && !states[at]?.next.has(word); at = states[at]?.link ?? -1) states[at]?.next.set(word, own)
    if (at >= 0) this.#link(own, at, word)
    return own
  }

  /** Links a new state to what `at` leads to by the word, which is split where it stands for longer pieces, too. */
  #link(own: number, at: number, word: string): void {
    const states = this.#states
    const [state, found] = [states[own], states[at]?.next.get(word) ?? 0]
    const [before, target] = [states[at], states[found]]
    if (!state || !before || !target) return
    if (before.length + 1 === target.length) {
      state.link = found
      return
    }
    const split = states.push({ length: before.length + 1, link: target.link, next: new Map(target.next) }) - 1
    for (let up = at; up >= 0 && states[up]?.next.get(word) === found; up = states[up]?.link ?? -1) {
      states[up]?.next.set(word, split)
    }
    target.link = split
    state.link = split
  }
}
