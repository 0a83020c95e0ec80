/** Numbers in the cells of a table, in the notation that the table shows. */

/** What stands before the decimals; undefined where the table shows neither, and `1.234` may be both. */
type DecimalMark = '.' | ','

interface Cells {
  readonly rows: readonly (readonly string[])[]
}

/** A number without its currency and unit: its sign may stand before the currency. */
const CORE = /^(-?)[€$£]?\s*(-?\d[\d.,]*)\s*(?:[%€$£]|[A-Z]{3})?$/

/** What is written around a number and is no part of it: bold type, the mark of a footnote. */
const AROUND = /^[*_`]+|(?<![*_`†‡])[*_`†‡]+$|\[\^?\w{1,3}\]$/g

const SURELY: readonly (readonly [DecimalMark, RegExp])[] = [
  ['.', /^-?(?:\d{1,3}(?:,\d{3})+\.\d+|\d+\.(?:\d{1,2}|\d{4,})|0\.\d+|\d{1,3}(?:,\d{3}){2,})$/],
  [',', /^-?(?:\d{1,3}(?:\.\d{3})+,\d+|\d+,(?:\d{1,2}|\d{4,})|0,\d+|\d{1,3}(?:\.\d{3}){2,})$/],
]

/** `1.234` and `1,234`, which may be more than a thousand or little more than one. */
const EITHER: Readonly<Record<DecimalMark, RegExp>> = { '.': /^-?[1-9]\d{0,2}\.\d{3}$/, ',': /^-?[1-9]\d{0,2},\d{3}$/ }

const WRITTEN: Readonly<Record<DecimalMark, RegExp>> = {
  '.': /^-?\d+(?:,\d{3})*(?:\.\d+)?$/,
  ',': /^-?\d+(?:\.\d{3})*(?:,\d+)?$/,
}

interface Marks {
  readonly table: DecimalMark | undefined
  readonly columns: readonly (DecimalMark | undefined)[]
}

const MARKS = new WeakMap<Cells, Marks>()

/** `,` where cells show it and none shows a point. */
function marksOf(table: Cells): Marks {
  const known = MARKS.get(table)
  if (known) return known
  const shown: Set<DecimalMark>[] = []
  for (const row of table.rows) {
    for (const [at, cell] of row.entries()) {
      const core = coreOf(cell) ?? ''
      const [mark] = SURELY.find(([, pattern]) => pattern.test(core)) ?? []
      if (mark) shown[at] = (shown[at] ?? new Set()).add(mark)
    }
  }
  const columns = Array.from(shown, (marks) => markIn(marks))
  const marks = { table: markIn(columns), columns }
  MARKS.set(table, marks)
  return marks
}

function markIn(marks: Iterable<DecimalMark | undefined> = []): DecimalMark | undefined {
  const all = new Set(marks)
  return all.has('.') ? '.' : all.has(',') ? ',' : undefined
}

/** With a minus where the number is written with one, or in brackets as of debts. */
function coreOf(cell: string): string | undefined {
  const bare = cell
    .trim()
    .replace(AROUND, '')
    .trim()
    .replace(/[−–](?=[€$£]?\d)/, '-')
  const [, inBrackets] = /^\(([^()]+)\)$/.exec(bare) ?? []
  const plain = (inBrackets ?? bare).replace(/(?<=\d)[ \u00a0\u202f\u2009](?=\d{3}(?!\d))/g, '')
  const [, sign = '', core] = CORE.exec(plain) ?? []
  if (core === undefined || (core.startsWith('-') && (sign !== '' || inBrackets !== undefined))) return undefined
  return sign !== '' || inBrackets !== undefined ? `-${core}` : core
}

/**
 * `1,200`, `12.5 %`, `€ 9`; `1.200,50` in a column with such decimals. null for what is not a number, or not plainly one: `1.234`
 * in a table that shows nowhere what its point means.
 */
export function readCellNumber(table: Cells, at: number, cell: string): number | null {
  const core = coreOf(cell)
  if (core === undefined) return null
  const { table: ofTable, columns } = marksOf(table)
  const own = columns[at]
  if (own === undefined && ofTable !== '.' && EITHER[ofTable ?? '.'].test(core)) return null
  return readNumberWith(own ?? ofTable ?? '.', core)
}

function readNumberWith(mark: DecimalMark, core: string): number | null {
  if (!WRITTEN[mark].test(core)) return null
  return Number(mark === '.' ? core.replaceAll(',', '') : core.replaceAll('.', '').replace(',', '.'))
}

/** A number of a question: with thousands or decimals only where no cell of the table writes them otherwise. */
export function readAskedNumber(table: Cells, text: string): number | null {
  if (EITHER['.'].test(text) && marksOf(table).table !== '.') return null
  return marksOf(table).table === ',' && !/^\d+$/.test(text) ? null : readNumberWith('.', text)
}
