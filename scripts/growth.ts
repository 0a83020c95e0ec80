/**
 * `npm run growth` measures how the time of each function that takes a text grows with the length of the text. Records the
 * figures.
 */

import { bound } from '../bench/harness.ts'
import { keepResults } from '../bench/report.ts'
import { FUNCTIONS, type Growth, growthOf, MOST_EXPONENT, TEXTS } from '../test/text/growth.ts'

const COLUMNS = ['function', 'highest exponent', 'of which text', 'ms of the slowest text', 'characters']

interface MeasuredText extends Growth {
  readonly text: string
}

const rows = Object.entries(FUNCTIONS).map(([name, read]) => {
  const all = Object.entries(TEXTS).map(([text, unit]): MeasuredText => ({ text, ...growthOf(read, unit) }))
  const worst = all.reduce((one, other) => (other.exponent > one.exponent ? other : one))
  const slowest = all.reduce((one, other) => (other.ms > one.ms ? other : one))
  if (worst.exponent > MOST_EXPONENT) process.exitCode = 1
  const worstText = worst.exponent === 1 ? 'any' : worst.text
  const cells = [name, worst.exponent.toFixed(2), worstText, slowest.ms.toFixed(0), slowest.length.toLocaleString('en')]
  process.stdout.write(`${cells.join(' ')}\n`)
  return { cells, exponent: worst.exponent }
})
const highest = Math.max(...rows.map(({ exponent }) => exponent))
keepResults('growth-of-texts', 'npm run growth', {
  verdicts: [
    bound(`growth: highest exponent of ${rows.length} functions that take a text of any length`, highest, {
      unit: 'exponent',
      limit: MOST_EXPONENT,
    }),
  ],
  tables: [{ title: 'Growth of each function', columns: COLUMNS, rows: rows.map(({ cells }) => cells) }],
})
