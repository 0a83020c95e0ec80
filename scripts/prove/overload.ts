import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Served, served } from '../../test/reliability/served.ts'
import { tree } from '../../test/support/tree.ts'
import { ask, load } from './load.ts'
import { type Part, type Proving, percentile, roundToTenth } from './proving.ts'
import { engineAt } from './writes.ts'

/** Addresses of attackers and guests. The owner has another address. */
const ATTACKER = '127.0.0.2'
const GUEST = '127.0.0.3'

/** Maximum milliseconds that the owner waits for 99 of 100 answers. */
const MOST_OWNER_MS = 250

/** Milliseconds between two health checks. */
const PROBE = 100

const CHINESE = Array.from({ length: 3000 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7919) % 20_000))).join('')

/** Files that once blocked the server for seconds, and similar files; 3 MB each, and a table of 7 MB. */
const HOSTILE: readonly (readonly [name: string, text: string])[] = [
  ['brackets.md', '['.repeat(3_000_000)],
  ['chinese.txt', CHINESE.repeat(400)],
  ['items.md', '- a\n'.repeat(750_000)],
  ['nested.json', '['.repeat(1_500_000) + ']'.repeat(1_500_000)],
  ['paragraphs.md', 'word here\n\n'.repeat(270_000)],
  ['minified.js', 'function a(b){return b?a(b-1):{c:[1,2,3]}};'.repeat(70_000)],
  ['base64.txt', 'aB3dE5fG7hJ9kL1mN3pQ'.repeat(150_000)],
  ['quotes.csv', '"a,b\n'.repeat(600_000)],
  ['rows.csv', `name,size\n${Array.from({ length: 400_000 }, (_, at) => `lion ${at},large\n`).join('')}`],
  ['tags.html', '<a b="'.repeat(500_000)],
  ['lines.txt', '\n'.repeat(3_000_000)],
]

/** Maximum delay of 99 of 100 turns of the event loop, in milliseconds above the delay of an idle server. */
const MOST_DELAY_MS = 50

/** Milliseconds in which a file is uploaded and read repeatedly. A run that takes longer is stopped. */
const MEASURED = { ci: 5_000, quick: 15_000, full: 15_000 }

export const overload: Part = {
  name: 'overload',
  isMeasured: true,
  lacks: () => (process.platform === 'linux' ? undefined : 'only Linux gives this machine many addresses'),
  claim:
    'thousands of half requests, streams and hostile uploads of others keep the owner from nothing; no look whether it lives is refused; and no hostile file makes the event loop late',
  async prove(proving) {
    using files = tree({ 'docs/a.md': '# Lions\n\nA lion sleeps.' })
    const db = files.at('ambit.db')
    const engine = engineAt({ db })
    const { collections } = await engine.library()
    await collections.add({ name: 'docs', root: files.at('docs') })
    await collections.index()
    const { token: guest } = await (await engine.tokens()).create({ name: 'guest', scopes: ['read', 'research'] })
    await engine.close()
    await using server = await served(files.base, { argv: ['--db', db] })
    await warmUp(server)
    const idle = await idleDelay(server, proving)
    await attackAndProbe(server, 'half requests', proving, () => halfRequests(server, proving))
    await attackAndProbe(server, 'streams', proving, () => streams(server, guest, proving))
    await attackAndProbe(server, 'uploads', proving, () =>
      assertDelay({ server, name: 'uploads', proving, idle }, () => uploads(server, guest, proving)),
    )
    await using fresh = await served(files.base, { argv: ['--db', files.at('fresh.db')] })
    await warmUp(fresh)
    // The first run loads code, which must not be measured.
    await research(fresh, ['small.md', 'The boat leaves at nine.'], proving)
    await delays(fresh, proving)
  },
}

/** Measures the delay for one hostile file after the other. */
async function delays(server: Served, proving: Proving): Promise<void> {
  const idle = await idleDelay(server, proving)
  const count = proving.amount({ ci: 2, quick: HOSTILE.length, full: HOSTILE.length })
  for (const file of HOSTILE.slice(0, count)) {
    await assertDelay({ server, name: file[0], proving, idle }, () => researchAgain(server, file, proving))
  }
}

