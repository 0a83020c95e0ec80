import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { promisify } from 'node:util'
import type { CheckFinding, LoadAnswer } from '../../src/context/answers.ts'
import { checkPlace } from '../../src/context/check.ts'
import { loadContext } from '../../src/context/context-dir/load-context.ts'
import { load } from '../../src/context/load.ts'
import { Workspace } from '../../src/context/workspace/workspace.ts'
import { SILENT } from '../../src/core/flow.ts'

import { becomeNobody, nodeForNobody } from '../support/nobody.ts'

/** What is done in a process of its own, where a hang or a crash is a failure and no stuck run. */
interface Jobs {
  /** Loads a place and checks it. Milliseconds of the slower. */
  look: { asked: { place: string; touched?: readonly string[]; nobody?: boolean }; given: Looked & { ms: number } }
  /** Makes so many directories, one in the other. */
  dig: { asked: { place: string; levels: number }; given: null }
  /** Looks at a place after a small one, and is stopped while it looks. Bytes and milliseconds that this takes more. */
  crowd: { asked: { small: string; large: string }; given: Looked & { bytes: number; stopped: readonly number[] } }
  /** Watches AGENTS.md at a place, writes it, and says what the listener then reads, and whether the system told. */
  watch: { asked: { place: string; texts: readonly string[] }; given: { isPolling: boolean; read: readonly string[] } }
}

interface Looked {
  readonly answer: Pick<LoadAnswer, 'files' | 'contexts' | 'ledger' | 'warnings' | 'text' | 'tokenCount'>
  readonly findings: readonly CheckFinding[]
}

const MOST_MS = 60_000

/** Does a job in a process started by the shell after `before`, which may set limits; with half a gigabyte of memory. */
export async function inChild<Name extends keyof Jobs>(
  name: Name,
  asked: Jobs[Name]['asked'],
  before = '',
): Promise<Jobs[Name]['given']> {
  const [node, program] = nodeForNobody(import.meta.filename)
  const script = [node, '--max-old-space-size=512', program, name, JSON.stringify(asked)]
  const options = { cwd: '/', timeout: MOST_MS, killSignal: 'SIGKILL', maxBuffer: 2 ** 28 } as const
  const { stdout } = await promisify(execFile)('sh', ['-c', `${before}\nexec "$0" "$@"`, ...script], options)
  return JSON.parse(stdout)
}

const JOBS: { [Name in keyof Jobs]: (asked: Jobs[Name]['asked']) => Promise<Jobs[Name]['given']> } = {
  async look(asked) {
    if (asked.nobody) becomeNobody()
    return look(asked)
  },

  async crowd({ small, large }) {
    for (let time = 0; time < 5; time++) await look({ place: small })
    const before = memory()
    const looked = await look({ place: large, touched: [`${large}/.context/0`] })
    await loadContext({ rootDir: large, cache: true })
    await loadContext({ rootDir: large, cache: true })
    const bytes = memory() - before
    const stopped = [await stopping(large, 2), await stopping(large, 5), await stopping(large, 10)]
    return { ...looked, bytes, stopped }
  },

  async dig({ place, levels }) {
    process.chdir(place)
    for (let level = 0; level < levels; level++) {
      mkdirSync('directory')
      process.chdir('directory')
    }
    return null
  },

  async watch({ place, texts }) {
    const { writeFileSync } = await import('node:fs')
    const workspace = await Workspace.open({ cwd: place, home: false })
    const read: string[] = []
    let heard: () => void = () => {}
    const watching = await workspace.watch(() => heard())
    for (const text of texts) {
      const told = new Promise<void>((resolve) => {
        heard = resolve
      })
      writeFileSync(`${place}/AGENTS.md`, text)
      await told
      read.push(...(await workspace.relevantContexts()).map(({ content }) => content))
    }
    await watching.close()
    return { isPolling: watching.isPolling, read }
  },
}

async function look({ place, touched = [] }: { place: string; touched?: readonly string[] }) {
  const began = performance.now()
  const { files, contexts, ledger, warnings, text, tokenCount } = await load({ place, touched, home: false }, SILENT)
  JSON.stringify(files)
  const loaded = performance.now()
  const { findings } = await checkPlace({ place, home: false }, SILENT)
  const ms = Math.max(loaded - began, performance.now() - loaded)
  const outlines = files.map(({ name, path, tokenCount }) => ({ name, path, tokenCount }))
  return { answer: { files: outlines, contexts, ledger, warnings, text, tokenCount }, findings, ms }
}

/** The most that this process has held so far. */
function memory(): number {
  return process.resourceUsage().maxRSS * 1024
}

/** Milliseconds from the wish to stop, so long after the start, to the end of both ways to look. */
async function stopping(place: string, after: number): Promise<number> {
  const controller = new AbortController()
  const run = { ...SILENT, signal: controller.signal }
  const looks = [load({ place, home: false }, run), checkPlace({ place, home: false }, run)]
  const wished = await new Promise<number>((resolve) => {
    const due = performance.now() + after
    setTimeout(() => resolve(due), after)
  })
  controller.abort()
  for (const { status } of await Promise.allSettled(looks)) {
    if (status === 'fulfilled') throw new Error('It had come to an end already.')
  }
  return performance.now() - wished
}

if (import.meta.main) {
  const [name = '', asked = ''] = process.argv.slice(2)
  const job = Object.entries(JOBS).find(([known]) => known === name)?.[1] as
    | ((asked: unknown) => Promise<unknown>)
    | undefined
  process.stdout.write(JSON.stringify(await job?.(JSON.parse(asked))))
}
