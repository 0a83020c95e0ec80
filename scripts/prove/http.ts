import { setTimeout as sleep } from 'node:timers/promises'
import { type Served, served } from '../../test/reliability/served.ts'
import { type Tree, tree } from '../../test/support/tree.ts'
import { ask, type LoadResult, load, processSize } from './load.ts'
import { Child, type Part, type Proving, percentile, roundToTenth } from './proving.ts'
import { engineAt } from './writes.ts'

const CONNECTIONS = 50

/** Connections that search: the maximum number of operations that a server runs at once. */
const SEARCHERS = 50

/** Connections of a crowd: far more than a server serves at once. An address may have 512 connections without a request. */
const CROWD = 500

/** Minimum rate of answers to the cheapest request, as a share of the rate of a bare server. */
const MIN_SHARE = 0.6

/** Maximum ratio of the 99th to the 50th percentile of the times of searches. */
const MOST_SPREAD = 3

/**
 * Number of measurements of each request. The requests take turns, so that other work on the machine affects all. The medians
 * count.
 */
const ROUNDS = 9

/** Maximum milliseconds until a server has recovered. */
const RECOVERY_MS = 60_000

export const http: Part = {
  name: 'http',
  isMeasured: true,
  lacks: () => (process.platform === 'linux' ? undefined : 'memory and descriptors of a process are in /proc'),
  claim:
    'every request of 50 connections is answered, the cheapest at six tenths of the rate of a bare server, or more; far too much is refused at once, and soon all is as before',
  async prove(proving) {
    using files = tree({ 'docs/a.md': '# Lions\n\nA lion sleeps.', 'docs/b.md': '# Zebras\n\nA zebra runs.' })
    await measureSteadyLoad(files, proving.amount({ ci: 5, quick: 60, full: 60 }) * 1000, proving)
    await measureOverload(files, proving.amount({ ci: 1, quick: 10, full: 60 }) * 1000, proving)
  },
}

async function measureSteadyLoad(files: Tree, ms: number, proving: Proving): Promise<void> {
  const db = files.at('ambit.db')
  const engine = engineAt({ db })
  const { collections } = await engine.library()
  await collections.add({ name: 'docs', root: files.at('docs') })
  await collections.index()
  await engine.close()
  const bare = new Child('bare')
  try {
    await using server = await served(files.base, { argv: ['--db', db] })
    await bare.said(1)
    await measure({ server, bare: Number(bare.lines[0]), ms }, proving)
  } finally {
    await bare.killed()
  }
}

interface LoadTest {
  readonly server: Served
  /** The port of the bare server. */
  readonly bare: number
  readonly ms: number
}

async function measure({ server: { port, token }, bare, ms }: LoadTest, proving: Proving): Promise<void> {
  const common = { port, connections: CONNECTIONS }
  const headers = { authorization: `Bearer ${token}` }
  const loadings = {
    'a bare server': { ...common, port: bare, path: '/healthz' },
    '/healthz': { ...common, path: '/healthz' },
    'a search': { port, path: '/api/search?query=lion', connections: SEARCHERS, headers },
  }
  // Warms up, so that compilation is not measured.
  for (const loading of Object.values(loadings)) await load({ ...loading, ms: Math.min(ms, 2000) })
  const rounds: Record<keyof typeof loadings, LoadResult>[] = []
  while (rounds.length < ROUNDS) {
    rounds.push({
      'a bare server': await load({ ...loadings['a bare server'], ms: ms / ROUNDS }),
      '/healthz': await load({ ...loadings['/healthz'], ms: ms / ROUNDS }),
      'a search': await load({ ...loadings['a search'], ms: ms / ROUNDS }),
    })
  }
  for (const name of Object.keys(loadings) as (keyof typeof loadings)[]) {
    noteLoaded(
      name,
      rounds.map((round) => round[name]),
      proving,
    )
  }
  judge(rounds, proving)
}

function noteLoaded(name: string, all: readonly LoadResult[], proving: Proving): void {
  const statuses = new Set(all.flatMap((one) => Object.keys(one.statuses)))
  const broken = all.reduce((sum, one) => sum + one.broken, 0)
  proving.same(`answers of ${name}`, [[...statuses], broken], [['200'], 0])
  const sum = all.reduce((requests, one) => requests + one.requests, 0)
  proving.note(`${name}: requests`, sum)
  proving.note(
    `${name}: per second`,
    medianOf(all, ({ perSecond }) => perSecond),
  )
  for (const percent of [50, 99]) {
    proving.note(
      `${name}: p${percent} ms`,
      roundToTenth(medianOf(all, ({ latencies }) => percentile(latencies, percent))),
    )
  }
}

