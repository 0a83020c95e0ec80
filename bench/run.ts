/** Runs the benchmarks, prints each figure beside its limit, and keeps them as JSON. `npm run bench [-- NAME]`. */

import { writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import { growthFigures } from './growth.bench.ts'
import type { Verdict } from './harness.ts'
import { loadContextFigures } from './load-context.bench.ts'
import { writeReport } from './report.ts'
import { startUpFigures } from './start-up.bench.ts'
import { workspaceFigures } from './workspace.bench.ts'

const SUITES: Readonly<Record<string, () => Promise<Verdict[]>>> = {
  'load-context': loadContextFigures,
  workspace: workspaceFigures,
  'start-up': startUpFigures,
  growth: growthFigures,
}

const wanted = process.argv.slice(2)
const names = Object.keys(SUITES).filter((name) => wanted.length === 0 || wanted.includes(name))
let missed = 0
for (const name of names) {
  const verdicts = (await SUITES[name]?.()) ?? []
  for (const verdict of verdicts) console.log(lineOf(verdict))
  missed += verdicts.filter(({ held }) => !held).length
  const machine = {
    node: process.version,
    platform: `${platform()}-${arch()}`,
    cores: cpus().length,
    cpu: cpus()[0]?.model,
  }
  const results = { suite: name, date: new Date().toISOString().slice(0, 10), machine, verdicts }
  writeFileSync(new URL(`results/${name}.json`, import.meta.url), `${JSON.stringify(results, null, 2)}\n`)
}
writeReport()
console.log(missed === 0 ? 'All figures are within their limits.' : `${missed} figures are over their limits.`)
process.exitCode = missed === 0 ? 0 : 1

function lineOf({ figure, value, unit, limit, held, measured, baseline }: Verdict): string {
  const bound = Number.isFinite(limit) ? `(limit ${limit})` : '(no limit)'
  const spread = `${measured.median.toFixed(3)} ms [${measured.min.toFixed(3)}–${measured.max.toFixed(3)}]`
  const beside = baseline ? ` against ${baseline.median.toFixed(3)} ms, ${baseline.name}` : ''
  return `${held ? '✓' : '✗'} ${figure}: ${value.toFixed(2)} ${unit} ${bound}; ${spread}${beside}`
}
