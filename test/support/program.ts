import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
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

/** The values of lines of JSON. */
export const jsonLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** What a program came to. */
export type Finished = ReturnType<typeof ambit>

/** Runs command lines, and says on both ends what each came to. */
const IN_TURN = `
const { writeSync } = require('node:fs')
const { main } = require(process.argv[1])
const run = async () => {
  for (const argv of JSON.parse(process.argv[2])) {
    await main(argv)
    for (const end of [1, 2]) writeSync(end, '\\n@@ ' + process.exitCode + '\\n')
  }
  process.exitCode = 0
}
run()`

type Settled = Omit<Running, 'input'>

const wordsInTurn = (lines: readonly (readonly string[])[]) => [
  '--eval',
  IN_TURN,
  join(dirname(BIN), 'main.js'),
  JSON.stringify(lines),
]

const settledEnv = ({ cwd, env = {} }: Settled) => ({
  ...SHARED_ENV,
  NODE_COMPILE_CACHE: SHARED_ENV.XDG_CACHE_HOME,
  HOME: cwd,
  ...env,
})

function splitTurns(count: number, stdout: string, stderr: string): readonly Finished[] {
  const [out = [], err = []] = [stdout, stderr].map((all) => all.split(/\n@@ (\d+)\n/))
  if (out.length !== 2 * count + 1) throw new Error(`The program ended early: ${stdout}${stderr}`)
  return Array.from({ length: count }, (_, at) => ({
    status: Number(out[2 * at + 1]),
    stdout: out[2 * at] ?? '',
    stderr: err[2 * at] ?? '',
  }))
}

/**
 * Runs command lines one after the other in one process of the program: the start of a process takes many times what they do.
 * For what neither reads stdin nor is about the process.
 */
export function ambitInTurn(lines: readonly (readonly string[])[], running: Settled): readonly Finished[] {
  const { stdout, stderr } = spawnSync(process.execPath, wordsInTurn(lines), {
    cwd: running.cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    env: settledEnv(running),
  })
  return splitTurns(lines.length, stdout, stderr)
}

/** The same while this process goes on: the servers of a test answer it. */
export async function ambitInTurnBeside(
  lines: readonly (readonly string[])[],
  running: Settled,
): Promise<readonly Finished[]> {
  const child = spawn(process.execPath, wordsInTurn(lines), { cwd: running.cwd, env: settledEnv(running) })
  child.stdin.end()
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return splitTurns(lines.length, stdout, stderr)
}

/** Starts the program. What it says is gathered; `ended`: with how it ended. Its input stays open. */
export function startAmbit(args: readonly string[], { cwd, env = {} }: Settled) {
  const child = spawn(process.execPath, [BIN, ...args], { cwd, env: { ...SHARED_ENV, HOME: cwd, ...env } })
  const said = { stdout: '', stderr: '' }
  for (const end of ['stdout', 'stderr'] as const)
    child[end].on('data', (part) => Object.assign(said, { [end]: said[end] + part }))
  const ended = once(child, 'close').then(([status, signal]) => ({ status: status as number | null, signal, ...said }))
  return { child, said, ended }
}

/** Runs the program while this process goes on: the servers of a test answer it. It is killed after some milliseconds. */
export async function ambitBeside(
  args: readonly string[],
  { ms = 600_000, ...running }: Settled & { readonly ms?: number | undefined },
) {
  const { child, ended } = startAmbit(args, running)
  child.stdin.end()
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  const { status, stdout, stderr } = await ended
  clearTimeout(timer)
  return { status, stdout, stderr }
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
