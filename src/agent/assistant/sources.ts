import { proseOf, UNESCAPED } from '../../text/code.ts'
import { oneLine } from '../../text/controls.ts'
import { frameText } from '../../text/frames.ts'

/** What an answer rests on. */
export interface AnswerCitation {
  /** As it stands in the answer, in brackets. */
  readonly number: number
  /** `ambit://docs/a.md`; the absolute path of an instruction file. */
  readonly place: string
}

const CITATION = new RegExp(String.raw`${UNESCAPED}\[(\d{1,6})\]`, 'g')

/** How the system prompt asks that an answer begins which found nothing. */
const NOT_FOUND = /^\W*Not found\b/

/** What an answer rests on, as a whole. */
export interface AnswerBasis {
  readonly citations: readonly AnswerCitation[]
  /** Whether what was asked was found: the answer cites something, and does not begin by saying that it found nothing. */
  readonly found: boolean
}

/** The places that were told in a conversation, each with one number for good. */
export class NumberedSources {
  readonly #numbers: Map<string, number>

  /** `places`: those that have their numbers already, in the order of these. */
  constructor(places: readonly string[] = []) {
    this.#numbers = new Map(places.map((place, at) => [place, at + 1]))
  }

  /** In the order of their numbers, from 1. */
  get places(): readonly string[] {
    return [...this.#numbers.keys()]
  }

  /** An element that gives each place its number; `''` for none. */
  told(places: readonly string[]): string {
    const lines = [...new Set(places)].map((place) => `[${this.#numberOf(place)}] ${oneLine(place)}`)
    return lines.length === 0 ? '' : frameText({ tag: 'sources', attributes: {}, text: lines.join('\n') })
  }

  /** What an answer cites, in the order in which it does: not in code, nor escaped. A number that was never given is none. */
  citedIn(answer: string): AnswerCitation[] {
    const places = new Map([...this.#numbers].map(([place, number]) => [number, place]))
    const numbers = new Set([...proseOf(answer).matchAll(CITATION)].map(([, number]) => Number(number)))
    return [...numbers].flatMap((number) => {
      const place = places.get(number)
      return place === undefined ? [] : [{ number, place }]
    })
  }

  basisOf(answer: string): AnswerBasis {
    const citations = this.citedIn(answer)
    return { citations, found: citations.length > 0 && !NOT_FOUND.test(answer) }
  }

  #numberOf(place: string): number {
    const number = this.#numbers.get(place) ?? this.#numbers.size + 1
    this.#numbers.set(place, number)
    return number
  }
}
