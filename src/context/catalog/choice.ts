import { quoteShell } from '../../text/shell-quote.ts'
import type { LoadAnswer } from '../answers.ts'

/** The answer itself, where nothing was chosen: to spread it would compute its digest. */
export function withChoice<Answer extends object>(answer: Answer, choice: string | undefined): Answer {
  return choice === undefined ? answer : Object.defineProperty(answer, 'choice', { value: choice, enumerable: true })
}

/** The notice for a directory with the name of a package: how to name the package. */
export function directoryBefore(path: string, place: string): string {
  const exact = /[@:]/.test(place) ? place : `${place}:latest`
  return `${quoteShell(path)} is taken for the directory. The package of that name is ${quoteShell(exact)}.`
}

/** Warnings that are shown one by one. */
const MOST_WARNINGS = 20

/** Sentences beside the context of a place that is not on disk: which of two places it is, and what could not be read whole. */
export function placeNotices({ choice, place, warnings }: Pick<LoadAnswer, 'choice' | 'place' | 'warnings'>): string[] {
  const chosen = choice === undefined ? [] : [choice]
  if (place.startsWith('/')) return chosen
  const shown = warnings.slice(0, MOST_WARNINGS).map(({ path, message }) => `${path}: ${message}`)
  const more = warnings.length - shown.length
  return [...chosen, ...shown, ...(more > 0 ? [`… and ${more} more, as "ambit explain" tells.`] : [])]
}
