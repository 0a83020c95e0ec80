import { readdirSync, rmSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import { loadContext } from '../src/context/context-dir/load-context.ts'
import { bytes4 } from '../src/core/tokens.ts'
import { openRoot } from '../src/files/disk.ts'
import { contextProject } from './fixtures.ts'
import { against, type Subject, type Verdict } from './harness.ts'

const SIZES = [
  { name: 'typical (10 files, 100 KB)', files: 10, bytes: 100_000 },
  { name: 'large (30 files, 400 KB)', files: 30, bytes: 400_000 },
]

/** What takes less than a millisecond is compiled by then, as in a process that goes on. */
const STEADY = { warmup: 200, runs: 100 }

/** Only what tells blocks apart: the least that any cut by blocks has to parse. */
const blocks = new MarkdownIt({ html: true })
blocks.core.ruler.enableOnly(['normalize', 'block'])

export async function loadContextFigures(): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const { name, files, bytes } of SIZES) {
    const root = contextProject(files, bytes)
    // A file that was just written is read again rather than trusted.
    await new Promise((resume) => setTimeout(resume, 100))
    verdicts.push(...(await figuresOf(name, root)))
    rmSync(root, { recursive: true })
  }
  return verdicts
}

async function figuresOf(name: string, root: string): Promise<Verdict[]> {
  const dir = join(root, '.context')
  const names = readdirSync(dir)
  const all = 1_000_000
  const load = (tokenBudget: number): Subject => ({
    name: `loadContext, budget ${tokenBudget}`,
    run: () => loadContext({ rootDir: root, tokenBudget }),
  })
  // The summary is put together when it is first read.
  const printed: Subject = {
    name: 'loadContext, its summary read',
    run: async () => Buffer.byteLength((await loadContext({ rootDir: root, tokenBudget: all })).summary),
  }
  const plain: Subject = {
    name: 'fs.readFile of the same files',
    run: () => Promise.all(names.map((file) => readFile(join(dir, file), 'utf8'))),
  }
  const confined: Subject = { name: 'the same reads through the confined open', run: () => reads(root, dir, names) }
  // What must be done besides to print it: the text is one string, and its size is known.
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
    await against(`${name}: cold, all fits, over plain reads`, [load(all), plain], { limit: Number.POSITIVE_INFINITY }),
    await against(`${name}: cold, all fits`, [load(all), confined], { limit: 2, ...STEADY }),
    await against(`${name}: cold, all fits, and read, over one text of the reads`, [printed, joined], {
      limit: Number.POSITIVE_INFINITY,
      ...STEADY,
    }),
    await against(`${name}: cold, cut to 8000`, [load(8000), parsed], { limit: 1.5 }),
    await against(`${name}: warm`, [repeated(warm, 20), repeated(stats, 20)], { limit: 1.5, ...STEADY }),
  ]
}

function reads(root: string, dir: string, names: readonly string[]): string[] {
  const opened = openRoot(root)
  return names.map((file) => {
    const read = opened.read(join(dir, file))
    return read.ok ? new TextDecoder().decode(read.bytes) : ''
  })
}

/** What takes microseconds is timed by the dozen. */
function repeated({ name, run }: Subject, times: number): Subject {
  return {
    name,
    async run() {
      for (let time = 0; time < times; time++) await run()
    },
  }
}
