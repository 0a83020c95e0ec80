import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Shape } from './tree.ts'

/** The program: the built one, or where it was installed for a test. */
export const BIN = process.env.AMBIT_TEST_BIN ?? fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))

/** A small project with both faces. */
export const PROJECT: Shape = {
  '.git/': '',
  'AGENTS.md': '# Root\n\nTests first.\n',
  'pkg/api/AGENTS.md': '# API\n\nCheck the token.\n',
  'pkg/api/server.ts': '',
  '.context/CONSTITUTION.md': '# Constitution\n\n- Never log a password.\n',
  '.context/TASKS.md': '# Tasks\n\n- [x] Parse\n- [ ] Measure\n',
}

/**
 * What every program of a test gets from the machine. They share the compiled code: to compile it anew takes most of a short command.
 */
export const SHARED_ENV = { PATH: process.env.PATH ?? '', XDG_CACHE_HOME: process.env.AMBIT_TEST_CACHE ?? '' }

/** How the program is run. */
export interface Running {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

/** Runs the program with a home of its own, so that the machine's user has no say. */
export function ambit(args: readonly string[], { cwd, env = {}, input = '' }: Running) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    cwd,
    encoding: 'utf8',
    input,
    env: { ...SHARED_ENV, HOME: cwd, ...env },
  })
  return { status, stdout, stderr }
}

/** Runs the program while this process goes on: the servers of a test answer it. It is killed after some milliseconds. */
export async function ambitBeside(
  args: readonly string[],
  { cwd, env = {}, ms = 600_000 }: Omit<Running, 'input'> & { readonly ms?: number | undefined },
) {
  const child = spawn(process.execPath, [BIN, ...args], { cwd, env: { ...SHARED_ENV, HOME: cwd, ...env } })
  child.stdin.end()
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  clearTimeout(timer)
  return { status: child.exitCode, stdout, stderr }
}

/** The program as on a terminal: what a person would see, escape sequences and all. */
export function onTerminal(args: readonly string[], { cwd, env = {}, input }: Running) {
  const words = [process.execPath, BIN, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`)
  const { status, stdout } = spawnSync('script', ['-qec', words.join(' '), '/dev/null'], {
    cwd,
    encoding: 'utf8',
    input,
    // A question that nobody answers would wait for ever.
    timeout: 120_000,
    env: { ...SHARED_ENV, HOME: cwd, TERM: 'xterm-256color', ...env },
  })
  return { status, screen: stdout.replaceAll('\r\n', '\n') }
}
