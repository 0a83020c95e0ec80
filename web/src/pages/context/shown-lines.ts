/** A line of a file, or of what is shown of it. */
export interface ShownLine {
  readonly text: string
  /** What follows on the same line and was cut. */
  readonly rest?: string
  /** `marker`: it is not in the file; it stands for what is missing. */
  readonly is: 'shown' | 'cut' | 'marker'
}

/**
 * The lines of a file, each of which is shown or was cut. What is shown is in the order of the file, so each of its lines is
 * looked for behind the one before; where a line is there several times, that one is taken from which on most is the same.
 */
export function shownLines(file: string, shown: string): ShownLine[] {
  const [whole, part] = [linesOf(file), linesOf(shown)]
  const latest = latestOf(whole, part)
  const lines: ShownLine[] = []
  let at = 0
  for (const [index, text] of part.entries()) {
    const last = latest[index] ?? -1
    if (last === -1) {
      lines.push({ text, is: 'marker' })
      continue
    }
    const found = bestOf(whole, part, { index, from: at, to: last })
    for (const cut of whole.slice(at, found)) lines.push({ text: cut, is: 'cut' })
    const rest = (whole[found] ?? '').slice(text.length)
    lines.push({ text, is: 'shown', ...(rest !== '' && { rest }) })
    at = found + 1
  }
  for (const text of whole.slice(at)) lines.push({ text, is: 'cut' })
  return lines
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Of a long paragraph only the beginning may be shown. */
function isThat(line: string | undefined, shown: string | undefined): boolean {
  if (line === undefined || shown === undefined) return false
  return line === shown || (shown.length > 20 && line.startsWith(shown))
}

/** The last line of the file that each shown line can be, so that those behind it still find theirs; -1 for none. */
function latestOf(whole: readonly string[], part: readonly string[]): number[] {
  const latest: number[] = part.map(() => -1)
  let end = whole.length
  for (let index = part.length - 1; index >= 0; index--) {
    let at = end - 1
    while (at >= 0 && !isThat(whole[at], part[index])) at--
    if (at < 0) continue
    latest[index] = at
    end = at
  }
  return latest
}

/** Lines in a row that are compared at most, and places that are tried. */
const MOST = { run: 30, places: 200 }

function bestOf(
  whole: readonly string[],
  part: readonly string[],
  { index, from, to }: { readonly index: number; readonly from: number; readonly to: number },
): number {
  let best = { at: to, run: 0 }
  let tried = 0
  for (let at = from; at <= to && tried < MOST.places; at++) {
    if (!isThat(whole[at], part[index])) continue
    tried++
    let run = 1
    while (run < MOST.run && isThat(whole[at + run], part[index + run])) run++
    if (run > best.run) best = { at, run }
    if (run === MOST.run) break
  }
  return best.at
}
