import { scanIdentifiers, termsOfWord } from './index/identifiers.ts'

/** Terms of a task that count when a passage is judged: the weightiest. */
const COUNTED = 12

/** How much of what matters in a task a text holds: 0 to 1. `gains`: what each term counts. */
export function termCoverage(text: string, gains: ReadonlyMap<number, number>): number {
  const held = new Set<number>()
  scanIdentifiers(text, (word) => {
    const { parts, whole } = termsOfWord(word)
    for (const part of parts) held.add(part)
    if (whole !== undefined) held.add(whole)
  })
  const counted = [...gains].sort(([, a], [, b]) => b - a).slice(0, COUNTED)
  const sum = (terms: readonly (readonly [number, number])[]) => terms.reduce((all, [, gain]) => all + gain, 0)
  const all = sum(counted)
  return all === 0 ? 0 : sum(counted.filter(([term]) => held.has(term))) / all
}
