import { readdirSync, rmSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import { loadContext } from '../src/context/context-dir/load-context.ts'
import { Workspace } from '../src/context/workspace/workspace.ts'
import { bytes4 } from '../src/core/tokens.ts'
import { openRoot } from '../src/files/disk.ts'
import { contextProject, monorepo } from './fixtures.ts'
import { against, inTurn, medianOf, type Subject, timingOf, type Verdict, within } from './harness.ts'

/** Measures a workspace in a monorepo of 10,000 directories, 500 instruction files and 5,000 touched files. */
export async function workspaceFigures(): Promise<Verdict[]> {
  const { root, paths, touched } = monorepo(10_000, 500, 5_000)
  await new Promise((resume) => setTimeout(resume, 100))
  const open = async () => {
    const workspace = await Workspace.open({ cwd: root, home: false })
    for (const path of touched) await workspace.touch(path)
    return workspace
  }
  const [first = []] = await inTurn([{ name: 'first', run: async () => (await open()).relevantContexts() }], {
    runs: 5,
    warmup: 1,
  })

  const workspace = await open()
  const files = await workspace.relevantContexts()
  const fresh = paths.filter((path) => !touched.includes(join(path, 'file.ts')))
  let next = 0
  const [touchTimes = []] = await inTurn(
    [{ name: 'one more touch', run: () => workspace.touch(join(fresh[next++] ?? root, 'new.ts')) }],
    { runs: 200, warmup: 20 },
  )

  await workspace.relevantContexts()
  const known = knownPaths(root, [...touched, ...fresh.slice(0, next).map((path) => join(path, 'new.ts'))])
  const stats = [...known.directories, ...files.map(({ path }) => path)]
  const revalidation = await against(
    'workspace: full revalidation, nothing changed, over the same stats',
    [
      { name: 'relevantContexts', run: () => workspace.relevantContexts() },
      {
        name: `${stats.length} stats`,
        run: () => stats.map((path) => statSync(path, { bigint: true, throwIfNoEntry: false })),
      },
    ],
    { limit: 1.5, runs: 20 },
  )
  rmSync(root, { recursive: true })
  return [
    within('workspace: first relevantContexts, 5,000 touched, 500 found', first, Number.POSITIVE_INFINITY),
    within('workspace: one more touch', touchTimes, 1),
    revalidation,
  ]
}

function knownPaths(root: string, touched: readonly string[]) {
  const directories = new Set([root])
  for (const path of touched) {
    for (let at = join(path, '..'); at.length > root.length; at = join(at, '..')) directories.add(at)
  }
  return { directories: [...directories] }
}

/** Measures how the cost grows with the number of files. An exponent of 1 is linear growth. */
export async function growthFigures(): Promise<Verdict[]> {
  return [
    await exponent(
      'growth: loadContext, 10 → 100 → 1,000 files, all fits',
      [10, 100, 1000],
      contextDirectory(10_000_000),
    ),
    await exponent('growth: loadContext, 10 → 100 → 1,000 files, cut to 8000', [10, 100, 1000], contextDirectory(8000)),
    await exponent('growth: workspace, 50 → 500 → 5,000 directories and files', [50, 500, 5000], async (files) => {
      const { root, touched } = monorepo(files, files, files)
      const run = async () => {
        const workspace = await Workspace.open({ cwd: root, home: false })
        for (const path of touched) await workspace.touch(path)
        await workspace.relevantContexts()
      }
      return { run, root }
    }),
  ]
}

function contextDirectory(tokenBudget: number) {
  return async (files: number) => {
    const root = contextProject(files, files * 4000)
    return { run: () => loadContext({ rootDir: root, tokenBudget }), root }
  }
}

type Prepare = (files: number) => Promise<{ run(): Promise<unknown>; root: string }>

async function exponent(figure: string, sizes: readonly number[], prepare: Prepare): Promise<Verdict> {
  const medians: number[] = []
  let last: readonly number[] = []
  for (const size of sizes) {
    const { run, root } = await prepare(size)
    const [times = []] = await inTurn([{ name: figure, run }], { runs: 5, warmup: 2 })
    medians.push(medianOf(times))
    last = times
    rmSync(root, { recursive: true })
  }
  const [first = 1] = medians
  const value = Math.log10((medians.at(-1) ?? 1) / first) / Math.log10((sizes.at(-1) ?? 1) / (sizes[0] ?? 1))
  return { figure, measured: timingOf(figure, last), value, unit: 'exponent', limit: 1.15, held: value <= 1.15 }
}

const SIZES = [
  { name: 'typical (10 files, 100 KB)', files: 10, bytes: 100_000 },
  { name: 'large (30 files, 400 KB)', files: 30, bytes: 400_000 },
]

/** Enough runs to compile code that takes less than a millisecond, as in a long-running process. */
const STEADY = { warmup: 200, runs: 100 }

/** Parses only the blocks, which is the minimum for any cut by blocks. */
const blocks = new MarkdownIt({ html: true })
blocks.core.ruler.enableOnly(['normalize', 'block'])

export async function loadContextFigures(): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const { name, files, bytes } of SIZES) {
    const root = contextProject(files, bytes)
    // The cache does not trust a file that was just written.
    await new Promise((resume) => setTimeout(resume, 100))
    verdicts.push(...(await figuresOf(name, root)))
    rmSync(root, { recursive: true })
  }
  return verdicts
}

