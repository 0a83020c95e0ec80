import { quoteShell } from '../text/shell-quote.ts'
import type { LoadAnswer } from './answers.ts'

/** The answer itself, where nothing was chosen: to spread it would compute its digest. */
export function withChoice<Answer extends object>(answer: Answer, choice: string | undefined): Answer {
  return choice === undefined ? answer : Object.defineProperty(answer, 'choice', { value: choice, enumerable: true })
}

/** What is told of a directory that the package at a place is called like: its name alone would mean the directory again. */
export function directoryBefore(path: string, place: string): string {
  const exact = /[@:]/.test(place) ? place : `${place}:latest`
  return `${quoteShell(path)} is taken for the directory. The package of that name is ${quoteShell(exact)}.`
}

/** Warnings that are told one by one. */
const MOST_TOLD = 20

/** What whoever asked for a place that is not on disk is told of it: which of two it is, and what could not be had, or not whole. */
export function placeNotices({ choice, place, warnings }: Pick<LoadAnswer, 'choice' | 'place' | 'warnings'>): string[] {
  const chosen = choice === undefined ? [] : [choice]
  if (place.startsWith('/')) return chosen
  const told = warnings.slice(0, MOST_TOLD).map(({ path, message }) => `${path}: ${message}`)
  const more = warnings.length - told.length
  return [...chosen, ...told, ...(more > 0 ? [`… and ${more} more, as "ambit explain" tells.`] : [])]
}
