/** What was meant by a word that no text contains: the ways to guess, in their order, for an index and for texts in memory. */

import { countEdits } from '../text/nearest.ts'
import { firstLetters, maxEditsOf, type NearTerm, nearTerms, partsOfCompound, termsContaining } from './guesses.ts'
import { foldWord, isCharacterPair, isStopWord, scanTerms } from './terms.ts'

/** Minimum letters of a word that may have one more error if there is no other guess. */
const MIN_LETTERS_FOR_MORE_EDITS = 5

/** Maximum words of a query that are guessed. Each takes some milliseconds for 10,000 terms. */
export const MAX_GUESSED_WORDS = 12

/** Maximum guesses for a word, all with the fewest edits. */
export const MAX_GUESSES = 5

/** Weight of guessed terms, relative to a typed one. */
export const GUESS_SHARE = 0.7

/** Whether a word has a meaning that another one does not have. */
export type OtherMeaning = (word: string, other: string) => boolean

/**
 * A way to guess a word. `near`: from the terms with these prefixes that it may misspell; `parts`: from the terms that it is made of; `containing`: from
 * the terms with these prefixes that are made of it.
 */
export type GuessStep =
  | { readonly kind: 'near'; readonly prefixes: readonly string[]; readonly maxEdits: number }
  | { readonly kind: 'parts' }
  | { readonly kind: 'containing'; readonly prefixes: readonly string[] }

/** The ways to guess a word; each is used if those before it find nothing. `isOnlyUnknown`: whether no other word of the query is known. */
export function guessSteps(word: string, isOnlyUnknown: boolean): readonly GuessStep[] {
  if (!/^\p{L}/u.test(word) || isCharacterPair(word) || isStopWord(word)) return []
  const maxEdits = maxEditsOf(word)
  // Terms with the second letter, too: the first one may be superfluous or swapped.
  const prefixes = [...new Set([...word].slice(0, 2))]
  const steps = [{ kind: 'near', prefixes, maxEdits }, { kind: 'parts' }] as const
  if (!isOnlyUnknown) return steps
  const all = firstLetters(word)
  return [
    ...steps,
    { kind: 'near', prefixes: all, maxEdits },
    { kind: 'containing', prefixes: all },
    ...(word.length < MIN_LETTERS_FOR_MORE_EDITS
      ? []
      : [{ kind: 'near', prefixes: all, maxEdits: maxEdits + 1 } as const]),
  ]
}

/** Terms in memory. `isOnlyUnknown`: whether no other word of the query is known. */
interface KnownTerms {
  readonly isOnlyUnknown: boolean
  readonly hasOtherMeaning: OtherMeaning
  readonly terms: ReadonlySet<string>
  /** Number of texts with a term. */
  frequencyOf(term: string): number
  /** Texts with one of these terms. */
  textsWith(terms: ReadonlySet<string>): readonly string[]
}

/** A term that was meant by a word. `shown`: its word in the texts. */
export interface GuessedTerm extends NearTerm {
  readonly shown: string
}

/** The terms that were meant by a word. */
export function guessAmong(word: string, known: KnownTerms): GuessedTerm[] {
  for (const step of guessSteps(word, known.isOnlyUnknown)) {
    const guesses = termsOfStep(step, word, known).filter(({ shown }) => !known.hasOtherMeaning(word, shown))
    const best = nearestOf(guesses, (one, other) => known.frequencyOf(other) - known.frequencyOf(one))
    if (best.length > 0) return best
  }
  return []
}

function termsOfStep(step: GuessStep, word: string, { terms, textsWith }: KnownTerms): GuessedTerm[] {
  const asGuess = (term: string) => ({ term, word: term, edits: 0, shown: term })
  if (step.kind === 'parts') return partsOfCompound(word, (term) => terms.has(term)).map(asGuess)
  const compared = [...terms].filter((term) => step.prefixes.some((prefix) => term.startsWith(prefix)))
  if (step.kind === 'containing') return termsContaining(word, compared).map(asGuess)
  const near = nearTerms(word, compared, step.maxEdits)
  const nearest = new Set(near.map(({ term }) => term))
  return wordsOfTerms(word, near, { maxEdits: step.maxEdits, shown: nearestWords(word, nearest, textsWith(nearest)) })
}

/** Near terms with the words that texts show. With one more error than usual, only such a word is near enough: the form of a stem may be none. */
export function wordsOfTerms(
  word: string,
  near: readonly NearTerm[],
  { maxEdits, shown }: { readonly maxEdits: number; readonly shown: ReadonlyMap<string, string> },
): GuessedTerm[] {
  if (maxEdits <= maxEditsOf(word)) return near.map((one) => ({ ...one, shown: shown.get(one.term) ?? one.word }))
  return near.flatMap(({ term }) => {
    const form = shown.get(term) ?? ''
    const edits = countEdits(word, form, maxEdits)
    return edits > maxEdits ? [] : [{ term, word: form, edits, shown: form }]
  })
}

/** The terms with the fewest edits; of these the first ones by an order. */
export function nearestOf<Near extends Pick<NearTerm, 'term' | 'edits'>>(
  near: readonly Near[],
  order: (one: string, other: string) => number,
): Near[] {
  const fewestEdits = Math.min(...near.map(({ edits }) => edits))
  const nearest = near.filter(({ edits }) => edits === fewestEdits)
  return nearest.sort((a, b) => order(a.term, b.term) || (a.term < b.term ? -1 : 1)).slice(0, MAX_GUESSES)
}

/** For each of these terms, its word in the texts that is nearest to a word; absent if there is none. */
export function nearestWords(
  word: string,
  terms: ReadonlySet<string>,
  texts: readonly string[],
): ReadonlyMap<string, string> {
  const seen = new Set<string>()
  const nearest = new Map<string, { readonly folded: string; readonly edits: number }>()
  for (const text of texts) {
    scanTerms(text, {
      main: (main, start, end) => {
        const folded = terms.has(main) ? foldWord(text.slice(start, end)) : ''
        if (folded === '' || seen.has(folded)) return
        seen.add(folded)
        const edits = countEdits(word, folded, word.length)
        const known = nearest.get(main)
        if (!known || edits < known.edits || (edits === known.edits && folded < known.folded))
          nearest.set(main, { folded, edits })
      },
    })
  }
  return new Map([...nearest].map(([term, { folded }]) => [term, folded]))
}