type Round = Readonly<Record<'a bare server' | '/healthz' | 'a search', LoadResult>>

/** Compares figures of the same round with each other, so that the limits hold on any machine. */
function judge(rounds: readonly Round[], proving: Proving): void {
  const share = medianOf(rounds, (round) => round['/healthz'].perSecond / round['a bare server'].perSecond)
  const spread = medianOf(rounds, (round) => spreadOf(round['a search']))
  const bareSpread = medianOf(rounds, (round) => spreadOf(round['a bare server']))
  proving.note('/healthz: of a bare server', Math.round(share * 100) / 100)
  proving.note('a search: p99 by p50', roundToTenth(spread))
  proving.note('a bare server: p99 by p50', roundToTenth(bareSpread))
  if (proving.isShared) return
  if (share < MIN_SHARE) proving.lose(`/healthz answers ${share} of what a bare server does`)
  // A busy machine delays a bare server as much as this one.
  if (spread > Math.max(MOST_SPREAD, bareSpread)) {
    proving.lose(`One search in a hundred takes ${spread} times as long as half of them`)
  }
}

function spreadOf({ latencies }: LoadResult): number {
  return percentile(latencies, 99) / percentile(latencies, 50)
}

function medianOf<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return percentile(items.map(value), 50)
}

async function measureOverload(files: Tree, ms: number, proving: Proving): Promise<void> {
  await using server = await served(files.base, { own: true })
  const { port, token, child } = server
  const headers = { authorization: `Bearer ${token}` }
  await load({ port, path: '/healthz', connections: CONNECTIONS, ms: 2000 })
  const before = processSize(child.pid)
  // This client connects before the crowd: Node accepts one connection in each turn of its event loop, and a crowd makes turns
  // long.
  const probe = load({ port, path: '/healthz', connections: 1, ms: ms + 500 })
  await sleep(500)
  const crowd = await load({ port, path: '/api/slow?count=100', headers, connections: CROWD, ms })
  const probed = await probe
  proving.same('answers to a crowd', [Object.keys(crowd.statuses), crowd.broken], [['200', '503'], 0])
  proving.same('answers to who asks for a sign of life', [Object.keys(probed.statuses), probed.broken], [['200'], 0])
  proving.note('in a crowd: done', crowd.statuses['200'] ?? 0)
  proving.note('in a crowd: refused', crowd.statuses['503'] ?? 0)
  proving.note('in a crowd: p99 ms of a sign of life', roundToTenth(percentile(probed.latencies, 99)))
  proving.note('ms until it does all again', await awaitRecovery(server, proving))
  proving.note('MB before', before.megabytes)
  const after = await awaitUnusedClosed(server, before.descriptors)
  proving.note('MB after', after.megabytes)
  proving.note('descriptors more than before', after.descriptors - before.descriptors)
  if (after.descriptors > before.descriptors)
    proving.lose(`${after.descriptors - before.descriptors} descriptors stay open`)
}

/** Waits until the server runs the maximum number of operations again. Returns the milliseconds. */
async function awaitRecovery(server: Served, proving: Proving): Promise<number> {
  const began = performance.now()
  const slow = async () => {
    const response = await ask(server, '/api/slow?count=10')
    await response.text()
    return response.status
  }
  while (performance.now() - began < RECOVERY_MS) {
    const statuses = await Promise.all(Array.from({ length: SEARCHERS }, slow))
    if (statuses.every((status) => status === 200)) return Math.round(performance.now() - began)
    await sleep(100)
  }
  proving.lose(`The server still refuses requests after ${RECOVERY_MS} ms`)
  return RECOVERY_MS
}

/** Waits until the server has closed unused connections, which takes some seconds. */
async function awaitUnusedClosed({ child }: Served, descriptors: number): Promise<ReturnType<typeof processSize>> {
  const began = performance.now()
  while (processSize(child.pid).descriptors > descriptors && performance.now() - began < RECOVERY_MS) await sleep(200)
  return processSize(child.pid)
}
