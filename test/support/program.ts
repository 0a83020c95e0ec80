import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The built program. */
export const BIN = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))

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
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
  })
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
    timeout: 20_000,
    env: { PATH: process.env.PATH, HOME: cwd, TERM: 'xterm-256color', ...env },
  })
  return { status, screen: stdout.replaceAll('\r\n', '\n') }
}
