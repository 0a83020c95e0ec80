/** A server in a process of its own: the program, or one with operations that are slow. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { limitServerMemory } from '../../src/surfaces/cli/memory.ts'
import { serve } from '../../src/surfaces/http/serve.ts'
import { ROOT } from '../source-files.ts'
import { serveOptions } from '../support/serve-options.ts'
import { echo, engine, operation } from '../surfaces/http/support.ts'

/** A server that has said where it is. */
export interface Served extends AsyncDisposable {
  readonly child: ChildProcess
  readonly url: string
  readonly port: number
  readonly token: string
  /** What it wrote so far, to both ends. */
  written(): string
  /** Sends a signal, and waits for the end. Its exit code, and the milliseconds that it took. */
  ended(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly ms: number }>
}

/** Starts `ambit serve --json` on a free port, or the server of this file. */
export async function served(
  cwd: string,
  options: { own?: boolean; env?: object; argv?: string[]; within?: readonly string[] } = {},
): Promise<Served> {
  const script = options.own ? import.meta.filename : join(ROOT, 'src/bin.ts')
  const argv = [...(options.own ? [] : ['serve']), '--port', '0', '--json', ...(options.argv ?? [])]
  const env = { PATH: process.env.PATH, HOME: cwd, ...options.env }
  const [command, ...words] = [...(options.within ?? []), process.execPath, script, ...argv]
  const child = spawn(command ?? '', words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (written += chunk))
  while (!written.includes('\n')) await Promise.race([once(child.stdout, 'data'), dead(child, () => written)])
  const { url, token } = JSON.parse(written.split('\n')[0] ?? '')
  return {
    child,
    url,
    token,
    port: Number(new URL(url).port),
    written: () => written,
    async ended(signal) {
      const began = performance.now()
      child.kill(signal)
      if (child.exitCode === null) await once(child, 'exit')
      return { code: child.exitCode, ms: performance.now() - began }
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
    },
  }
}

async function dead(child: ChildProcess, written: () => string): Promise<never> {
  const [code] = await once(child, 'exit')
  throw new Error(`The server ended with ${code}: ${written()}`)
}

const slow = operation('slow', async ({ count }) => {
  await setTimeout(count)
  return { said: `after ${count}` }
})

/** Never ends, and hears of nothing. */
const stuck = operation('stuck', () => new Promise(() => {}))

if (process.argv[1] === import.meta.filename) {
  limitServerMemory()
  process.exitCode = await serve(serveOptions(process.argv.slice(2)), {
    operations: [echo, slow, stuck],
    version: '0.0.0',
    web: 'dist/web',
    token: undefined,
    debug: false,
    open: async () => engine,
    mcp: () => ({ fetch: async () => new Response() }),
  })
}
