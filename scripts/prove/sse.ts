import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../../src/engine/engine.ts'
import { EVENT_LIMITS } from '../../src/surfaces/http/events/event-stream.ts'
import { type Served, served } from '../../test/reliability/served.ts'
import { OwnPostgres } from '../../test/support/own-postgres.ts'
import { lacksPostgres } from '../../test/support/postgres-server.ts'
import { type Tree, tree } from '../../test/support/tree.ts'
import { listening, TOKEN } from '../../test/surfaces/http/support.ts'
import { sizeOf } from './load.ts'
import { Child, type Part, type Proving, percentile } from './proving.ts'
import { engineAt } from './writes.ts'

/** Milliseconds between two events. */
const EVERY = 1000

/** Milliseconds that clients have for what is under way when the last event is told. */
const PATIENCE = 120_000

export const sse: Part = {
  name: 'sse',
  isMeasured: true,
  lacks: () => (process.platform === 'linux' ? undefined : 'memory and descriptors of a process are in /proc'),
  claim:
    'each of a thousand clients of a run gets each event once, in order; one that does not read costs a megabyte at most',
  async prove(proving) {
    using files = tree({})
    const db = files.at('ambit.db')
    await many({ db, home: files.base, argv: ['--db', db], named: (figure) => figure }, proving)
    if (lacksPostgres() === undefined) await manyOnPostgres(files, proving)
    await stalled(files, proving)
  },
}

/** A session of research in a database, and no run of it. */
async function session(db: string): Promise<string> {
  const engine = engineAt({ db })
  const { session_id } = await (await engine.research()).create({ question: 'What of the lions?' })
  await engine.close()
  return session_id
}

interface Place {
  /** Path of a file, or the URL of a PostgreSQL database. */
  readonly db: string
  readonly home: string
  /** How the server is told of it. */
  readonly argv: readonly string[]
  readonly env?: object
  named(figure: string): string
}

/** A process that answers and works on nothing, as behind a balancer: it hears of events by the database alone. */
async function manyOnPostgres(files: Tree, proving: Proving): Promise<void> {
  await using server = await OwnPostgres.start()
  const db = await server.database()
  const env = { AMBIT_DATABASE_URL: db }
  await many(
    { db, home: files.base, argv: ['--role', 'api'], env, named: (figure) => `PostgreSQL: ${figure}` },
    proving,
  )
}

async function many({ db, home, argv, env, named }: Place, proving: Proving): Promise<void> {
  const [count, seconds] = [
    proving.of({ ci: 200, quick: 1000, full: 1000 }),
    proving.of({ ci: 5, quick: 60, full: 600 }),
  ]
  const id = await session(db)
  const teller = new Child('teller', { db, session: id, count: seconds, everyMs: EVERY })
  try {
    await using server = await served(home, { argv: [...argv], ...(env && { env }) })
    await teller.said(1)
    const before = sizeOf(server.child.pid)
    const clients = await connected(server, id, count)
    let most = 0
    const looking = setInterval(() => {
      most = Math.max(most, sizeOf(server.child.pid).megabytes)
    }, 500)
    teller.process.stdin?.write('go\n')
    await teller.ended()
    await Promise.race([Promise.all(clients.map(({ over }) => over)), sleep(PATIENCE, undefined, { ref: false })])
    clearInterval(looking)
    const figures = { ...judged(clients, seconds, proving), 'MB before': before.megabytes, 'MB at most': most }
    for (const [figure, value] of Object.entries(figures)) proving.note(named(figure), value)
  } finally {
    await teller.killed()
  }
}

/** Every client has every event once, in order, and its end. */
function judged(clients: readonly Client[], events: number, proving: Proving): Record<string, number> {
  const wanted = Array.from({ length: events + 1 }, (_, at) => at + 1)
  const latencies = clients.flatMap(({ latencies }) => latencies)
  for (const { seen } of clients) proving.same('what a client got', seen, wanted)
  return {
    clients: clients.length,
    'events each': events + 1,
    'events delivered': clients.reduce((sum, { seen }) => sum + seen.length, 0),
    'p50 ms': percentile(latencies, 50),
    'p99 ms': percentile(latencies, 99),
  }
}

