/**
 * Mutation testing: changes one line of the product in a copy, runs its tests, and counts how many changes the tests notice.
 * Records the figures. Ends with 1 if the tests notice fewer than 90 of 100 changes. Some changes do not alter what the program
 * does.
 *
 * `npm run mutate -- [ROOM…] [--most N] [--seed N] [--minutes N] [--fresh]`. A room is a folder of src, whose tests are those
 * of the same folder of test, with its recorded calls. "anywhere": all rooms, and all tests of the quick tier. "by-hand": the
 * changes of mutation/by-hand.ts.
 *   --most     maximum number of changes in each room, drawn at random; default 40
 *   --seed     seed of the draw; default 1
 *   --minutes  stop after this time; the next run continues, and repeats the changes that survived
 *   --fresh    forget the results of earlier runs
 */

import { execFileSync, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { sampleOf } from '../bench/random.ts'
import { keepResults, keepRows } from '../bench/report.ts'
import { HAND_MADE, type HandMadeChange } from './mutation/by-hand.ts'
import { type Mutant, mutantsOf } from './mutation/mutants.ts'

const ROOT = resolve(import.meta.dirname, '..')
const BY_HAND = 'by-hand'
const STATE = join(ROOT, '.cache', 'mutation.json')

/**
 * Time limit of tests with a change: a multiple of their time without the change, plus `more` milliseconds. Tests that
 * take longer hang because of the change.
 */
const TIME_LIMIT = { times: 4, more: 20_000 }

/** Minimum share of changes that the tests must notice. */
const MIN_SHARE = 0.9

const ANYWHERE = 'anywhere'

/** Changes that were noticed, by room and draw. */
type Noticed = Record<string, string[]>

const OPTIONS = {
  most: { type: 'string', default: '40' },
  seed: { type: 'string', default: '1' },
  minutes: { type: 'string', default: 'Infinity' },
  fresh: { type: 'boolean', default: false },
} as const

function isWanted(name: string): boolean {
  return positionals.length === 0 || positionals.includes(name)
}

/** Tries the changes that people chose. The tests must notice each of them. */
async function tryHandMade(): Promise<void> {
  const remaining = HAND_MADE.filter(({ change }) => !noticed[BY_HAND]?.includes(change))
  const tests = [...new Set(remaining.map(({ test }) => test))]
  if (tests.length > 0 && !(await passes(tests, { isLong: true, isShown: true })))
    throw new Error(`The tests of ${BY_HAND} fail without any change.`)
  const tried: { readonly made: HandMadeChange; readonly isNoticed: boolean }[] = []
  for (const made of HAND_MADE) {
    const known = noticed[BY_HAND] ?? []
    const isNoticed =
      known.includes(made.change) || !(await withEdits(made.edits, () => passes([made.test], { isLong: true })))
    if (isNoticed) keepState(BY_HAND, [...new Set([...known, made.change])])
    tried.push({ made, isNoticed })
    process.stdout.write(`${isNoticed ? 'noticed' : 'survives'}: ${made.change}\n`)
    if (!isNoticed) process.exitCode = 1
  }
  keepHandMade(tried)
}

function readState(): Noticed {
  try {
    return JSON.parse(readFileSync(STATE, 'utf8'))
  } catch {
    return {}
  }
}

function copyProject(): void {
  const excluded = new Set(
    ['node_modules', '.git', '.cache', '.site', 'coverage', 'test-output'].map((name) => join(ROOT, name)),
  )
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !excluded.has(path) })
  // Links the files, not the directory: processes that read documents may not read outside of the copy.
  execFileSync('cp', ['-al', join(ROOT, 'node_modules'), join(copy, 'node_modules')])
  // Tests run programs as another user. If that user cannot enter the copy, each test run copies what the programs need.
  chmodSync(copy, 0o755)
}

/** Tries the changes of a room. Undefined if the time is over. */
async function scoreOf(name: string): Promise<MutationScore | undefined> {
  const all = globSync(name === ANYWHERE ? 'src/**/*.ts' : `src/${name}/**/*.ts`, { cwd: copy })
    .sort()
    .flatMap((path) =>
      mutantsOf(readFileSync(join(copy, path), 'utf8')).map((mutant): PlacedMutant => ({ path, ...mutant })),
    )
  const timeLimit = name === ANYWHERE ? undefined : await timeLimitOf(name)
  const known = new Set(noticed[`${name} ${seed}`])
  const score = { name, all: all.length, seed, killed: 0, survivors: [] as PlacedMutant[] }
  for (const mutant of sampleOf(all, most, seed)) {
    const key = `${mutant.path}: ${mutant.before.trim()} → ${mutant.after.trim()}`
    if (!known.has(key)) process.stdout.write(`${key}\n`)
    if (known.has(key) || !(await survives(mutant, name === ANYWHERE, timeLimit))) {
      known.add(key)
      keepState(`${name} ${seed}`, [...known])
      score.killed++
    } else {
      score.survivors.push(mutant)
      process.stdout.write(
        `survives: ${mutant.path}:${mutant.line}\n  - ${mutant.before.trim()}\n  + ${mutant.after.trim()}\n`,
      )
    }
    if (performance.now() > until) {
      process.stdout.write(`${name}: ${score.killed} noticed so far; run it again\n`)
      return undefined
    }
  }
  process.stdout.write(
    `${name}: ${score.killed} of ${score.killed + score.survivors.length} noticed, of ${all.length}\n`,
  )
  return score
}

function keepState(draw: string, changes: string[]): void {
  noticed[draw] = changes
  mkdirSync(dirname(STATE), { recursive: true })
  // Another process may try another room at the same time.
  writeFileSync(STATE, JSON.stringify({ ...readState(), [draw]: changes }, null, 1))
}

