import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, symlinkSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { ambit, BIN } from '../../../test/support/program.ts'
import { tree } from '../../../test/support/tree.ts'
import type { Attack } from '../attack.ts'

const SECRET = 'zweihander'

/** Milliseconds for a server to start and answer. */
const LIMIT_MS = 30_000

/** Requests to the operations that read a place. */
const DISCOVERING = ['load', 'explain', 'check', 'diff?profile=ambit,claude', 'task?task=salaries']

/** Sends requests to a server of `served/`, and says which answers show files above that directory. */
async function askAbove(): Promise<string | undefined> {
  using planted = tree({
    '.git/': '',
    'AGENTS.md': `# ${SECRET}\n`,
    '.context/TASKS.md': `- [ ] ${SECRET}\n`,
    'served/AGENTS.md': '# Served\n',
  })
  const args = [BIN, 'serve', '--port', '0', '--json', '--root', planted.at('served'), '--db', planted.at('a.db')]
  const env = { PATH: process.env.PATH, HOME: planted.at('served') }
  const server = spawn(process.execPath, args, { cwd: planted.at('served'), env, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(server, 'exit')
  const limit = setTimeout(() => server.kill('SIGKILL'), LIMIT_MS)
  try {
    const lines = createInterface({ input: server.stdout })
    const [first] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
    const { url, token } = JSON.parse(String(first)) as { readonly url: string; readonly token: string }
    const shown: string[] = []
    for (const request of DISCOVERING) {
      const address = `${url}/api/${request}${request.includes('?') ? '&' : '?'}place=.`
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(address, { headers, signal: AbortSignal.timeout(LIMIT_MS) })
      if (!answer.ok) return `${request} is answered with ${answer.status}`
      if ((await answer.text()).includes(SECRET)) shown.push(request.replace(/\?.*/, ''))
    }
    return shown.length > 0 ? `shown by ${shown.join(', ')}` : undefined
  } finally {
    clearTimeout(limit)
    server.kill('SIGKILL')
    await ended
  }
}

/** Replaces the root of a collection by a link to a directory outside, then indexes and searches. */
async function swapRoot(): Promise<string | undefined> {
  using planted = tree({ 'docs/g.md': '# Guide\n', 'private/salary.md': `# Salary list ${SECRET}\n` })
  const running = { cwd: planted.base }
  const db = ['--db', planted.at('a.db')]
  ambit(['collection', 'add', 'gdocs', './docs', ...db], running)
  ambit(['index', ...db], running)
  renameSync(planted.at('docs'), planted.at('before'))
  symlinkSync('private', planted.at('docs'))
  ambit(['index', ...db], running)
  const { stdout } = ambit(['search', 'salary', '--json', ...db], running)
  return stdout.includes(SECRET) ? 'found by a search' : undefined
}

export const rootsAttacks: readonly Attack[] = [
  { name: 'context above a served directory', hit: askAbove },
  { name: 'a root of a collection that became a link', hit: swapRoot },
]
