import type { TextUnit } from '../../src/retrieval/units.ts'
import { sentencesOf } from '../../src/text/sentences.ts'

/** Splits units of prose into sentences. Code and rows of tables are not split. */
export function splitSentences(units: readonly TextUnit[]): TextUnit[] {
  return units.flatMap((unit) => {
    if (unit.kind === 'code' || unit.kind === 'row') return [unit]
    // Removes the marks of quotes, which are not part of a sentence.
    const text = unit.text.replace(/^[ \t]*>[ \t>]*/gm, (marks) => ' '.repeat(marks.length))
    return sentencesOf(text).map((sentence) => ({ ...unit, text: sentence.text }))
  })
}
