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
  const reasoning = `${answered} of ${parts.length} parts of the question have an answer in the evidence.`
  const is_sufficient = !isDivided && answered === parts.length
  return { is_sufficient, reasoning, gaps: is_sufficient ? [] : gaps }
}

function gapsOf({ answered, missing }: PartEvidence, text: string): string[] {
  if (answered === 'yes') return []
  const words = missing.map((word) => `Nothing that was read holds “${word}”.`)
  if (answered === 'no') return [`Nothing was found that answers: ${text}`, ...words]
  return words.length > 0 ? words : [`What was found may not be the whole answer to: ${text}`]
}