function shareOf({ killed, survivors }: MutationScore): number {
  return killed / Math.max(1, killed + survivors.length)
}

/** Milliseconds that the tests of a room may take with a change. */
async function timeLimitOf(room: string): Promise<number> {
  const began = performance.now()
  if (!(await passes(testsOf(room), { isShown: true })))
    throw new Error(`The tests of ${room} fail without any change.`)
  return (performance.now() - began) * TIME_LIMIT.times + TIME_LIMIT.more
}

/** The tests of a room, and of its recorded calls. */
function testsOf(room: string): string[] {
  return [`test/${room}/`, `test/contract/${room}.test.ts`].filter((path) => existsSync(join(copy, path)))
}

/**
 * Whether no test notices a change. Runs the tests of its room; if they notice nothing, `isEvery` runs all tests of the quick
 * tier.
 */
async function survives({ path, line, after }: PlacedMutant, isEvery: boolean, timeLimit?: number): Promise<boolean> {
  const file = join(copy, path)
  const source = readFileSync(file, 'utf8')
  const lines = source.split('\n').with(line - 1, after)
  const tests = testsOf(path.split('/')[1] ?? '')
  writeFileSync(file, lines.join('\n'))
  try {
    if (tests.length > 0 && !(await passes(tests, { timeLimit }))) return false
    return !isEvery || (await passes([], { timeLimit }))
  } finally {
    writeFileSync(file, source)
  }
}

async function withEdits<Value>(edits: HandMadeChange['edits'], work: () => Promise<Value>): Promise<Value> {
  const sources = edits.map(([path]) => [join(copy, path), readFileSync(join(copy, path), 'utf8')] as const)
  for (const [path, before, after] of edits) {
    const file = join(copy, path)
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(before, () => after),
    )
  }
  try {
    return await work()
  } finally {
    for (const [file, source] of sources) writeFileSync(file, source)
  }
}

interface TestRun {
  /** Milliseconds after which the tests and their processes are killed, and count as failed. Default: the limits of the tests. */
  readonly timeLimit?: number | undefined
  /** Whether to run the tests of the long tier as well. */
  readonly isLong?: boolean
  /** Whether to show the output of the tests. */
  readonly isShown?: boolean
}

/** Whether the tests pass. An empty list: all tests of the tier. */
async function passes(
  tests: readonly string[],
  { timeLimit, isLong = false, isShown = false }: TestRun = {},
): Promise<boolean> {
  const vitest = join(copy, 'node_modules', 'vitest', 'vitest.mjs')
  const tier = isLong ? ['--mode', 'long'] : ['--tags-filter=!long']
  const project = tests.length > 0 ? ['--project', 'unit'] : []
  const argv = [vitest, 'run', ...project, '--bail', '1', '--reporter', 'dot', ...tier, ...tests]
  const stdio: StdioOptions = isShown ? 'inherit' : ['ignore', 'ignore', 'pipe']
  const child = spawn(process.execPath, argv, { cwd: copy, stdio, detached: true })
  const killTimer =
    timeLimit === undefined ? undefined : setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), timeLimit)
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [code] = await once(child, 'close')
  clearTimeout(killTimer)
  // The reader sees whether the change or a busy machine made a test fail.
  const failed = output.split('\n').filter((line) => /^ *(?:FAIL|\w*Error:)/.test(stripVTControlCharacters(line)))
  for (const line of failed.slice(0, 2)) process.stdout.write(`  ${line.trim().slice(0, 200)}\n`)
  return code === 0
}

interface PlacedMutant extends Mutant {
  readonly path: string
}

/** The result of the changes in a room. */
interface MutationScore {
  readonly name: string
  /** How many changes are possible. */
  readonly all: number
  readonly seed: number
  readonly killed: number
  readonly survivors: readonly PlacedMutant[]
}

function keepScore({ name, all, seed, killed, survivors }: MutationScore): void {
  const tried = killed + survivors.length
  const share = `${Math.round((100 * killed) / Math.max(1, tried))} %`
  const survivorTexts = survivors.map(
    ({ path, line, before, after }) => `${path}:${line} ${before.trim()} → ${after.trim() || 'nothing'}`,
  )
  const cells = [name, String(all), `${tried}, seed ${seed}`, `${killed}, ${share}`, survivorTexts.join('; ') || 'none']
  keepRows('mutation', 'npm run mutate', { ...ROOMS, rows: [cells] })
}

const ROOMS = {
  title: 'Lines changed one at a time',
  note: 'After some changes that survive the program does the same, so 90 of 100 pass.',
  columns: ['room', 'possible changes', 'drawn', 'noticed by a test', 'survive'],
}

function keepHandMade(tried: readonly { readonly made: HandMadeChange; readonly isNoticed: boolean }[]): void {
  const rows = tried.map(({ made: { change, test }, isNoticed }) => [change, isNoticed ? test : 'survives'])
  keepResults('mutation-by-hand', 'npm run mutate -- by-hand', {
    verdicts: [],
    tables: [{ title: 'Protections taken away', columns: ['change', 'noticed by'], rows }],
  })
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS })
const [most, seed, until] = [
  Number(values.most),
  Number(values.seed),
  performance.now() + Number(values.minutes) * 60e3,
]
const noticed: Noticed = values.fresh ? {} : readState()
const copy = mkdtempSync(join(tmpdir(), 'ambit-mutation-'))
try {
  copyProject()
  if (isWanted(BY_HAND)) await tryHandMade()
  for (const name of [...readdirSync(join(ROOT, 'src')), ANYWHERE]) {
    if (!isWanted(name) || name.endsWith('.ts')) continue
    const score = await scoreOf(name)
    if (!score) break
    keepScore(score)
    if (shareOf(score) < MIN_SHARE) process.exitCode = 1
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
