import { setTimeout as sleep } from 'node:timers/promises'
import { type Served, served } from '../../test/reliability/served.ts'
import { type Tree, tree } from '../../test/support/tree.ts'
import { ask, processSize } from './load.ts'
import { type Part, type Proving, roundToTenth } from './proving.ts'

const MINUTES = 120

/** Share of the time for the warm-up, in which everything that is loaded once is loaded. */
const WARM_UP = 0.25

/**
 * Maximum growth in an hour, in megabytes or descriptors. Measurements of less than an hour may grow by `NOISE` as well. Resident
 * memory may grow more, because the allocator keeps some freed memory.
 */
const MOST_GROWTH = 1
const MOST_RESIDENT = 10
const NOISE = 25

/**
 * Number of different texts, which repeat. The server remembers up to 200,000 new words, which would look like a leak for hours.
 */
const TEXTS = 500

/** Number of clients, each with one request at a time. */
const CLIENTS = 8

export const soak: Part = {
  name: 'soak',
  isLong: true,
  lacks: () => (process.platform === 'linux' ? undefined : 'memory and descriptors of a process are in /proc'),
  claim:
    'a server that is searched, written to, researched with and listened to for hours grows neither in memory nor in descriptors',
  tiers: ['full'],
  async prove(proving) {
    const minutes = proving.minutes ?? MINUTES
    using files = tree({ 'docs/0.md': '# Lions\n\nA lion sleeps by the ferry, which carries 120 passengers.' })
    await using server = await served(files.base, {
      argv: ['--db', files.at('ambit.db'), '--root', files.base],
      env: INSPECTED,
    })
    using heap = await LiveHeap.of(server)
    await statusOf(server, '/api/collections.add', { body: { root: files.at('docs'), name: 'docs' } })
    await statusOf(server, '/api/index', { body: {} })
    const end = performance.now() + minutes * 60_000
    const samples: Sample[] = []
    const clients = Array.from({ length: CLIENTS }, (_, client) => runClient({ server, files, client, end, proving }))
    const everyMs = Math.min(30_000, (minutes * 60_000) / 60)
    while (performance.now() < end) {
      samples.push({
        hours: performance.now() / 3_600_000,
        heap: await heap.megabytes(),
        ...processSize(server.child.pid),
      })
      await sleep(everyMs)
    }
    await Promise.all(clients)
    judgeSamples(samples.slice(Math.ceil(samples.length * WARM_UP)), minutes, proving)
  },
}

interface Sample {
  readonly hours: number
  /** Live heap in megabytes. */
  readonly heap: number
  /** Resident memory of the process. */
  readonly megabytes: number
  readonly descriptors: number
}

function judgeSamples(samples: readonly Sample[], minutes: number, proving: Proving): void {
  const slope = (of: Exclude<keyof Sample, 'hours'>) =>
    roundToTenth(slopeOf(samples.map((one) => [one.hours, one[of]])))
  const [heap, memory, descriptors] = [slope('heap'), slope('megabytes'), slope('descriptors')]
  const [first, last] = [samples[0], samples.at(-1)]
  proving.note('minutes', minutes)
  proving.note('MB of heap after the warm-up', roundToTenth(first?.heap ?? 0))
  proving.note('MB of heap at the end', roundToTenth(last?.heap ?? 0))
  proving.note('MB of heap more in an hour', heap)
  proving.note('MB after the warm-up', first?.megabytes ?? 0)
  proving.note('MB at the end', last?.megabytes ?? 0)
  proving.note('MB more in an hour', memory)
  proving.note('descriptors after the warm-up', first?.descriptors ?? 0)
  proving.note('descriptors at the end', last?.descriptors ?? 0)
  const noise = minutes >= 60 ? 0 : NOISE * (60 / minutes)
  if (heap > MOST_GROWTH + noise) proving.lose(`The heap grows by ${heap} MB in an hour`)
  if (memory > MOST_RESIDENT + noise) proving.lose(`The memory grows by ${memory} MB in an hour`)
  if (descriptors > MOST_GROWTH + noise) proving.lose(`${descriptors} descriptors more are open after an hour`)
}

