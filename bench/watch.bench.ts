import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { monorepo, write } from './fixtures.ts'
import { bound, type Findings, type Verdict } from './harness.ts'

const CHILD = fileURLToPath(new URL('watch/child.ts', import.meta.url))
const DIRECTORIES = 20_000

/** Number of directories with a file that a workspace watches. */
const FILES = 20_000

interface Figures {
  /** Milliseconds. */
  readonly ready: number
  /** Additional MB for watching. */
  readonly memory: number
  /** Milliseconds of processor time in a minute without changes. */
  readonly minute: number
  /** Milliseconds from a write to the call. */
  readonly latency: number
}

/** Limits for systems with and without watches. `before`: with another package's watcher for each entry, on this machine. */
const SUBJECTS = [
  {
    what: 'collection',
    way: 'watches',
    before: '3.4 s, 506 MB',
    limits: { ready: 5000, memory: 120, minute: 3000, latency: 1000 },
  },
  {
    what: 'collection',
    way: 'polling',
    before: '–',
    limits: { ready: 10_000, memory: 150, minute: 8000, latency: 60_000 },
  },
  {
    what: 'workspace',
    way: 'watches',
    before: '60 s, 1,170 MB',
    limits: { ready: 5000, memory: 120, minute: 1000, latency: 2000 },
  },
  {
    what: 'workspace',
    way: 'polling',
    before: '–',
    limits: { ready: 5000, memory: 120, minute: 8000, latency: 60_000 },
  },
] as const

const UNITS = { ready: 'ms', memory: 'MB', minute: 'ms', latency: 'ms' } as const

const WORDS: Readonly<Record<keyof Figures, string>> = {
  ready: 'until it watches',
  memory: 'memory that it adds',
  minute: 'processor in an idle minute',
  latency: 'until a change is told',
}

/** Measures the cost of watching 20,000 directories: with `ambit watch`, and with a workspace that touched a file in each. */
export async function watchFigures(): Promise<Findings> {
  const { root, paths } = monorepo(DIRECTORIES, 1, 1)
  try {
    const files = paths.slice(0, FILES).map((path) => join(path, 'AGENTS.md'))
    for (const [at, file] of files.entries()) write(file, `# Package ${at}\n`)
    const verdicts: Verdict[] = []
    const rows: string[][] = []
    for (const { what, way, before, limits } of SUBJECTS) {
      const figures = await measureChild([what, way, root], files)
      for (const key of ['ready', 'memory', 'minute', 'latency'] as const) {
        const limit = { unit: UNITS[key], limit: limits[key] }
        verdicts.push(bound(`watch: ${what} by ${way}, ${WORDS[key]}`, figures[key], limit))
      }
      const { ready, memory, minute, latency } = figures
      const numbers = [ready / 1000, memory, minute / 1000, latency / 1000].map((value) => value.toFixed(2))
      rows.push([`${what} by ${way}`, ...numbers, before])
    }
    const columns = ['', 'ready, s', 'memory, MB', 'idle minute, s', 'told after, s', 'ready and memory before']
    return { verdicts, tables: [{ title: 'Watching 20,000 directories', columns, rows }] }
  } finally {
    rmSync(root, { recursive: true })
  }
}

/** Measures in a child process. The files' names go to its stdin, because they are too many for arguments. */
async function measureChild(args: readonly string[], files: readonly string[]): Promise<Figures> {
  const running = promisify(execFile)(process.execPath, [CHILD, ...args])
  running.child.stdin?.end(files.join('\n'))
  return JSON.parse((await running).stdout)
}
