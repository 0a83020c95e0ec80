import { fillWords, reportWords } from '../report/report-words.ts'
import type { PartEvidence, Sufficiency } from '../run/evidence.ts'
import type { SufficiencyTask } from '../run/stages.ts'

/**
 * Whether what was found answers a question: each of its parts has a passage that holds enough of it. A question of several
 * parts is divided first. Judged alike on files, collections and web.
 */
export function sufficiencyOf({ question, depth, parts }: SufficiencyTask): Sufficiency {
  const gaps = parts.flatMap((part) => gapsOf(part, parts.length === 1 ? question : part.text))
  const isDivided = depth === 1 && parts.length > 1
  const answered = parts.filter((part) => part.answered === 'yes').length
  const reasoning = toldOf(answered, parts.length)
  const is_sufficient = !isDivided && answered === parts.length
  return { is_sufficient, reasoning, gaps: is_sufficient ? [] : gaps }
}

function toldOf(answered: number, parts: number): string {
  if (parts > 1) return `${answered} of the ${parts} parts of the question have an answer in the evidence.`
  return answered === 1 ? 'The evidence answers the question.' : 'The evidence does not answer the whole question.'
}

/** In the language of the question. */
function gapsOf({ answered, missing }: PartEvidence, text: string): string[] {
  if (answered === 'yes') return []
  const told = reportWords(text)
  const words = missing.map((word) => fillWords(told.lacks, `“${word}”`))
  if (answered === 'no') return [fillWords(told.unanswered, text), ...words]
  return words.length > 0 ? words : [fillWords(told.perhaps, text)]
}
