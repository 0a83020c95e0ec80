import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openWith } from '../src/open.ts'
import { hook } from '../src/surfaces/hook/hook.ts'
import { BIN, monorepo, scratch, sizeBelow } from './fixtures.ts'
import { type BenchOptions, bound, type Findings, inTurn, medianOf, type Subject, type Verdict } from './harness.ts'
import { reachOfRepositories } from './reach-repositories.ts'

const DIRECTORIES = 2_000
const CALLS = 1_000
const MB = 1e6

/** A script for a process: writes its processor time in microseconds to descriptor 3. */
const CLOCK = `process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  require('node:fs').writeSync(3, String(user + system))
})`

/**
 * With folders of repositories, measures which of their instruction files reach each agent. Otherwise measures one hook call,
 * in a repository of 2,000 directories: wall time, and processor time, which depends little on other work of the machine. Also
 * measures what a long session leaves on disk.
 */
export async function reachFigures({ folders }: BenchOptions): Promise<Findings> {
  return folders
    ? { verdicts: [], tables: [await reachOfRepositories(folders)], name: 'reach-repositories' }
    : { verdicts: await hookFigures() }
}

async function hookFigures(): Promise<Verdict[]> {
  const { root, paths } = monorepo(DIRECTORIES, 500, 0)
  const [state, clock] = [scratch(), join(root, 'clock.cjs')]
  mkdirSync(join(root, '.context'))
  writeFileSync(join(root, '.context', 'CONVENTIONS.md'), '# Conventions\n\n- Errors have codes.\n')
  writeFileSync(clock, CLOCK)
  let next = 0
  const processorMs: Record<string, number[]> = {}
  const runNode = (name: string, args: readonly string[], input = '') => {
    const stdio = ['pipe', 'pipe', 'pipe', 'pipe'] as const
    const env = { ...process.env, XDG_STATE_HOME: state, AMBIT_DB: join(state, 'none.db') }
    const { status, output } = spawnSync(process.execPath, ['-r', clock, ...args], {
      input,
      env,
      stdio: [...stdio],
      encoding: 'utf8',
    })
    if (status !== 0 || output[2] !== '') throw new Error(`${name} failed: ${output[2]}`)
    processorMs[name] = [...(processorMs[name] ?? []), Number(output[3]) / 1000]
  }
  const hookSubject = (name: string, event: () => object): Subject => ({
    name,
    run: () => runNode(name, [BIN, 'hook', 'claude'], JSON.stringify({ session_id: 's', cwd: root, ...event() })),
  })
  const fresh = () => callOn(join(paths[next++ % paths.length] ?? root, 'file.ts'))
  try {
    const subjects = [
      { name: 'node -e 0', run: () => runNode('node -e 0', ['-e', '0']) },
      hookSubject('session start', () => ({
        hook_event_name: 'SessionStart',
        source: 'startup',
        session_id: `s${next++}`,
      })),
      hookSubject('call that touches a new place', fresh),
      hookSubject('call with nothing new', () => callOn(join(root, 'README.md'))),
      hookSubject('prompt', () => ({ hook_event_name: 'UserPromptSubmit', prompt: 'go on' })),
    ]
    const times = await inTurn(subjects, { runs: 31, warmup: 3 })
    const grown = await growthOf(CALLS, { root, fresh })
    const medians = subjects.map(({ name }, at) => ({
      name,
      wall: medianOf(times[at] ?? []),
      work: medianOf(processorMs[name] ?? []),
    }))
    const [bare, ...hooks] = medians
    return [
      ...hooks.map(({ name, wall }) =>
        bound(`reach: ${name}, beyond node -e 0`, wall - (bare?.wall ?? 0), { unit: 'ms', limit: 60 }),
      ),
      ...hooks.map(({ name, work }) =>
        bound(`reach: ${name}, of the processor, beyond node -e 0`, work - (bare?.work ?? 0), {
          unit: 'ms',
          limit: 60,
        }),
      ),
      bound(`reach: state that ${CALLS} calls of a session add`, grown / MB, { unit: 'MB', limit: 1 }),
    ]
  } finally {
    for (const directory of [root, state]) rmSync(directory, { recursive: true })
  }
}

function callOn(path: string): object {
  return { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command: `cat ${path}` } }
}

/** Bytes that the calls of one session leave on disk. Each call names another place. */
async function growthOf(calls: number, { root, fresh }: { readonly root: string; fresh(): object }): Promise<number> {
  const state = scratch()
  const config = { state, home: false as const, db: join(state, 'none.db'), file: undefined, unknown: [] }
  const silent = { write: () => {} }
  for (let at = 0; at < calls; at++) {
    const input = async () => JSON.stringify({ session_id: 'long', cwd: root, ...fresh() })
    await hook({ agent: 'claude', debug: false, open: async () => openWith(config), input, out: silent, err: silent })
  }
  const bytes = sizeBelow(state)
  rmSync(state, { recursive: true })
  if (bytes === 0) throw new Error('The hooks stored nothing.')
  return bytes
}
