/** The places of sources in the text of an answer. */

interface CitedSection {
  readonly line?: number
  readonly heading?: string
}

/** The sources of an answer. `sections`: the cited sections, if a source has more than one. */
export type Citations = readonly (CitedSection & {
  readonly number: number
  readonly place: string
  readonly sections?: readonly CitedSection[]
})[]

/** The place of a source on a line of its own, from the built-in model: `[1] ambit://docs/a.md:3-9, under “Usage”`. */
const PLACE_LINE = /^\[(\d{1,6})\] (\S.*?)(?::(\d+(?:-\d+)?))?(?:, under “(.*)”)?$/

export interface SourcePlace {
  readonly number: number
  readonly place: string
  readonly lines?: string | undefined
  readonly section?: string | undefined
}

/** A citation as a place: at its line, or with the headings of all its sections. */
export function placeOfCitation({ number, place, line, heading, sections = [] }: Citations[number]): SourcePlace {
  const headings = sections.flatMap((one) => one.heading ?? [])
  if (headings.length > 1) return { number, place, section: headings.join(', ') }
  return { number, place, lines: line === undefined ? undefined : String(line), section: heading }
}

/** The places of sources on lines of their own, and the text between them. */
export function splitAtPlaces(text: string, citations: Citations): (string | SourcePlace)[] {
  const placeByNumber = new Map(citations.map(({ number, place }) => [number, place]))
  const parts: (string | SourcePlace)[] = []
  for (const paragraph of text.split('\n\n')) {
    const [, number, written, lines, section] = PLACE_LINE.exec(paragraph) ?? []
    const place = placeByNumber.get(Number(number))
    const last = parts.at(-1)
    if (place !== undefined && written !== undefined && removeEscapes(written) === place)
      parts.push({ number: Number(number), place, lines, section: section && removeEscapes(section) })
    else if (typeof last === 'string') parts[parts.length - 1] = `${last}\n\n${paragraph}`
    else parts.push(paragraph)
  }
  return parts
}

function removeEscapes(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1')
}
