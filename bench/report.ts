/** Stores the results of the measuring commands, one file each, and writes the page of figures from them. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import type { Findings, Table, Verdict } from './harness.ts'

/** The results of the last run of a command. */
export interface Results extends Findings {
  readonly suite: string
  /** The command that measures the figures again. */
  readonly command: string
  readonly date: string
  readonly machine: { readonly node: string; readonly platform: string; readonly cores: number; readonly cpu?: string }
}

/** The stored results of one part of the proof. */
interface ProofRecord {
  readonly part: string
  readonly claim: string
  readonly quick?: ProofRun
  readonly full?: ProofRun
}

interface ProofRun {
  readonly date: string
  readonly commit?: string
  readonly seed: number
  readonly figures: Readonly<Record<string, string | number>>
  readonly lost: readonly string[]
}

const ROOT = new URL('../', import.meta.url)
const RESULTS = 'bench/results/'
export const PAGE = 'docs/figures/measurements.md'

/** Maximum number of counts of a part of the proof on the page; `prove/results` has all counts. */
const MOST_COUNTS = 4

/** The suites that come first: they compare Ambit with other tools. */
const FIRST = ['peers', 'search', 'quality', 'task', 'agents', 'reach-repositories', 'start-up', 'program']

/** Maximum rows of a table on the page. Larger tables are only in their file. */
const MOST_ROWS = 20

const HEAD = `# Figures

\`npm run figures\` writes this page from what each command kept last; \`npm run bench\` keeps what it finds with \`--write\`. A section names the command that
measures it again, the day and the machine. What a figure is compared with was measured in the same run, in turn: \`×\` is the median of the ratios of the
pairs. An exponent of 1 means in proportion to the number of files. The limits are the project's own. \`npm run figures -- --since COMMIT\` names what became
better or worse.
`

export function writeFigures(): void {
  writeFileSync(new URL(PAGE, ROOT), pageOfFigures())
}

export function pageOfFigures(): string {
  const placeOf = ({ suite }: Results) => FIRST.indexOf(suite) + 1 || FIRST.length + 1
  const all = recordsOf<Results>(RESULTS).toSorted((one, other) => placeOf(one) - placeOf(other))
  return [HEAD, ...all.map(section), proofSection(recordsOf<ProofRecord>('prove/results/'))].join('\n')
}

function recordsOf<T>(folder: string): readonly T[] {
  const files = readdirSync(new URL(folder, ROOT)).filter((name) => name.endsWith('.json'))
  return files.sort().map((name): T => JSON.parse(readFileSync(new URL(`${folder}${name}`, ROOT), 'utf8')))
}

/** Replaces the stored findings of a suite, and writes the page. */
export function keepResults(suite: string, command: string, findings: Findings): void {
  const machine = {
    node: process.version,
    platform: `${platform()}-${arch()}`,
    cores: cpus().length,
    cpu: cpus()[0]?.model,
  }
  const results = { suite, command, date: today(), machine, ...findings }
  writeFileSync(new URL(`${RESULTS}${suite}.json`, ROOT), `${JSON.stringify(results, null, 2)}\n`)
  writeFigures()
}

/**
 * Adds rows, each with its day, to a table of a suite. A row replaces the row with the same first cells, or is added at the end.
 * Other rows stay.
 *
 * @param keys Number of first cells that identify a row. Default: 1.
 */
export function keepRows(suite: string, command: string, { rows, columns, ...table }: Table, keys = 1): void {
  const path = new URL(`${RESULTS}${suite}.json`, ROOT)
  const kept: Partial<Results> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const { verdicts = [], tables = [] } = kept
  const before = tables.find(({ title }) => title === table.title)?.rows ?? []
  const dated = rows.map((row) => [...row, today()])
  const merged = { ...table, columns: [...columns, 'day'], rows: mergeRows(before, dated, keys) }
  keepResults(suite, command, { verdicts, tables: [...tables.filter(({ title }) => title !== table.title), merged] })
}

export function mergeRows(before: Table['rows'], rows: Table['rows'], keys: number): Table['rows'] {
  const keyOf = (row: readonly string[]) => row.slice(0, keys).join('|')
  return [...new Map([...before, ...rows].map((row) => [keyOf(row), row])).values()]
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/** A suite's section of the page. A note that several tables share is shown under the first. */
export function section({ suite, command, date, machine, verdicts, tables = [] }: Results): string {
  const cpu = machine.cpu === undefined ? '' : `, ${machine.cpu}`
  const head = `## ${suite}

\`${command}\`: ${date}, Node ${machine.node.slice(1)}, ${machine.platform}, ${machine.cores} cores${cpu}.
`
  const notes = tables.map(({ note }) => note)
  const shown = tables.map((table, at) =>
    table.rows.length > MOST_ROWS
      ? `${table.title}: ${table.rows.length} rows in \`${RESULTS}${suite}.json\`.\n`
      : markdownOf(table, notes.indexOf(table.note) === at),
  )
  return [head, ...(verdicts.length > 0 ? [limits(verdicts)] : []), ...shown].join('\n')
}

/** The section of the proof, with the most extensive run of each part. */
export function proofSection(known: readonly ProofRecord[]): string {
  const rows = known.flatMap(({ part, claim, quick, full }) => {
    const run = full ?? quick
    if (!run) return []
    const lost = new Set([...(quick?.lost ?? []), ...(full?.lost ?? [])]).size
    const { lost: _, ...figures } = run.figures
    const tried = Object.entries(figures)
      .slice(0, MOST_COUNTS)
      .map(
        ([name, value]) =>
          `${typeof value === 'number' ? `${value.toLocaleString('en')} ` : ''}${name}${typeof value === 'number' ? '' : `: ${value}`}`,
      )
    const when = [run.date, run.commit, `seed ${run.seed}`].filter(Boolean).join(', ')
    const command = `\`npm run prove -- ${full ? 'full' : 'quick'} ${part}\``
    return [[claim, command, String(lost), tried.join('; '), when]]
  })
  return `## proof

Programs try to break what Ambit promises about data: they kill real processes, cut off real files, and kill the postmaster of a real PostgreSQL. \`npm run prove\`
tries all parts; [what they do not show](../decisions/proof.md).

${markdownOf({ title: 'What was tried', columns: ['promise', 'command', 'lost', 'tried', 'day, commit, seed'], rows }, false)}`
}

function limits(verdicts: readonly Verdict[]): string {
  return `| what | figure | limit | median, and of what in the same run |
| --- | --: | --: | --- |
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
  const median = measured && unit !== 'ms' ? milliseconds(measured.median) : ''
  const against = baseline ? ` over ${milliseconds(baseline.median)}, ${baseline.name}` : ''
  return `| ${figure} | ${shownOf(value, unit)}${held ? '' : ' (missed)'} | ${bound} | ${median}${against} |\n`
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
