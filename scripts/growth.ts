/** `npm run growth`: how the time of each function that takes a text grows with its length; writes docs/figures/growth.md. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FUNCTIONS, type Growth, growthOf, MOST_EXPONENT, TEXTS } from '../test/text/growth.ts'

const PAPER = join(import.meta.dirname, '..', 'docs', 'figures', 'growth.md')

const HEAD = `# Growth

How the time of each function grows that the main thread calls with a text of any length. \`npm run growth\` gives each of them the texts below, up to 320,000
characters long, and 1,280,000 where the growth is not clear by then. The exponent compares the times of the longest text and of an eighth of it: 1 is in proportion to
the length, 2 is its square. A function passes up to ${MOST_EXPONENT}. The test of the same name is \`test/text/growth-list.test.ts\`, which also fails for a new function that is
not in the list.

| function | highest exponent | of which text | ms of the slowest text | characters |
| --- | --: | --- | --: | --: |
`

interface Measured extends Growth {
  readonly text: string
}

const rows = Object.entries(FUNCTIONS).map(([name, read]) => {
  const all = Object.entries(TEXTS).map(([text, unit]): Measured => ({ text, ...growthOf(read, unit) }))
  const worst = all.reduce((one, other) => (other.exponent > one.exponent ? other : one))
  const slowest = all.reduce((one, other) => (other.ms > one.ms ? other : one))
  if (worst.exponent > MOST_EXPONENT) process.exitCode = 1
  const of = worst.exponent === 1 ? 'any' : worst.text
  const cells = [name, worst.exponent.toFixed(2), of, slowest.ms.toFixed(0), slowest.length.toLocaleString('en')]
  process.stdout.write(`${cells.join(' ')}\n`)
  return `| ${cells.join(' | ')} |\n`
})
const texts = Object.entries(TEXTS).map(
  ([name, unit]) =>
    `| ${name} | \`${JSON.stringify(unit).slice(1, -1).replaceAll('|', '\\|').replaceAll('`', "'")}\` |\n`,
)
writeFileSync(PAPER, `${HEAD}${rows.join('')}\n## Texts\n\n| text | repeated |\n| --- | --- |\n${texts.join('')}`)