interface Client {
  readonly seen: number[]
  /** Milliseconds from when an event was told to when it came. */
  readonly latencies: number[]
  readonly over: Promise<void>
}

/** Some at a time: a crowd that comes at once is the matter of another part. */
async function connected({ port, token }: Served, id: string, count: number): Promise<Client[]> {
  const clients: Client[] = []
  for (let made = 0; made < count; made += 50) {
    const some = Array.from({ length: Math.min(50, count - made) }, () => listener(port, token, id))
    await Promise.all(some.map(({ open }) => open))
    clients.push(...some)
  }
  return clients
}

function listener(port: number, token: string, id: string): Client & { readonly open: Promise<void> } {
  const [open, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const [seen, latencies]: [number[], number[]] = [[], []]
  const socket = asking(port, token, id)
  let rest = ''
  socket.on('data', (chunk) => {
    open.resolve()
    const blocks = (rest + chunk.toString('utf8')).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, number] = /^(?:.*\n)*?id: (\d+)$/m.exec(block) ?? []
      if (number === undefined) continue
      seen.push(Number(number))
      const [, sent] = /"sent":(\d+)/.exec(block) ?? []
      if (sent !== undefined) latencies.push(Date.now() - Number(sent))
      if (block.includes('event: run_completed')) over.resolve()
    }
  })
  socket.on('close', () => {
    open.resolve()
    over.resolve()
  })
  return { seen, latencies, open: open.promise, over: over.promise }
}

function asking(port: number, token: string, id: string): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const headers = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n`
  socket.write(`GET /api/sessions/${id}/events HTTP/1.1\r\n${headers}\r\n`)
  return socket
}

/** Clients that read nothing. */
const SLEEPERS = 40

/** What one more of them costs a server whose log is large; what the system has taken is not counted. */
async function stalled(files: Tree, proving: Proving): Promise<void> {
  const db = files.at('stalled.db')
  const id = await session(db)
  const engine = engineAt({ db })
  await filled(engine, id)
  await using server = await listening({ engine, limits: { events: { ...EVENT_LIMITS, stall: 20_000 } } })
  const ends: Socket[] = []
  server.server.on('connection', (socket: Socket) => ends.push(socket))
  const asleep = (count: number) => Array.from({ length: count }, () => asking(server.port, TOKEN, id).pause())
  const clients = asleep(5)
  await full(ends, clients.length)
  const before = held()
  clients.push(...asleep(SLEEPERS))
  await full(ends, clients.length)
  const each = Math.round((held() - before) / SLEEPERS)
  proving.note('bytes for each client that does not read', each)
  if (each > EVENT_LIMITS.buffer) proving.lose(`Each client that does not read costs ${each} bytes`)
  for (const began = performance.now(); ends.some(({ destroyed }) => !destroyed); await sleep(100)) {
    if (performance.now() - began < PATIENCE) continue
    proving.lose('A client that does not read is not dropped')
    break
  }
  for (const client of clients) client.destroy()
  await engine.close()
}

/** As many events as a client who comes late is told one by one, 10 kB each. */
async function filled(engine: Engine, id: string): Promise<void> {
  const { port } = await engine.library()
  const told = { url: `https://page.example/${'x'.repeat(10_000)}`, ok: true }
  for (let seq = 1; seq <= 1900; seq += 100) {
    const records = Array.from({ length: 100 }, (_, at) => ({
      seq: seq + at,
      at: new Date().toISOString(),
      data: JSON.stringify({ type: 'page_read', key: `${seq + at}`, told, made: {} }),
    }))
    await port.runs.append(id, seq - 1, records, 'running')
  }
}

/** Waits until so many connections take no more. */
async function full(ends: readonly Socket[], count: number): Promise<void> {
  const written = () => ends.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
  for (let last = -1; ends.length < count || written() > last; await sleep(1000)) last = written()
}

/** Bytes that are in use in this process. */
function held(): number {
  // The script is started with --expose-gc.
  for (let time = 0; time < 3; time++) globalThis.gc?.()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return heapUsed + external + arrayBuffers
}
