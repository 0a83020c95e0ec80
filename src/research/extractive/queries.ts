import { answeringWords } from '../routing/terms.ts'
import type { QueryTask } from '../run/stages.ts'

/**
 * The question itself; where it was searched for before, each part that has no answer, with the words first that nothing holds
 * which was read.
 */
export function queriesFor({ question, searched, parts = [] }: QueryTask): string[] {
  if (!searched) return [question]
  const open = parts.filter(({ answered }) => answered !== 'yes')
  const queries = open.map(({ text, missing }) => [...new Set([...missing, ...answeringWords(text)])].join(' '))
  const known = new Set(searched.map((query) => query.toLowerCase()))
  return [...new Set(queries)].filter((query) => query !== '' && !known.has(query.toLowerCase()))
}