async function idleDelay(server: Served, proving: Proving): Promise<number> {
  const { p99 } = await delayDuring(server, () => sleep(proving.amount({ ci: 1_000, quick: 5_000, full: 5_000 })))
  proving.note('ms that the idle event loop is late, p99', roundToTenth(p99))
  return p99
}

type ServerAccess = Pick<Served, 'url' | 'token'>

interface DelayTest {
  readonly server: Served
  readonly name: string
  readonly proving: Proving
  /** Delay of the event loop of an idle server, in milliseconds. */
  readonly idle: number
}

async function assertDelay({ server, name, proving, idle }: DelayTest, work: () => Promise<unknown>): Promise<void> {
  const { p99, most } = await delayDuring(server, work)
  proving.note(`${name}: ms that the event loop is late, p99`, roundToTenth(p99))
  proving.note(`${name}: ms that the event loop is late, at most`, roundToTenth(most))
  if (!proving.isShared && p99 > idle + MOST_DELAY_MS) proving.lose(`The event loop is ${p99} ms late with ${name}`)
}

/** Maximum delay of 99 of 100 turns of the event loop during some work, and of all turns, in milliseconds. */
async function delayDuring(server: Served, work: () => Promise<unknown>): Promise<{ p99: number; most: number }> {
  const metrics = async () => {
    const text = await (await ask(server, '/metrics')).text()
    const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) * 1000
    return { p99: read('nodejs_eventloop_delay_p99_seconds'), most: read('nodejs_eventloop_delay_seconds') }
  }
  await metrics()
  await work()
  return metrics()
}

/** Repeats the research, each time with another first line, because the server does not read a known file again. */
async function researchAgain(server: Served, [name, text]: readonly [string, string], proving: Proving): Promise<void> {
  const end = performance.now() + proving.amount(MEASURED)
  for (let time = 0; performance.now() < end; time++) await research(server, [name, `${time}\n${text}`], proving)
}

async function research(server: ServerAccess, file: readonly [string, string], proving: Proving): Promise<void> {
  const { at, status } = await upload(server, file)
  if (status !== 201) return proving.lose(`${file[0]} is not accepted: ${status}`)
  const began = performance.now()
  while (performance.now() - began < proving.amount(MEASURED)) {
    const { status } = (await (await ask(server, at)).json()) as { readonly status: string }
    if (!['created', 'queued', 'running'].includes(status)) return
    await sleep(50)
  }
  await ask(server, `${at}/stop`, { method: 'POST' })
}

/** Creates a session with a file, and starts it if the file is accepted. */
async function upload(server: ServerAccess, [name, text]: readonly [string, string]) {
  const at = `/api/sessions/${await session(server)}`
  const body = new FormData()
  body.append('file', new Blob([text]), name)
  const { status } = await ask(server, `${at}/files`, { body })
  if (status === 201) await ask(server, `${at}/start`, { method: 'POST' })
  return { at, status }
}

async function warmUp({ port }: Served): Promise<void> {
  await load({ port, path: '/healthz', connections: 2, ms: 1000 })
}

/** Sends requests of the owner over one open connection, and health checks over new connections, during an attack. */
async function attackAndProbe(
  server: Served,
  name: string,
  proving: Proving,
  attack: () => Promise<void>,
): Promise<void> {
  const ended = new AbortController()
  const latencies: number[] = []
  const probing = checkHealth(server.port, ended.signal)
  const asking = sendOwnerRequests(server, ended.signal, latencies)
  await attack()
  ended.abort()
  const [probed, failed] = await Promise.all([probing, asking])
  const p99 = Math.round(percentile(latencies, 99))
  proving.note(`${name}: answers to the owner`, latencies.length)
  proving.note(`${name}: p99 ms of the owner`, p99)
  proving.note(`${name}: longest ms of the owner`, Math.round(latencies.at(-1) ?? 0))
  proving.note(`${name}: looks`, probed.looks)
  proving.same(`looks that were refused during ${name}`, [probed.refused, failed], [0, 0])
  if (!proving.isShared && p99 > MOST_OWNER_MS) proving.lose(`The owner waits ${p99} ms during ${name}`)
}

