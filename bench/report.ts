/** Writes docs/guides/measurements.md from the kept results, so that the paper says what was measured. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Verdict } from './harness.ts'

interface Results {
  readonly suite: string
  readonly date: string
  readonly machine: { readonly node: string; readonly platform: string; readonly cores: number; readonly cpu?: string }
  readonly verdicts: readonly Verdict[]
}

const RESULTS = new URL('results/', import.meta.url)
const PAPER = new URL('../docs/guides/measurements.md', import.meta.url)

const HEAD = `# Measurements

\`npm run bench\` times each figure beside its baseline, in turn and in one run, and writes this page from
\`bench/results/\`. A figure with \`×\` is the median of the ratios of the pairs; an exponent of 1 means in proportion to the
number of files. The limits are the ones the project holds itself to.
`

export function writeReport(): void {
  const files = readdirSync(RESULTS).filter((name) => name.endsWith('.json'))
  const all = files.sort().map((name): Results => JSON.parse(readFileSync(new URL(name, RESULTS), 'utf8')))
  writeFileSync(PAPER, [HEAD, ...all.map(section)].join('\n'))
}

function section({ suite, date, machine, verdicts }: Results): string {
  const rows = verdicts.map(row)
  return `## ${suite}

${date}, Node ${machine.node.slice(1)}, ${machine.platform}, ${machine.cores} cores.

| what | figure | limit | median | against |
| --- | --: | --: | --: | --- |
${rows.join('')}`
}

function row({ figure, value, unit, limit, held, measured, baseline }: Verdict): string {
  const bound = limit === null || !Number.isFinite(limit) ? '' : `${limit}`
  const against = baseline ? `${milliseconds(baseline.median)}: ${baseline.name}` : ''
  const shown = unit === 'ms' ? milliseconds(value) : `${value.toFixed(2)}${unit === '×' ? ' ×' : ''}`
  return `| ${figure} | ${shown}${held ? '' : ' (missed)'} | ${bound} | ${milliseconds(measured.median)} | ${against} |\n`
}

function milliseconds(value: number): string {
  return `${value < 10 ? value.toPrecision(2) : Math.round(value)} ms`
}
