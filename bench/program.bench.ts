import { spawn, spawnSync } from 'node:child_process'
import { globSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { installPackage } from '../scripts/install-package.ts'
import { BIN, contextProject, scratch, sizeBelow } from './fixtures.ts'
import {
  against,
  type BenchOptions,
  bound,
  inTurn,
  medianOf,
  mostMemory,
  type Subject,
  type Verdict,
} from './harness.ts'
import { copyCorpus, generatedCorpus } from './search/cache.ts'
import { queriesOf } from './search/queries.ts'

const FILES = 10_000
const MB = 1e6
const SEARCHES = 1000

/** Words that no page of a generated corpus has, so that the search looks for similar words. */
const UNKNOWN = 'how to configure the server'

/** Measures what a user waits for: processes of the built program, with a collection of 10,000 files. */
export async function programFigures({ corpus, files = FILES }: BenchOptions): Promise<Verdict[]> {
  const { dir, bytes } = corpus === undefined ? generatedCorpus(files) : copyCorpus(corpus)
  const folder = scratch()
  const env = { ...process.env, AMBIT_DB: join(folder, 'ambit.db'), AMBIT_EMBEDDING_MODEL: '' }
  try {
    runAmbit('collection add', ['collection', 'add', 'corpus', dir, '--pattern', '*.md'], env)
    const indexing = await peakOf(['index'], env)
    const memories = [[], []] as [number[], number[]]
    for (let run = 0; run < 3; run++) {
      memories[0].push(await memoryOf(env, {}))
      memories[1].push(await memoryOf(env, { mode: 'lexical' }))
    }
    const [searching = 0, byWords = 0] = memories.map(medianOf)
    const subject = (name: string, args: readonly string[]): Subject => ({ name, run: () => runAmbit(name, args, env) })
    const bare: Subject = { name: 'node -e 0', run: () => void spawnSync(process.execPath, ['-e', '0']) }
    const query = queriesOf(dir).find(({ kind }) => kind === 'sentence')?.text ?? UNKNOWN
    const search = subject('search', ['search', query])
    const guessed = subject('search for unknown words', ['search', UNKNOWN])
    const again = subject('index, nothing changed', ['index'])
    const mcp: Subject = { name: 'mcp', run: () => firstAnswer(env, query) }
    const times = await inTurn([bare, search, guessed, again, mcp], { runs: 15, warmup: 2 })
    const [node = 0, searched = 0, unknown = 0, unchanged = 0, answered = 0] = times.map(medianOf)
    return [
      bound('program: index, most memory', indexing / MB, { unit: 'MB', limit: 400 }),
      bound(`program: mcp, most memory in ${SEARCHES} searches`, searching / MB, { unit: 'MB', limit: 170 }),
      bound('program: mcp, most memory over words alone', (searching - byWords) / MB, { unit: 'MB', limit: 15 }),
      bound('program: database over the text', statSync(env.AMBIT_DB).size / bytes, { unit: '×', limit: 0.8 }),
      bound('program: search, beyond node -e 0', searched - node, { unit: 'ms', limit: 100 }),
      bound('program: search for two unknown words, beyond node -e 0', unknown - node, { unit: 'ms', limit: 300 }),
      bound('program: index with nothing changed, beyond node -e 0', unchanged - node, { unit: 'ms', limit: 220 }),
      bound('program: mcp, from its start to the answer of a search', answered, { unit: 'ms', limit: 300 }),
      ...(await installFigures()),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Measures the package that people get, installed alone in a prefix. */
async function installFigures(): Promise<Verdict[]> {
  using installed = installPackage()
  const packages = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: installed.prefix }).length
  const cwd = contextProject(10, 20_000)
  try {
    const load = subjectOf('ambit load', [installed.bin, 'load', '--no-home', '--budget', '20000'], cwd)
    const startUp = { limit: 1.5, runs: 25 }
    return [
      bound('program: installed, on disk', sizeBelow(installed.prefix) / MB, { unit: 'MB', limit: 40 }),
      bound('program: installed, packages', packages, { unit: 'count', limit: 1 }),
      bound('program: tarball', installed.packed / MB, { unit: 'MB', limit: 20 }),
      await against(
        'program: load, installed, over node -e 0',
        [load, subjectOf('node -e 0', ['-e', '0'], cwd)],
        startUp,
      ),
    ]
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

function subjectOf(name: string, args: readonly string[], cwd: string): Subject {
  return {
    name,
    run: () => {
      const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
      if (status !== 0) throw new Error(`${name} failed: ${stderr}`)
    },
  }
}

function runAmbit(name: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
  const { status, stderr } = spawnSync(process.execPath, [BIN, ...args], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`)
}

/** Peak memory of the program, read from the system repeatedly: Linux counts it for each process. */
async function peakOf(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [BIN, ...args], { env, stdio: 'ignore' })
  let peak = 0
  const look = setInterval(() => {
    peak = Math.max(peak, mostMemory(child.pid))
  }, 20)
  const status = await new Promise((resolve) => child.on('exit', resolve))
  clearInterval(look)
  if (status !== 0) throw new Error(`ambit ${args.join(' ')} failed`)
  return peak
}

const HELLO = [
  {
    method: 'initialize',
    id: 1,
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  },
  { method: 'notifications/initialized' },
]

type SearchOptions = { readonly mode?: 'lexical' }

function searchFor(query: string, id: number, options: SearchOptions = {}) {
  return { method: 'tools/call', id, params: { name: 'search', arguments: { query, ...options } } }
}

/** Starts the server and waits for the answer to one search. */
async function firstAnswer(env: NodeJS.ProcessEnv, query: string): Promise<void> {
  const server = startServer(env)
  await server.answerTo(searchFor(query, 2))
  server.end()
}

/** Peak memory of the server while it answers one search after the other, each for other words. */
async function memoryOf(env: NodeJS.ProcessEnv, options: SearchOptions): Promise<number> {
  const server = startServer(env)
  const words = ['server', 'file', 'error', 'create', 'window', 'memory', 'value', 'list', 'class', 'network', 'time']
  for (let at = 0; at < SEARCHES; at++) {
    const pick = (step: number) => words[(at * step) % words.length]
    await server.answerTo(searchFor(`how to ${pick(1)} a ${pick(3)} with ${pick(7)} ${at}`, at + 2, options))
  }
  const most = mostMemory(server.pid)
  server.end()
  return most
}

/** Starts the server, and sends requests as a client does. */
function startServer(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [BIN, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  for (const message of HELLO) send(message)
  const lines = createInterface({ input: child.stdout })
  const answerTo = (message: { readonly id: number }) =>
    new Promise<void>((resolve, reject) => {
      const failed = () => reject(new Error('ambit mcp ended'))
      child.once('exit', failed)
      lines.on('line', function onLine(line) {
        if (!line.includes(`"id":${message.id}`)) return
        if (line.includes('"isError":true')) reject(new Error(line))
        lines.off('line', onLine)
        child.off('exit', failed)
        resolve()
      })
      send(message)
    })
  return { pid: child.pid, answerTo, end: () => child.kill() }
}

/** Compares the start of the program with a Node process that does nothing. */
export async function startUpFigures(): Promise<Verdict[]> {
  const root = contextProject(10, 20_000)
  const empty = subjectOf('node -e 0', ['-e', '0'], root)
  const load = (budget: number) =>
    subjectOf(`ambit load, budget ${budget}`, [BIN, 'load', '--no-home', '--budget', `${budget}`], root)
  const verdicts = [
    await against('start-up: load, all fits, over node -e 0', [load(20_000), empty], { limit: 1.5, runs: 25 }),
    await against('start-up: load, cut, over node -e 0', [load(1000), empty], { limit: 2.5, runs: 25 }),
    await against('start-up: --help, over node -e 0', [subjectOf('ambit --help', [BIN, '--help'], root), empty], {
      limit: 2,
      runs: 25,
    }),
    await demoFigure(root),
  ]
  rmSync(root, { recursive: true })
  return verdicts
}

/** Measures `ambit demo`, which `npm start` shows. */
async function demoFigure(cwd: string): Promise<Verdict> {
  const [demo = []] = await inTurn([subjectOf('ambit demo', [BIN, 'demo'], cwd)], { runs: 5, warmup: 1 })
  return bound('start-up: demo', medianOf(demo), { unit: 'ms', limit: 3000 })
}
