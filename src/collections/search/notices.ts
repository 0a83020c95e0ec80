import { countNoun, listFirst } from '../../text/counts.ts'
import { shortenPath } from '../../text/paths.ts'
import type { SearchMode } from '../answers.ts'
import type { LexicalAnswer } from './search-index.ts'

/** What the notices say about an answer. */
interface AnswerFacts {
  readonly mode: SearchMode
  readonly results: number
  /** Whether only the beginning of the query was read. */
  readonly isCut: boolean
  /** Texts in quotation marks that no result holds word for word. */
  readonly unmatchedQuotes: readonly string[]
  /** Number of results without filters; undefined if there are no filters, or there are results. */
  readonly unfilteredTotal?: number | undefined
  /** The requested minimum score and the highest score, if all results scored less. */
  readonly scoreGap?: { readonly minScore: number; readonly highestScore: number } | undefined
}

/** Sentences about an answer: that the query was cut, which words were corrected, why it is empty, or was slow. */
export function noticesOf(answer: LexicalAnswer, facts: AnswerFacts): string[] {
  const { mode, results, isCut, unmatchedQuotes, unfilteredTotal, scoreGap: gap } = facts
  const { query, unindexedDocuments, total } = answer
  const cut = isCut ? [`Only the first ${query.text.length} characters of the query were searched.`] : []
  if (query.terms.length + query.pieces.length === 0 && (query.text.trim() !== '' || !isCut))
    return [...cut, 'The query has no word to search for.']
  const quotes = listFirst(
    unmatchedQuotes.map((quote) => `"${shortenPath(quote)}"`),
    MAX_NAMED,
  )
  const isWithoutMatch = results === 0 && total > 0 && !gap
  const readDocuments = `${countNoun(unindexedDocuments, 'document')} had to be read`
  return [
    ...cut,
    ...(unindexedDocuments > 0 ? [`${readDocuments}: "ambit collection set NAME --substrings" makes this fast.`] : []),
    ...(mode === 'vector' ? [] : wordNotices(answer)),
    ...(quotes === '' ? [] : [`No result contains ${quotes} word for word.`]),
    ...(quotes === '' && answer.isLoosened
      ? ['No document contains all the quoted texts, so their words were searched.']
      : []),
    ...(gap ? [`All results score less than ${gap.minScore}: the best ${gap.highestScore.toFixed(2)}.`] : []),
    ...(isWithoutMatch ? [`${countNoun(total, 'document')} may contain the words, but none matches as asked.`] : []),
    ...(unfilteredTotal ? [`Without the filters there are ${unfilteredTotal}.`] : []),
  ]
}

function wordNotices({ resolved }: LexicalAnswer): string[] {
  return resolved.flatMap(({ term, terms, words = [], as }) => {
    const word = shortenPath(term.word)
    if (as !== 'typed') {
      const problem = term.kind === 'word' ? `No document contains "${word}"` : `Few documents contain "${word}"`
      const ellipsis = words.length > MAX_NAMED ? ' …' : ''
      return [`${problem}; also searched: ${words.slice(0, MAX_NAMED).join(', ')}${ellipsis}.`]
    }
    return terms.length === 0 && term.kind === 'word' ? [`No document contains "${word}".`] : []
  })
}

/** Maximum number of words in a notice. */
const MAX_NAMED = 5
