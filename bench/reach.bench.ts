import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { monorepo, scratch } from './fixtures.ts'
import { bound, inTurn, medianOf, type Subject, type Verdict } from './harness.ts'

const BIN = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
const DIRECTORIES = 2_000
const CALLS = 1_000
const MB = 1e6

/** One hook call as an agent waits for it, in a repository of 2,000 directories; and what a long session leaves on disk. */
export async function reachFigures(): Promise<Verdict[]> {
  const { root, paths } = monorepo(DIRECTORIES, 500, 0)
  const state = scratch()
  mkdirSync(join(root, '.context'), { recursive: true })
  writeFileSync(join(root, '.context', 'CONVENTIONS.md'), '# Conventions\n\n- Errors have codes.\n')
  const env = { ...process.env, XDG_STATE_HOME: state, AMBIT_DB: join(state, 'none.db') }
  let next = 0
  const path = () => join(paths[next++ % paths.length] ?? root, 'file.ts')
  const call = (command: string) => ({
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command },
  })
  const subject = (name: string, event: () => object, session = () => 'bench'): Subject => ({
    name,
    run: () => hook({ session_id: session(), cwd: root, ...event() }, env),
  })
  let sessions = 0
  try {
    hook({ session_id: 'bench', cwd: root, hook_event_name: 'SessionStart', source: 'startup' }, env)
    const times = await inTurn(
      [
        { name: 'node -e 0', run: () => void spawnSync(process.execPath, ['-e', '0']) },
        subject(
          'session start',
          () => ({ hook_event_name: 'SessionStart', source: 'startup' }),
          () => `start-${sessions++}`,
        ),
        subject('call, new place', () => call(`cat ${path()}`)),
        subject('call, nothing new', () => call(`cat ${join(root, 'README.md')}`)),
        subject('prompt', () => ({ hook_event_name: 'UserPromptSubmit', prompt: 'go on' })),
      ],
      { runs: 31, warmup: 3 },
    )
    const [node = 0, start = 0, fresh = 0, again = 0, prompt = 0] = times.map(medianOf)
    const before = sizeOf(state)
    for (let at = 0; at < CALLS; at++) hook({ session_id: 'long', cwd: root, ...call(`cat ${path()}`) }, env)
    return [
      bound('reach: session start, beyond node -e 0', start - node, { unit: 'ms', limit: 60 }),
      bound('reach: call that touches a new place, beyond node -e 0', fresh - node, { unit: 'ms', limit: 60 }),
      bound('reach: call with nothing new, beyond node -e 0', again - node, { unit: 'ms', limit: 60 }),
      bound('reach: prompt after some thirty places, beyond node -e 0', prompt - node, { unit: 'ms', limit: 60 }),
      bound(`reach: state that ${CALLS} calls of a session add`, (sizeOf(state) - before) / MB, {
        unit: 'MB',
        limit: 1,
      }),
    ]
  } finally {
    rmSync(root, { recursive: true })
    rmSync(state, { recursive: true })
  }
}

function hook(event: object, env: NodeJS.ProcessEnv): void {
  const options = { input: JSON.stringify(event), env, encoding: 'utf8' } as const
  const { status, stderr } = spawnSync(process.execPath, [BIN, 'hook', 'claude'], options)
  if (status !== 0 || stderr !== '') throw new Error(`ambit hook failed: ${stderr}`)
}

/** Bytes of all files below a directory. */
function sizeOf(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
