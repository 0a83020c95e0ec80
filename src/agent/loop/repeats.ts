import type { AgentCall } from '../events.ts'

/** Finds that a model goes in circles: the same calls three times in a row, or two steps that alternate, twice each. */
export class Repeats {
  readonly #steps: string[] = []

  /** Whether these calls, which are about to be done, go round once more. */
  isLoop(calls: readonly Pick<AgentCall, 'tool' | 'input'>[]): boolean {
    this.#steps.push(
      calls
        .map(({ tool, input }) => `${tool} ${sortedJson(input)}`)
        .sort()
        .join('\n'),
    )
    const [d, c, b, a] = this.#steps.slice(-4).reverse()
    return (d === c && c === b) || (d !== c && d === b && c === a && a !== undefined)
  }
}

/** The same for objects that differ only in the order of their names. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, one]) => `${JSON.stringify(name)}:${sortedJson(one)}`).join()}}`
}
