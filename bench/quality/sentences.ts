import type { TextUnit } from '../../src/retrieval/units.ts'
import { sentencesOf } from '../../src/text/sentences.ts'

/** Each unit of prose as its sentences; code and rows of tables stay whole. */
export function splitSentences(units: readonly TextUnit[]): TextUnit[] {
  return units.flatMap((unit) => {
    if (unit.kind === 'code' || unit.kind === 'row') return [unit]
    // Marks of a quote begin no sentence.
    const text = unit.text.replace(/^[ \t]*>[ \t>]*/gm, (marks) => ' '.repeat(marks.length))
    return sentencesOf(text).map((sentence) => ({ ...unit, text: sentence.text }))
  })
}
