/** Tests conditions that the index cannot test. */

import { type Phrase, type Query, stemsOfPrefix, type WithoutTerm } from './query.ts'
import { holdsPhrase } from './snippets.ts'
import { withoutCase } from './substrings.ts'
import { composeText, scanTerms } from './terms.ts'

type NamedText = Readonly<Record<'title' | 'path', string>>

/** Tests all conditions. */
export function satisfiesAll(query: Query, document: NamedText, text: string): boolean {
  const titleAndPath = [document.title, document.path]
  const matches = (term: WithoutTerm) => holdsTerm(term.inTitle ? titleAndPath : [...titleAndPath, text], term)
  const requiredInTitle = query.terms.filter(({ inTitle, kind }) => inTitle && kind === 'word')
  return requiredInTitle.every(matches) && !query.withoutTerms.some(matches) && satisfiesTexts(query, document, text)
}

function holdsTerm(texts: readonly string[], { term, isPrefix }: WithoutTerm): boolean {
  const stems = new Set(isPrefix ? stemsOfPrefix(term) : [term])
  let isFound = false
  const compare = (other: string) => {
    isFound ||= stems.has(other) || (isPrefix && other.startsWith(term))
  }
  for (const text of texts) if (!isFound) scanTerms(composeText(text), { main: compare, extra: compare })
  return isFound
}

export function satisfiesTexts(query: Query, document: NamedText, text: string): boolean {
  const { phrases, withoutPhrases, pieces, withoutPieces } = query
  const matchesPhrase = ({ terms, inTitle }: Phrase) =>
    holdsPhrase(document.title, terms) || holdsPhrase(document.path, terms) || (!inTitle && holdsPhrase(text, terms))
  const caseless = pieces.length + withoutPieces.length === 0 ? '' : withoutCase(text)
  const matchesPiece = (piece: string) => caseless.includes(withoutCase(piece))
  if (!pieces.every(matchesPiece) || withoutPieces.some(matchesPiece)) return false
  return phrases.every(matchesPhrase) && !withoutPhrases.some(matchesPhrase)
}
