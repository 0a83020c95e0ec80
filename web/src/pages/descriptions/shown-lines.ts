/** A line of a file, or of its shown part. */
export interface ShownLine {
  readonly text: string
  /** The end of the line, if it is cut. */
  readonly rest?: string
  /** `marker`: a line that stands for missing text. */
  readonly is: 'shown' | 'cut' | 'marker'
}

/**
 * The lines of a file, each shown or cut. Matches as many shown lines as possible, in the order of the file; prefers
 * consecutive lines among equal matches. An empty line is shown or cut like the line above it.
 */
export function shownLines(file: string, shown: string): ShownLine[] {
  const whole = linesOf(file)
  const part = linesOf(shown).filter((line) => line !== '')
  const filled = whole.flatMap((line, at) => (line === '' ? [] : [at]))
  const places = matchLines(
    filled.map((at) => whole[at] ?? ''),
    part,
  )
  const lines: ShownLine[] = []
  let at = 0
  let stateAbove: ShownLine['is'] = places[0] === 0 ? 'shown' : 'cut'
  const upTo = (end: number) => {
    for (; at < end; at++) {
      const text = whole[at] ?? ''
      if (text !== '') stateAbove = 'cut'
      lines.push({ text, is: stateAbove })
    }
  }
  for (const [index, text] of part.entries()) {
    const place = filled[places[index] ?? -1]
    if (place === undefined) {
      lines.push({ text, is: 'marker' })
      continue
    }
    upTo(place)
    const rest = (whole[place] ?? '').slice(text.length)
    lines.push({ text, is: 'shown', ...(rest !== '' && { rest }) })
    stateAbove = 'shown'
    at = place + 1
  }
  upTo(whole.length)
  return lines
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Whether a shown line is a line of the file, or its beginning: a long paragraph may be cut. */
function matchesLine(line: string | undefined, shown: string | undefined): boolean {
  if (line === undefined || shown === undefined) return false
  return line === shown || (shown.length > 20 && line.startsWith(shown))
}

/** Maximum number of pairs of lines to compare. Above that, each line takes its first match. */
const MOST_PAIRS = 4_000_000

/** For each shown line, its index in the file; -1 for none. */
function matchLines(whole: readonly string[], part: readonly string[]): number[] {
  return whole.length * part.length > MOST_PAIRS ? firstMatches(whole, part) : bestMatches(whole, part)
}

function firstMatches(whole: readonly string[], part: readonly string[]): number[] {
  let from = 0
  return part.map((text) => {
    const at = whole.findIndex((line, index) => index >= from && matchesLine(line, text))
    if (at !== -1) from = at + 1
    return at
  })
}

/** The longest common subsequence. `mostFrom(at, index)`: its length for `whole` from `at` and `part` from `index`. */
function bestMatches(whole: readonly string[], part: readonly string[]): number[] {
  const width = part.length + 1
  const most = new Uint16Array((whole.length + 1) * width)
  const mostFrom = (at: number, index: number) => most[at * width + index] ?? 0
  for (let at = whole.length - 1; at >= 0; at--) {
    for (let index = part.length - 1; index >= 0; index--) {
      const both = matchesLine(whole[at], part[index]) ? mostFrom(at + 1, index + 1) + 1 : 0
      most[at * width + index] = Math.max(both, mostFrom(at + 1, index), mostFrom(at, index + 1))
    }
  }
  const places: number[] = []
  let from = 0
  for (let index = 0; index < part.length; index++) {
    const wanted = mostFrom(from, index)
    let best = { at: -1, run: 0 }
    for (let at = from; at < whole.length && mostFrom(at, index) === wanted; at++) {
      if (!matchesLine(whole[at], part[index]) || mostFrom(at + 1, index + 1) + 1 !== wanted) continue
      const run = at === from && index > 0 && places[index - 1] === from - 1 ? RUN : runOf(whole, part, { at, index })
      if (run > best.run) best = { at, run }
    }
    places.push(best.at)
    if (best.at !== -1) from = best.at + 1
  }
  return places
}

/** Maximum number of following lines to compare. */
const RUN = 30

function runOf(
  whole: readonly string[],
  part: readonly string[],
  { at, index }: { at: number; index: number },
): number {
  let run = 1
  while (run < RUN && matchesLine(whole[at + run], part[index + run])) run++
  return run
}
