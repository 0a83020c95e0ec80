/** Writes docs/figures/measurements.md from the kept results, so that the paper says what was measured. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Findings, Table, Verdict } from './harness.ts'

/** What is kept of one run of a suite. */
export interface Results extends Findings {
  readonly suite: string
  readonly date: string
  readonly machine: { readonly node: string; readonly platform: string; readonly cores: number; readonly cpu?: string }
}

const RESULTS = new URL('results/', import.meta.url)
const PAPER = new URL('../docs/figures/measurements.md', import.meta.url)

const HEAD = `# Measurements

\`npm run bench\` measures each figure and its baseline in turn, in one run, and writes this page from \`bench/results/\`. A
figure with \`×\` is the median of the ratios of the pairs. An exponent of 1 means in proportion to the number of files. The
limits are the project's own.
`

export function writeReport(): void {
  const files = readdirSync(RESULTS).filter((name) => name.endsWith('.json'))
  const all = files.sort().map((name): Results => JSON.parse(readFileSync(new URL(name, RESULTS), 'utf8')))
  writeFileSync(PAPER, [HEAD, ...all.map(section)].join('\n'))
}

/** A suite's part of the paper. A note that several tables share stands under the first. */
export function section({ suite, date, machine, verdicts, tables = [] }: Results): string {
  const head = `## ${suite}

${date}, Node ${machine.node.slice(1)}, ${machine.platform}, ${machine.cores} cores.
`
  const notes = tables.map(({ note }) => note)
  const shown = tables.map((table, at) => markdownOf(table, notes.indexOf(table.note) === at))
  return [head, ...(verdicts.length > 0 ? [limits(verdicts)] : []), ...shown].join('\n')
}

function limits(verdicts: readonly Verdict[]): string {
  return `| what | figure | limit | median | against |
| --- | --: | --: | --: | --- |
${verdicts.map(row).join('')}`
}

function markdownOf({ title, note, columns, rows }: Table, hasNote: boolean): string {
  const rule = columns.map((_, index) => (index === 0 ? '---' : '--:'))
  const lines = [columns, rule, ...rows].map((cells) => `| ${cells.map(escaped).join(' | ')} |\n`)
  return `### ${title}\n\n${note === undefined || !hasNote ? '' : `${note}\n\n`}${lines.join('')}`
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|')
}

function row({ figure, value, unit, limit, atLeast = false, held, measured, baseline }: Verdict): string {
  const bound = limit === null || !Number.isFinite(limit) ? '' : `${atLeast ? '≥ ' : ''}${limit}`
  const median = measured ? milliseconds(measured.median) : ''
  const against = baseline ? `${milliseconds(baseline.median)}: ${baseline.name}` : ''
  return `| ${figure} | ${shownOf(value, unit)}${held ? '' : ' (missed)'} | ${bound} | ${median} | ${against} |\n`
}

/** A value with its unit, short. */
export function shownOf(value: number, unit: Verdict['unit']): string {
  if (unit === 'ms') return milliseconds(value)
  if (unit === 'MB') return `${value.toFixed(value < 10 ? 1 : 0)} MB`
  if (unit === 'files/s' || unit === 'count') return `${Math.round(value)}${unit === 'count' ? '' : ' files/s'}`
  return unit === 'score' ? value.toFixed(3) : `${value.toFixed(2)}${unit === '×' ? ' ×' : ''}`
}

export function milliseconds(value: number): string {
  return `${value < 10 ? value.toPrecision(2) : Math.round(value)} ms`
}
