/** Checks the statements of an assistant's answer against their cited sources, by code. */

import { omitUndefined } from '../../core/omit-undefined.ts'
import { bestFirst, PassageIndex } from '../../retrieval/passages.ts'
import { splitTextUnits } from '../../retrieval/units.ts'
import { renumber } from './citations.ts'
import { checkClaims, type JudgedClaim, toReportClaim } from './claims.ts'

interface SourceSection {
  readonly line: number
  /** The heading above the passage. */
  readonly heading?: string
}

/**
 * A cited source of an answer, with the place of the passage nearest to the citing statements. `sections`: the places, if there
 * are several.
 */
export interface AnswerSource extends Partial<SourceSection> {
  readonly number: number
  readonly place: string
  readonly sections?: readonly SourceSection[]
}

export interface SourcePassage {
  readonly text: string
  /** The line on which it begins. */
  readonly line: number
}

/** An answer, and the texts that it may cite. Plain data. */
export interface CitedAnswer {
  readonly question: string
  /** The day of the question. ISO 8601. */
  readonly today: string
  readonly answer: string
  readonly sources: readonly { readonly number: number; readonly place: string; readonly passages: SourcePassage[] }[]
  /** Whether the answer only quotes, so that nothing is checked. */
  readonly isQuoted: boolean
  /** Whether to renumber the sources, from 1. */
  readonly isRenumbered: boolean
}

/** The text of an answer, the places that it cites, and the basis for the check of its statements. */
export function readAnswer({ question, today, answer, sources, isRenumbered }: CitedAnswer) {
  const original = { refOf: (number: number) => sources.find((one) => one.number === number)?.place }
  const { text, refs } = renumber(answer, original)
  const textsByPlace = new Map(
    sources.map(({ place, passages }) => {
      return [place, { text: passages.map((one) => one.text).join('\n\n'), context: place }] as const
    }),
  )
  const numbers = isRenumbered ? { refOf: (number: number) => refs[number - 1] } : original
  const sourceOf = (ref: string) => textsByPlace.get(ref)
  const basis = { numbers, sourceOf, question, today, computed: [], citedOnly: true }
  return { text: isRenumbered ? text : answer, refs, basis }
}

/**
 * Marks each statement of an answer that its sources do not support. Returns the marked text, the cited sources in the
 * order of first citation, and the statements that cite something.
 */
export function markAnswer(answer: CitedAnswer & { readonly judged: ReadonlyMap<string, JudgedClaim> }) {
  const { sources, isQuoted, isRenumbered, judged } = answer
  const { text, refs, basis } = readAnswer(answer)
  const checked = isQuoted ? { claims: [], text } : checkClaims(text, { ...basis, judged })
  const citations: readonly AnswerSource[] = refs.map((ref, at) => {
    const { number = at + 1, passages = [] } = sources.find(({ place }) => place === ref) ?? {}
    const shown = isRenumbered ? at + 1 : number
    return { number: shown, place: ref, ...placesOf(passages, partsThatCite(shown, checked)) }
  })
  return { text: checked.text, citations, claims: checked.claims.map((claim) => toReportClaim(claim)) }
}

/**
 * The parts of statements that cite the source `number`. Each part is the text before such a citation, from the
 * previous citation on.
 */
function partsThatCite(number: number, { text, claims }: Pick<ReturnType<typeof checkClaims>, 'text' | 'claims'>) {
  return claims.flatMap(({ start, end }) => {
    const parts = text.slice(start, end).split(/((?:\[\d{1,5}\]\s?)+)/)
    const citing = parts.filter((_, at) => at % 2 === 0 && parts[at + 1]?.includes(`[${number}]`))
    return citing.length > 0 ? [citing.join('\n')] : []
  })
}

/** Maximum sections of a source. */
const MAX_SECTIONS = 8

/**
 * The place of the passage nearest to all statements together. If single statements have different nearest sections,
 * these sections, too.
 */
function placesOf(passages: readonly SourcePassage[], statements: readonly string[]) {
  const index = new PassageIndex(passages.flatMap(({ text, line }) => splitTextUnits(text, { firstLine: line })))
  const nearestTo = (text: string) => {
    const best = bestFirst(index.rank(text)).slice(0, 1)
    return best.map(({ unit: { line, trail } }): SourceSection => omitUndefined({ line, heading: trail.at(-1) }))
  }
  const [nearest] = nearestTo(statements.join('\n'))
  const all = statements.flatMap(nearestTo).sort((a, b) => a.line - b.line)
  const sections = all.filter(({ heading }, at) => all.findIndex((one) => one.heading === heading) === at)
  return { ...nearest, ...(sections.length > 1 && { sections: sections.slice(0, MAX_SECTIONS) }) }
}
