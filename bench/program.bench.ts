import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scratch } from './fixtures.ts'
import { type BenchOptions, bound, inTurn, medianOf, type Subject, type Verdict } from './harness.ts'
import { copiedCorpus, madeCorpus } from './search/cache.ts'

const BIN = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
const FILES = 10_000
const MB = 1e6

/** What a user waits for: the built program as processes, over a collection of 10,000 files. */
export async function programFigures({ corpus, files = FILES }: BenchOptions): Promise<Verdict[]> {
  const { dir, bytes } = corpus === undefined ? madeCorpus(files) : copiedCorpus(corpus)
  const folder = scratch()
  const env = { ...process.env, AMBIT_DB: join(folder, 'ambit.db'), AMBIT_EMBEDDING_MODEL: '' }
  try {
    ran('collection add', ['collection', 'add', 'corpus', dir, '--pattern', '*.md'], env)
    const peak = await peakOf(['index'], env)
    const subject = (name: string, args: readonly string[]): Subject => ({ name, run: () => ran(name, args, env) })
    const bare: Subject = { name: 'node -e 0', run: () => void spawnSync(process.execPath, ['-e', '0']) }
    const search = subject('search', ['search', 'how to configure the server'])
    const again = subject('index, nothing changed', ['index'])
    const mcp: Subject = { name: 'mcp', run: () => firstAnswer(env) }
    const times = await inTurn([bare, search, again, mcp], { runs: 15, warmup: 2 })
    const [node = 0, searched = 0, unchanged = 0, answered = 0] = times.map(medianOf)
    return [
      bound('program: index, most memory', peak / MB, { unit: 'MB', limit: 400 }),
      bound('program: database over the text', statSync(env.AMBIT_DB).size / bytes, { unit: '×', limit: 0.8 }),
      bound('program: search, beyond node -e 0', searched - node, { unit: 'ms', limit: 60 }),
      bound('program: index with nothing changed, beyond node -e 0', unchanged - node, { unit: 'ms', limit: 160 }),
      bound('program: mcp, from its start to the answer of a search', answered, { unit: 'ms', limit: 300 }),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function ran(name: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
  const { status, stderr } = spawnSync(process.execPath, [BIN, ...args], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`)
}

/** The most memory that the program had, asked of the system again and again: Linux counts it for each process. */
async function peakOf(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [BIN, ...args], { env, stdio: 'ignore' })
  let peak = 0
  const look = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peak = Math.max(peak, Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? 0) * 1024)
    } catch {
      // It has just ended, or this is no Linux.
    }
  }, 20)
  const status = await new Promise((resolve) => child.on('exit', resolve))
  clearInterval(look)
  if (status !== 0) throw new Error(`ambit ${args.join(' ')} failed`)
  return peak
}

const ASKED = [
  {
    method: 'initialize',
    id: 1,
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { method: 'tools/call', id: 2, params: { name: 'search', arguments: { query: 'how to configure the server' } } },
]

/** Starts the server, and asks it as a client does. */
async function firstAnswer(env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [BIN, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.write(ASKED.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))
  let heard = ''
  await new Promise<void>((resolve, reject) => {
    child.on('exit', () => reject(new Error('ambit mcp ended')))
    child.stdout.on('data', (bytes) => {
      heard += bytes
      if (heard.includes('"id":2')) resolve()
    })
  })
  child.removeAllListeners('exit').kill()
}
