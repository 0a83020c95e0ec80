import type { ChatPlace } from './places.ts'

/** Facts about the current place. */
export interface SuggestionFacts {
  readonly chatPlace: ChatPlace
  /** Whether it is a file. */
  readonly isFile: boolean
  /** Names of its entries. */
  readonly entries: readonly string[]
  /** How many parts of context apply. */
  readonly contexts: number
}

/** Three questions that the place can answer; always the same for the same place. */
export function suggestionsFor({ chatPlace, isFile, entries, contexts }: SuggestionFacts): string[] {
  const { name, kind, view } = chatPlace
  if (kind === 'search') return [`What is said about ${view.search}?`, `Which of these matter most, and why?`]
  if (kind === 'package') {
    const entry = view.entry === undefined ? [] : [`What is in ${view.entry}?`]
    return [
      ...entry,
      `What is ${name}?`,
      `What does ${name} hold, and where did it come from?`,
      'What changed last?',
    ].slice(0, 3)
  }
  if (isFile) return [`Summarise ${name}`, `What refers to ${name}?`, 'What applies here?']
  const readme = entries.some((entry) => /^readme(\.|$)/i.test(entry))
  return [
    ...(kind === 'folder' ? [`What is ${name} for?`] : ['What is in here?']),
    ...(readme ? ['Where should I begin?'] : []),
    ...(contexts > 0 ? ['Which rules apply here?'] : []),
    ...(entries.length > 1 ? [`How is ${kind === 'folder' ? name : 'this'} organised?`] : []),
  ].slice(0, 3)
}
