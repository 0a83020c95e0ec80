import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { scratch } from './fixtures.ts'
import { bound, type Findings, medianOf, timingOf, type Verdict } from './harness.ts'
import { type ReadCost, WAYS, type Way } from './packages/reader.ts'
import { randomOf } from './random.ts'

const ENTRIES = 1_000_000
const RUNS = 3
const MIB = 1 << 20
const JUMBLED = 'top hash and totals, out of order'

interface ReadSubject {
  readonly name: string
  readonly way: Way
  readonly path: string
}

/** Measures the time and memory for reading a manifest of a million entries, compared with reading only its bytes. */
export async function packagesFigures(): Promise<Findings> {
  const root = scratch()
  const [sorted, jumbled] = [join(root, 'sorted'), join(root, 'jumbled')]
  writeManifest(sorted, false)
  writeManifest(jumbled, true)
  const subjects = (Object.keys(WAYS) as Way[]).map((way): ReadSubject => ({ name: way, way, path: sorted }))
  const costs = inTurn([...subjects, { name: JUMBLED, way: 'top hash and totals', path: jumbled }])
  rmSync(root, { recursive: true })
  const rows = [...costs].map(([name, runs]) => [name, formatCount(timeOf(runs)), formatCount(peakOf(runs))])
  const note = 'Milliseconds, and peak MiB of a separate process, Node included. Medians of 3 runs.'
  return {
    verdicts: verdictsOf(costs),
    tables: [{ title: 'A manifest of 1,000,000 entries', note, columns: ['way', 'ms', 'MiB'], rows }],
  }
}

function verdictsOf(costs: ReadonlyMap<string, readonly ReadCost[]>): Verdict[] {
  const of = (name: string) => costs.get(name) ?? []
  const ours = of('top hash and totals')
  const parsed = of('JSON.parse of each line')
  const figure = 'packages: top hash of 1,000,000 entries'
  return [
    {
      ...ratio(`${figure} over JSON.parse of each line`, ours, parsed),
      limit: 4,
      held: timeOf(ours) <= 4 * timeOf(parsed),
    },
    bound(`${figure}: peak of memory`, peakOf(ours), { unit: 'MB', limit: 300 }),
    bound('packages: a directory of 1,000,000 entries: peak of memory', peakOf(of('a directory')), {
      unit: 'MB',
      limit: 300,
    }),
    bound('packages: a difference of 1,000,000 entries: peak of memory', peakOf(of('a difference')), {
      unit: 'MB',
      limit: 400,
    }),
  ]
}

function ratio(figure: string, ours: readonly ReadCost[], theirs: readonly ReadCost[]) {
  const times = (all: readonly ReadCost[]) => all.map(({ milliseconds }) => milliseconds)
  return {
    figure,
    measured: timingOf('top hash and totals', times(ours)),
    baseline: timingOf('JSON.parse of each line', times(theirs)),
    value: timeOf(ours) / timeOf(theirs),
    unit: '×' as const,
  }
}

/** Runs the readings in turn, so that a change of the machine affects all of them. */
function inTurn(readings: readonly ReadSubject[]): ReadonlyMap<string, readonly ReadCost[]> {
  const reader = join(import.meta.dirname, 'packages', 'reader.ts')
  const costs = new Map(readings.map(({ name }): [string, ReadCost[]] => [name, []]))
  for (let round = 0; round < RUNS; round++)
    for (const { name, way, path } of readings) {
      const printed = execFileSync(process.execPath, [reader, way, path], { encoding: 'utf8' })
      costs.get(name)?.push(JSON.parse(printed))
    }
  return costs
}

function timeOf(runs: readonly ReadCost[]): number {
  return medianOf(runs.map(({ milliseconds }) => milliseconds))
}

function peakOf(runs: readonly ReadCost[]): number {
  return medianOf(runs.map(({ peak }) => peak)) / MIB
}

function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en')
}

/** Writes a manifest as the format's tools do, with hashes, versions and some metadata, in folders of 1,000 entries. */
function writeManifest(path: string, isJumbled: boolean): void {
  const file = openSync(path, 'w')
  writeSync(file, '{"version": "v0", "message": "bench", "user_meta": {"n": 1.0}}\n')
  const random = randomOf(1)
  let block = ''
  for (let index = 0; index < ENTRIES; index++) {
    // Multiplication by a prime gives each number once, in another order.
    const number = isJumbled ? (index * 7_919) % ENTRIES : index
    block += `${entryOf(number, random)}\n`
    if (block.length < MIB) continue
    writeSync(file, block)
    block = ''
  }
  writeSync(file, block)
  closeSync(file)
}

function entryOf(number: number, random: () => number): string {
  const [folder, name] = [Math.floor(number / 1000), number % 1000].map((part) => String(part).padStart(4, '0'))
  const key = `data/run-${folder}/sample_${name}.parquet`
  const hash = createHash('sha256').update(key).digest('hex')
  const size = Math.floor(random() * 1e9)
  return `{"logical_key": "${key}", "physical_keys": ["s3://bucket/${key}?versionId=${hash.slice(0, 32)}"], "size": ${size}, "hash": {"type": "SHA256", "value": "${hash}"}, "meta": {"user_meta": {"sample": ${number}}}}`
}