async function sendOwnerRequests(server: Served, signal: AbortSignal, latencies: number[]): Promise<number> {
  let failed = 0
  while (!signal.aborted) {
    const began = performance.now()
    const answer = await ask(server, '/api/collections.list').catch(() => undefined)
    if (answer?.status === 200) await answer.text()
    else failed++
    latencies.push(performance.now() - began)
    await sleep(10)
  }
  return failed
}

async function checkHealth(
  port: number,
  signal: AbortSignal,
): Promise<{ readonly looks: number; readonly refused: number }> {
  let [looks, refused] = [0, 0]
  while (!signal.aborted) {
    looks++
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)
    let text = ''
    socket.on('data', (chunk) => (text += chunk))
    await once(socket, 'close').catch(() => undefined)
    if (!text.startsWith('HTTP/1.1 200')) refused++
    await sleep(PROBE)
  }
  return { looks, refused }
}

function from(localAddress: string, port: number, sent: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {}).resume()
  socket.write(sent)
  return socket
}

/** Sends requests that never end, in volleys. */
async function halfRequests({ port }: Served, proving: Proving): Promise<void> {
  const count = proving.amount({ ci: 1_000, quick: 4_000, full: 4_000 })
  const volleys = proving.amount({ ci: 1, quick: 3, full: 10 })
  for (let volley = 0; volley < volleys; volley++) {
    const sockets = Array.from({ length: count }, () => from(ATTACKER, port, 'GET / HTTP/1.1\r\nHos'))
    await sleep(3_000)
    for (const socket of sockets) socket.destroy()
  }
  proving.note('half requests', count * volleys)
}

async function streams({ url, port }: Served, guest: string, proving: Proving): Promise<void> {
  const count = proving.amount({ ci: 500, quick: 2_000, full: 2_000 })
  const id = await session({ url, token: guest })
  const head = `GET /api/sessions/${id}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${guest}\r\n\r\n`
  const statuses: Record<string, number> = {}
  const sockets = Array.from({ length: count }, () => {
    const socket = from(GUEST, port, head)
    socket.once('data', (chunk: Buffer) => {
      const status = chunk.toString('latin1').slice(9, 12)
      statuses[status] = (statuses[status] ?? 0) + 1
    })
    return socket
  })
  await sleep(5_000)
  for (const socket of sockets) socket.destroy()
  proving.note('streams of one guest', count)
  proving.note('streams that were let in', statuses['200'] ?? 0)
  if ((statuses['200'] ?? 0) > 100) proving.lose(`One guest has ${statuses['200']} streams`)
  if ((statuses['429'] ?? 0) === 0) proving.lose('No stream is refused')
}

async function session(server: ServerAccess): Promise<string> {
  const answer = await ask(server, '/api/sessions', { body: { question: 'Which word costs most, and why?' } })
  return ((await answer.json()) as { session_id: string }).session_id
}

/** Uploads files that are slow to read, and starts runs that read them. */
async function uploads({ url }: Served, token: string, proving: Proving): Promise<void> {
  const count = proving.amount({ ci: 5, quick: 50, full: 50 })
  const statuses: Record<string, number> = {}
  const one = async (at: number) => {
    const [name, text] = HOSTILE[at % HOSTILE.length] ?? ['', '']
    const { status } = await upload({ url, token }, [name, `${at}\n${text}`])
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  await Promise.all(Array.from({ length: count }, (_, at) => one(at).catch(() => undefined)))
  proving.note('hostile uploads', count)
  proving.note('uploads that were taken', statuses['201'] ?? 0)
  await sleep(proving.amount({ ci: 5_000, quick: 20_000, full: 60_000 }))
}
