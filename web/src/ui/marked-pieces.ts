/** Cuts texts at the marks of a search. A span is a range of offsets in the source, from `start` to before `end`. */

export interface Span {
  readonly start: number
  readonly end: number
}

export interface Piece {
  readonly text: string
  readonly isMarked: boolean
}

/** Shown text, and its span in the source. Text without a span is not in the source, such as a separator. */
export interface Run {
  readonly text: string
  readonly span?: Span
}

/** The pieces of a snippet that is shown as written. */
export function plainPieces(snippet: string, marks: readonly Span[]): Piece[] {
  return markRuns([{ text: snippet, span: { start: 0, end: snippet.length } }], marks)
}

/** Runs of text as pieces; pieces within a mark are marked. */
export function markRuns(runs: readonly Run[], marks: readonly Span[]): Piece[] {
  const pieces: Piece[] = []
  const add = (text: string, isMarked: boolean) => {
    const last = pieces.at(-1)
    if (last?.isMarked === isMarked) pieces[pieces.length - 1] = { text: last.text + text, isMarked }
    else if (text !== '') pieces.push({ text, isMarked })
  }
  for (const { text, span } of runs) {
    const within = span ? marks.filter(({ start, end }) => start < span.end && end > span.start) : []
    const isExact = span !== undefined && span.end - span.start === text.length
    if (!isExact) {
      add(text, within.length > 0)
      continue
    }
    let at = 0
    for (const mark of within) {
      const from = Math.max(at, mark.start - span.start)
      const to = Math.max(from, Math.min(text.length, mark.end - span.start))
      add(text.slice(at, from), false)
      add(text.slice(from, to), true)
      at = to
    }
    add(text.slice(at), false)
  }
  return pieces
}
