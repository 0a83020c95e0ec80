/** What code can say of a statement and the passages that it cites: that it stands there, or that a number of it stands nowhere. */

import { sentencesOf } from '../../text/sentences.ts'
import { typewritten } from '../../text/typography.ts'
import { type NumberBasis, unheldNumber } from './numbers.ts'
import { isQuoted } from './quotes.ts'

/** A passage that is cited. */
export interface ClaimSource {
  readonly text: string
  /** What it stands under: title, headings, names of columns. */
  readonly context: string
  /** It is a row of a table: `name: cell; name: cell`. */
  readonly isRow?: boolean
}

/** What a statement is held against, besides the passages that it cites. */
export interface ClaimBeside {
  readonly question: string
  /** Results of computations. */
  readonly computed: readonly string[]
  /** ISO 8601. */
  readonly today?: string | undefined
}

/** A sentence that says which words or which number stand nowhere; undefined where all of them stand somewhere. */
export function whyUnheld(
  claim: string,
  quotes: readonly string[],
  { sources, ...beside }: ClaimBeside & { readonly sources: readonly ClaimSource[] },
): string | undefined {
  const texts = [...sources.flatMap((source) => [source.text, source.context]), beside.question]
  const lost = quotes.find((quote) => !texts.some((one) => isQuoted(quote, one)))
  if (lost !== undefined) return `No cited passage holds the words “${lost.slice(0, 100).toWellFormed()}”.`
  return sources.length === 0 ? undefined : whyNumberUnheld(claim, sources, beside)
}

/** A sentence that says which number stands nowhere; undefined where all of them stand somewhere. */
export function whyNumberUnheld(
  claim: string,
  sources: readonly ClaimSource[],
  { question, computed, today = '' }: ClaimBeside,
): string | undefined {
  const basis: NumberBasis = {
    passages: sources,
    beside: [...sources.map(({ context }) => context), ...computed, today],
    question,
  }
  const number = unheldNumber(claim, basis)
  return number === undefined ? undefined : `No cited passage, computation or question holds ${number}.`
}

/** Whether a passage has the statement: as whole sentences, as a row, or as words that the statement quotes. */
export function isVerbatim(claim: string, sources: readonly ClaimSource[]): boolean {
  const quote = /^[“"„«](?<inner>[^“”„«»]+)[”"»“][.,;:!?]?$/u.exec(claim.trim())?.groups?.inner
  if (quote !== undefined && sources.some(({ text }) => isQuoted(quote, text))) return true
  const wanted = plainWordsOf(claim)
  if (!/\p{L}.*\p{L}/su.test(wanted)) return false
  return sources.some(({ text, isRow = false }) => {
    const parts = isRow ? [text] : [...sentencesOf(text).map((sentence) => sentence.text), ...text.split('\n')]
    return `|${parts.map(plainWordsOf).join('|')}|`.includes(`|${wanted}|`) || plainWordsOf(text) === wanted
  })
}

/** Letters and digits; a number keeps its signs. */
function plainWordsOf(text: string): string {
  return typewritten(text)
    .toLowerCase()
    .replace(/[*_`|]/g, ' ')
    .replace(/(?<!\d)[.,:;!?()"'[\]#>-]+|[.,:;!?()"'[\]-]+(?!\d)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
