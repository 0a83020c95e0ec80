/** Runs the benchmarks, and prints each figure with its limit: `npm run bench [-- NAME] [--write]`. With `--write` it stores them as JSON. */

import { agentFigures } from './agent.bench.ts'
import { catalogFigures } from './catalog.bench.ts'
import { checkFigures } from './check/check.bench.ts'
import { growthFigures, loadContextFigures, workspaceFigures } from './context.bench.ts'
import type { BenchOptions, Findings, Table, Verdict } from './harness.ts'
import { type BenchArguments, parseBenchArguments, USAGE } from './options.ts'
import { packagesFigures } from './packages.bench.ts'
import { peersFigures } from './peers.bench.ts'
import { programFigures, startUpFigures } from './program.bench.ts'
import { qualityFigures } from './quality/quality.bench.ts'
import { reachFigures } from './reach.bench.ts'
import { keepResults, shownOf, writeFigures } from './report.ts'
import { answerFigures } from './research/answers.ts'
import { researchFigures } from './research.bench.ts'
import { scaleFigures } from './scale.bench.ts'
import { searchFigures } from './search/search.bench.ts'
import { secretsFigures } from './secrets.bench.ts'
import { taskFigures } from './task.bench.ts'
import { vectorsFigures } from './vectors.bench.ts'
import { watchFigures } from './watch.bench.ts'
import { webFigures } from './web.bench.ts'

const SUITES: Readonly<Record<string, (options: BenchOptions) => Promise<Findings | Verdict[]>>> = {
  'load-context': loadContextFigures,
  workspace: workspaceFigures,
  watch: watchFigures,
  'start-up': startUpFigures,
  reach: reachFigures,
  growth: growthFigures,
  quality: qualityFigures,
  search: searchFigures,
  check: checkFigures,
  secrets: secretsFigures,
  vectors: vectorsFigures,
  packages: packagesFigures,
  catalog: catalogFigures,
  research: researchFigures,
  answers: async ({ questions }) => (questions === undefined ? [] : answerFigures(questions)),
  agent: agentFigures,
  web: webFigures,
  program: programFigures,
  scale: scaleFigures,
  task: taskFigures,
  peers: peersFigures,
}

/** Runs the suites. Returns the number of figures over their limits. */
async function runSuites({ suites, options, isKept }: BenchArguments): Promise<number> {
  let missed = 0
  for (const suite of Object.keys(SUITES).filter((name) => suites.includes(name))) {
    const found = (await SUITES[suite]?.(options)) ?? []
    const findings: Findings = 'verdicts' in found ? found : { verdicts: found }
    for (const verdict of findings.verdicts) console.log(lineOf(verdict))
    for (const table of findings.tables ?? []) console.log(textOf(table))
    missed += findings.verdicts.filter(({ held }) => !held).length
    // A suite that measured nothing keeps its last figures.
    if (isKept && (findings.verdicts.length > 0 || findings.tables)) keepFindings(suite, findings, options)
  }
  return missed
}

/** Stores findings with the command that measures them again. Folders are left out, because they differ between machines. */
function keepFindings(suite: string, { name = suite, ...findings }: Findings, options: BenchOptions): void {
  const { files, folders, sets, corpus, qmd, peers, questions, isQuick } = options
  const args = [
    ...(folders ? ['DIR…'] : []),
    ...sets.map(() => '--set DIR'),
    ...(corpus === undefined ? [] : ['--corpus DIR']),
    ...(files === undefined ? [] : [`--files ${files}`]),
    ...(qmd === undefined ? [] : ['--qmd DIR']),
    ...(peers === undefined ? [] : ['--peers DIR']),
    ...(questions === undefined ? [] : ['--questions DIR']),
    ...(isQuick ? ['--quick'] : []),
  ]
  keepResults(name, ['npm run bench --', suite, ...args].join(' '), findings)
}

function lineOf({ figure, value, unit, limit, atLeast = false, held, measured, baseline }: Verdict): string {
  const bound = Number.isFinite(limit) ? `(${atLeast ? 'at least' : 'limit'} ${limit})` : '(no limit)'
  const shown = measured === undefined ? shownOf(value, unit) : `${value.toFixed(2)} ${unit}`
  const spread = measured && `${measured.median.toFixed(3)} ms [${measured.min.toFixed(3)}–${measured.max.toFixed(3)}]`
  const beside = baseline ? ` against ${baseline.median.toFixed(3)} ms, ${baseline.name}` : ''
  return `${held ? '✓' : '✗'} ${figure}: ${shown} ${bound}${spread === undefined ? '' : `; ${spread}`}${beside}`
}

/** A table for the terminal, with aligned columns. */
function textOf({ title, note, columns, rows }: Table): string {
  const widths = columns.map((_, at) => Math.max(...[columns, ...rows].map((row) => (row[at] ?? '').length)))
  const lines = [columns, ...rows].map((cells) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  )
  return [`\n${title}`, ...(note === undefined ? [] : [note]), ...lines, ''].join('\n')
}

const wanted = parseBenchArguments(process.argv.slice(2), Object.keys(SUITES))
if ('problem' in wanted) {
  console.error(`${wanted.problem}\n${USAGE}`)
  process.exitCode = 2
} else {
  const missed = await runSuites(wanted)
  if (wanted.isKept) writeFigures()
  console.log(missed === 0 ? 'All figures are within their limits.' : `${missed} figures are over their limits.`)
  if (!wanted.isKept) console.log('No file was changed: --write keeps the figures.')
  process.exitCode = missed === 0 ? 0 : 1
}
