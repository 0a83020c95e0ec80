/** The built program as a person starts it, in a process of its own, with a home of its own. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { BIN, SHARED_ENV } from '../support/program.ts'
import { type Shape, type Tree, tree } from '../support/tree.ts'

/** A server that can be killed and started again, at the same address and over the same database. */
export interface StartedServer extends AsyncDisposable {
  readonly url: string
  readonly files: Tree
  /** The link that it printed last. */
  link(): string
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>
  start(): Promise<void>
}

export async function startServer(shape: Shape, env: Readonly<Record<string, string>> = {}): Promise<StartedServer> {
  const files = tree(shape)
  let port = 20_000 + Math.floor(Math.random() * 12_000)
  let child: ChildProcess | undefined
  let link = ''
  const begin = async (): Promise<boolean> => {
    const words = [BIN, 'serve', '--port', String(port), '--root', files.base]
    const spawned = spawn(process.execPath, words, {
      cwd: files.base,
      env: { ...SHARED_ENV, HOME: files.base, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child = spawned
    let said = ''
    spawned.stdout.on('data', (bytes) => (said += bytes))
    while (!said.includes('\n')) {
      const isOver = await Promise.race([once(spawned.stdout, 'data').then(() => false), once(spawned, 'exit')])
      if (isOver !== false) return false
    }
    link = said.trim()
    return true
  }
  const start = async () => {
    for (let tries = 1; !(await begin()); tries++) {
      if (tries === 5) throw new Error('The server does not start.')
      // Somebody has the port by now; a server that is started again needs that of its pages.
      if (link === '') port = 20_000 + Math.floor(Math.random() * 12_000)
    }
  }
  const kill = async () => {
    if (child?.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  }
  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    files,
    link: () => link,
    kill,
    start,
    async [Symbol.asyncDispose]() {
      await kill()
      files[Symbol.dispose]()
    },
  }
}
