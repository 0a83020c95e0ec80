import { lazyPattern } from './wildcards.ts'

/** Columns that a text takes on a terminal: wide characters (CJK, emoji) take two. */
export function displayWidth(text: string): number {
  let columns = 0
  const wide = widePattern()
  for (const character of text) columns += wide.test(character) ? 2 : 1
  return columns
}

const widePattern = lazyPattern(
  String.raw`[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}`,
  'u',
)

const GAP = '  '

/** Rows of cells as lines with aligned columns. `right`: indices of the right-aligned columns. */
export function alignRows(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const count = rows.reduce((widest, row) => Math.max(widest, row.length), 0)
  const widths = Array.from({ length: count }, (_, at) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[at] ?? '')), 0),
  )
  const pad = (cell: string, at: number) => {
    const space = ' '.repeat((widths[at] ?? 0) - displayWidth(cell))
    return right.includes(at) ? space + cell : cell + space
  }
  return rows.map((row) => `${row.map(pad).join(GAP).trimEnd()}\n`).join('')
}