async function figuresOf(name: string, root: string): Promise<Verdict[]> {
  const dir = join(root, '.context')
  const names = readdirSync(dir)
  const max = 1_000_000
  const load = (tokenBudget: number): Subject => ({
    name: `loadContext, budget ${tokenBudget}`,
    run: () => loadContext({ rootDir: root, tokenBudget }),
  })
  // The summary is built when it is first read.
  const printed: Subject = {
    name: 'loadContext, its summary read',
    run: async () => Buffer.byteLength((await loadContext({ rootDir: root, tokenBudget: max })).summary),
  }
  const plain: Subject = {
    name: 'fs.readFile of the same files',
    run: () => Promise.all(names.map((file) => readFile(join(dir, file), 'utf8'))),
  }
  const confined: Subject = { name: 'the same reads through the confined open', run: () => reads(root, dir, names) }
  // The minimum work to print the text: joining it, and counting its tokens.
  const joined: Subject = {
    name: 'those reads, joined to one text and counted',
    run: () => bytes4(reads(root, dir, names).join('')),
  }
  const parsed: Subject = {
    name: 'those reads and one block-level parse',
    run: () => reads(root, dir, names).map((text) => blocks.parse(text, {})),
  }
  const warm: Subject = {
    name: 'loadContext, cache, nothing changed',
    run: () => loadContext({ rootDir: root, cache: true }),
  }
  const stats: Subject = {
    name: 'the same readdir and stat calls',
    run: () => [statSync(dir), ...readdirSync(dir).map((file) => statSync(join(dir, file), { bigint: true }))],
  }
  return [
    await against(`${name}: cold, all fits, over plain reads`, [load(max), plain], { limit: Number.POSITIVE_INFINITY }),
    await against(`${name}: cold, all fits`, [load(max), confined], { limit: 2, ...STEADY }),
    await against(`${name}: cold, all fits, and read, over one text of the reads`, [printed, joined], {
      limit: Number.POSITIVE_INFINITY,
      ...STEADY,
    }),
    await against(`${name}: cold, cut to 8000`, [load(8000), parsed], { limit: 1.5 }),
    await against(`${name}: warm`, [repeatSubject(warm, 20), repeatSubject(stats, 20)], { limit: 1.5, ...STEADY }),
  ]
}

function reads(root: string, dir: string, names: readonly string[]): string[] {
  const opened = openRoot(root)
  return names.map((file) => {
    const read = opened.read(join(dir, file))
    return read.ok ? new TextDecoder().decode(read.bytes) : ''
  })
}

/** Runs a subject several times in one measurement, because it takes only microseconds. */
function repeatSubject({ name, run }: Subject, times: number): Subject {
  return {
    name,
    async run() {
      for (let time = 0; time < times; time++) await run()
    },
  }
}
