import { type CitedRoot, fileUri, identifyFile } from '../../text/citations.ts'
import { proseOf, UNESCAPED } from '../../text/code.ts'
import { oneLine } from '../../text/controls.ts'
import { frameText } from '../../text/frames.ts'

interface AnswerCitation {
  /** The number in brackets in the answer. */
  readonly number: number
  /** A URI: `ambit://docs/a.md`, `file:///srv/AGENTS.md`, `s3://bucket/a.csv`, `quilt+s3://bucket#package=…`. */
  readonly place: string
}

const CITATION = new RegExp(String.raw`${UNESCAPED}\[(\d{1,6})\]`, 'g')

/** The beginning of an answer that found nothing, as the system prompt asks for it. */
const NOT_FOUND = /^\W*Not found\b/

/** The citations of an answer, and whether it found something. */
export interface AnswerBasis {
  readonly citations: readonly AnswerCitation[]
  /** Whether the answer found something: it cites a source, and does not begin with `Not found`. */
  readonly found: boolean
}

/** The numbered places of a conversation. All URIs of a file share its number. */
export class NumberedSources {
  /** The first URI of each numbered place, in the order of the numbers from 1. */
  readonly places: string[]
  /** The collections, by which several URIs of one file are recognized. */
  roots: readonly CitedRoot[] = []

  /** `places`: the places that have a number already, in order. */
  constructor(places: readonly string[] = []) {
    this.places = places.map(fileUri)
  }

  /** An element that lists places with their numbers; `''` for no places. A path on disk becomes a URI. */
  numbered(places: readonly string[]): string {
    const identify = (uri: string) => identifyFile(uri, this.roots)
    // Reversed, so that the first URI of a file decides its number.
    const numbers = new Map(this.places.map((place, index) => [identify(place), index + 1] as const).reverse())
    const lines = [...new Set(places.map(fileUri))].map((uri) => {
      const number = numbers.get(identify(uri)) ?? this.places.push(uri)
      numbers.set(identify(uri), number)
      return `[${number}] ${oneLine(uri)}`
    })
    return lines.length === 0 ? '' : frameText({ tag: 'sources', attributes: {}, text: lines.join('\n') })
  }

  /** Sources that an answer cites, in order of first citation, outside of code and escapes. Unknown numbers are left out. */
  citationsIn(answer: string): AnswerCitation[] {
    const numbers = new Set([...proseOf(answer).matchAll(CITATION)].map(([, number]) => Number(number)))
    return [...numbers].flatMap((number) => {
      const place = this.places[number - 1]
      return place === undefined ? [] : [{ number, place }]
    })
  }

  basisOf(answer: string): AnswerBasis {
    const citations = this.citationsIn(answer)
    return { citations, found: citations.length > 0 && !NOT_FOUND.test(answer) }
  }
}
