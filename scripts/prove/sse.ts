import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../../src/engine/engine.ts'
import { EVENT_LIMITS } from '../../src/surfaces/http/events/event-stream.ts'
import { type Served, served } from '../../test/reliability/served.ts'
import { OwnPostgres } from '../../test/support/own-postgres.ts'
import { lacksPostgres } from '../../test/support/postgres-server.ts'
import { type Tree, tree } from '../../test/support/tree.ts'
import { listening, TOKEN } from '../../test/surfaces/http/support.ts'
import { processSize } from './load.ts'
import { Child, type Part, type Proving, percentile } from './proving.ts'
import { engineAt } from './writes.ts'

/** Milliseconds between two events. */
const EVERY = 1000

/** Milliseconds that clients may take after the last event was written. */
const DRAIN_MS = 120_000

export const sse: Part = {
  name: 'sse',
  isMeasured: true,
  lacks: () => (process.platform === 'linux' ? undefined : 'memory and descriptors of a process are in /proc'),
  claim:
    'each of a thousand clients of a run gets each event once, in order; one that does not read costs a megabyte at most',
  async prove(proving) {
    using files = tree({})
    const db = files.at('ambit.db')
    await streamToMany({ db, home: files.base, argv: ['--db', db], named: (figure) => figure }, proving)
    if (lacksPostgres() === undefined) await manyOnPostgres(files, proving)
    await measureStalled(files, proving)
  },
}

/** Creates a research session without a run. */
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
  /** Arguments with which the server uses the database. */
  readonly argv: readonly string[]
  readonly env?: object
  /** The name of a figure for this place. */
  named(figure: string): string
}

/** Tests an API process without a worker, as behind a balancer: it learns of events only from the database. */
async function manyOnPostgres(files: Tree, proving: Proving): Promise<void> {
  await using server = await OwnPostgres.start()
  const db = await server.database()
  const env = { AMBIT_DATABASE_URL: db }
  await streamToMany(
    { db, home: files.base, argv: ['--role', 'api'], env, named: (figure) => `PostgreSQL: ${figure}` },
    proving,
  )
}

async function streamToMany({ db, home, argv, env, named }: Place, proving: Proving): Promise<void> {
  const [count, seconds] = [
    proving.amount({ ci: 200, quick: 1000, full: 1000 }),
    proving.amount({ ci: 5, quick: 60, full: 600 }),
  ]
  const id = await session(db)
  const teller = new Child('teller', { db, session: id, count: seconds, everyMs: EVERY })
  try {
    await using server = await served(home, { argv: [...argv], ...(env && { env }) })
    await teller.said(1)
    const before = processSize(server.child.pid)
    const clients = await connectClients(server, id, count)
    let most = 0
    const poll = setInterval(() => {
      most = Math.max(most, processSize(server.child.pid).megabytes)
    }, 500)
    teller.process.stdin?.write('go\n')
    await teller.ended()
    await Promise.race([Promise.all(clients.map(({ over }) => over)), sleep(DRAIN_MS, undefined, { ref: false })])
    clearInterval(poll)
    const figures = { ...judgeClients(clients, seconds, proving), 'MB before': before.megabytes, 'MB at most': most }
    for (const [figure, value] of Object.entries(figures)) proving.note(named(figure), value)
  } finally {
    await teller.killed()
  }
}

/** Checks that each client got each event once, in order. */
function judgeClients(clients: readonly Client[], events: number, proving: Proving): Record<string, number> {
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
  /** Milliseconds from the writing of each event to its arrival. */
  readonly latencies: number[]
  readonly over: Promise<void>
}

/** Connects 50 clients at a time, because another part tests crowds. */
async function connectClients({ port, token }: Served, id: string, count: number): Promise<Client[]> {
  const clients: Client[] = []
  for (let connected = 0; connected < count; connected += 50) {
    const added = Array.from({ length: Math.min(50, count - connected) }, () => listener(port, token, id))
    await Promise.all(added.map(({ open }) => open))
    clients.push(...added)
  }
  return clients
}

function listener(port: number, token: string, id: string): Client & { readonly open: Promise<void> } {
  const [open, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const [seen, latencies]: [number[], number[]] = [[], []]
  const socket = openStream(port, token, id)
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

function openStream(port: number, token: string, id: string): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const headers = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n`
  socket.write(`GET /api/sessions/${id}/events HTTP/1.1\r\n${headers}\r\n`)
  return socket
}

/** Number of clients that read nothing. */
const SLEEPERS = 40

/**
 * Measures the memory that a server with a large log needs for each client that does not read. Memory of the system does not
 * count.
 */
async function measureStalled(files: Tree, proving: Proving): Promise<void> {
  const db = files.at('stalled.db')
  const id = await session(db)
  const engine = engineAt({ db })
  await fillLog(engine, id)
  await using server = await listening({ engine, limits: { events: { ...EVENT_LIMITS, stall: 20_000 } } })
  const serverSockets: Socket[] = []
  server.server.on('connection', (socket: Socket) => serverSockets.push(socket))
  const asleep = (count: number) => Array.from({ length: count }, () => openStream(server.port, TOKEN, id).pause())
  const clients = asleep(5)
  await awaitFull(serverSockets, clients.length)
  const before = usedBytes()
  clients.push(...asleep(SLEEPERS))
  await awaitFull(serverSockets, clients.length)
  const each = Math.round((usedBytes() - before) / SLEEPERS)
  proving.note('bytes for each client that does not read', each)
  if (each > EVENT_LIMITS.buffer) proving.lose(`Each client that does not read costs ${each} bytes`)
  for (const began = performance.now(); serverSockets.some(({ destroyed }) => !destroyed); await sleep(100)) {
    if (performance.now() - began < DRAIN_MS) continue
    proving.lose('A client that does not read is not dropped')
    break
  }
  for (const client of clients) client.destroy()
  await engine.close()
}

/** Writes as many events as a late client gets one by one, 10 kB each. */
async function fillLog(engine: Engine, id: string): Promise<void> {
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

/** Waits until `count` connections accept no more bytes. */
async function awaitFull(serverSockets: readonly Socket[], count: number): Promise<void> {
  const written = () => serverSockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
  for (let last = -1; serverSockets.length < count || written() > last; await sleep(1000)) last = written()
}

/** Bytes that are in use in this process. */
function usedBytes(): number {
  // The script is started with --expose-gc.
  for (let time = 0; time < 3; time++) globalThis.gc?.()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return heapUsed + external + arrayBuffers
}