/** The slope of the line through the points, by least squares. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const over = points.reduce((sum, [one]) => sum + (one - x) ** 2, 0)
  return over === 0 ? 0 : points.reduce((sum, [one, other]) => sum + (one - x) * (other - y), 0) / over
}

interface ClientOptions {
  readonly server: Served
  readonly files: Tree
  readonly client: number
  readonly end: number
  readonly proving: Proving
}

/** Sends one request after the other until the end. Clients begin at different requests. */
async function runClient({ server, files, client, end, proving }: ClientOptions): Promise<void> {
  let written = 0
  const requests: readonly (() => Promise<number>)[] = [
    () => statusOf(server, '/api/search?query=lion'),
    () => statusOf(server, '/api/status'),
    () => statusOf(server, '/api/contexts.add', { body: { path: `docs/${client}`, text: `Of ${performance.now()}` } }),
    async () => {
      files.plant({ [`docs/${client}.md`]: `# Lions\n\nA lion sleeps at berth ${written++ % TEXTS}.` })
      return statusOf(server, '/api/index', { body: {} })
    },
    () => statusOf(server, `/api/load?place=${encodeURIComponent(files.at('docs'))}`),
    () => research(server),
  ]
  for (let turn = client; performance.now() < end; turn++) {
    const status = await requests[turn % requests.length]?.()
    proving.add('requests')
    // Another client may be indexing. All other requests must succeed.
    if (status !== undefined && status >= 400 && status !== 409 && status !== 503)
      proving.lose(`Request ${turn % requests.length} was answered with ${status}`)
    await sleep(20)
  }
}

/** Runs a new session, reads its events to the end, and deletes the session. */
async function research(server: Served): Promise<number> {
  const body = { question: 'How many passengers does the ferry carry?', extractive: true }
  const response = await ask(server, '/api/sessions', { body })
  const { session_id } = (await response.json()) as { session_id?: string }
  if (session_id === undefined) return response.status
  const at = `/api/sessions/${session_id}`
  await statusOf(server, `${at}/start`, { method: 'POST' })
  await (await ask(server, `${at}/events`)).text()
  return (await ask(server, at, { method: 'DELETE' })).status
}

async function statusOf(...args: Parameters<typeof ask>): Promise<number> {
  const response = await ask(...args)
  await response.arrayBuffer()
  return response.status
}

/** Environment that puts the inspector of the server at a free port. */
const INSPECTED = { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' }

const ADDRESS = /Debugger listening on (ws:\S+)/

/** The live heap of another process. Its inspector collects the garbage first. */
class LiveHeap implements Disposable {
  readonly #socket: WebSocket
  #last = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
  }

  static async of({ child, written }: Served): Promise<LiveHeap> {
    child.kill('SIGUSR1')
    while (!ADDRESS.test(written())) await sleep(50)
    const socket = new WebSocket(ADDRESS.exec(written())?.[1] ?? '')
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', reject)
    })
    return new LiveHeap(socket)
  }

  /** The size of the live heap in megabytes. */
  async megabytes(): Promise<number> {
    await this.#call('HeapProfiler.collectGarbage')
    const { usedSize = Number.NaN } = await this.#call('Runtime.getHeapUsage')
    return usedSize / 2 ** 20
  }

  async #call(method: string): Promise<{ readonly usedSize?: number }> {
    const id = ++this.#last
    const { promise, resolve, reject } = Promise.withResolvers<MessageEvent>()
    const settled = new AbortController()
    const onMessage = (event: MessageEvent) => JSON.parse(event.data).id === id && resolve(event)
    const ended = () => reject(new Error('The server has ended.'))
    this.#socket.addEventListener('message', onMessage, settled)
    this.#socket.addEventListener('close', ended, settled)
    this.#socket.send(JSON.stringify({ id, method }))
    return JSON.parse((await promise.finally(() => settled.abort())).data).result
  }

  [Symbol.dispose](): void {
    this.#socket.close()
  }
}
