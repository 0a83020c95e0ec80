import { answeringWords } from '../routing/terms.ts'
import type { QueryTask } from '../run/stages.ts'

/**
 * What is searched for: first the question itself. After that, each part that has no answer; words that no source holds stand
 * first in it.
 */
export function queriesFor({ question, searched, parts = [] }: QueryTask): string[] {
  if (!searched) return [question]
  const open = parts.filter(({ answered }) => answered !== 'yes')
  const queries = open.map(({ text, missing }) => [...new Set([...missing, ...answeringWords(text)])].join(' '))
  const known = new Set(searched.map((query) => query.toLowerCase()))
  return [...new Set(queries)].filter((query) => query !== '' && !known.has(query.toLowerCase()))
}
