import { setTimeout as sleep } from 'node:timers/promises'
import { type Served, served } from '../../test/reliability/served.ts'
import { type Tree, tree } from '../../test/support/tree.ts'
import { type Loading, load, sizeOf } from './load.ts'
import { Child } from './processes.ts'
import { type Part, type Proving, percentile } from './proving.ts'
import { engineAt } from './writes.ts'

const CONNECTIONS = 50

/** Fewer than the operations that a server does at once. */
const ASKERS = 24

/** Ten times as many as the operations that a server does at once. */
const CROWD = 320

/** Milliseconds in which a server is as it was before. */
const PATIENCE = 60_000

export const http: Part = {
  name: 'http',
  isMeasured: true,
  lacks: () => (process.platform === 'linux' ? undefined : 'memory and descriptors of a process are in /proc'),
  claim:
    'every request of 50 connections is answered; ten times too much is refused at once, and soon all is as before',
  async prove(proving) {
    using files = tree({ 'docs/a.md': '# Lions\n\nA lion sleeps.', 'docs/b.md': '# Zebras\n\nA zebra runs.' })
    await steady(files, proving.of({ ci: 1, quick: 60, full: 60 }) * 1000, proving)
    await overload(files, proving.of({ ci: 1, quick: 10, full: 60 }) * 1000, proving)
  },
}

async function steady(files: Tree, ms: number, proving: Proving): Promise<void> {
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
    const { port, token } = server
    const authorization = `Bearer ${token}`
    const rows: readonly (readonly [string, Omit<Loading, 'ms'>])[] = [
      ['a bare server', { port: Number(bare.lines[0]), path: '/healthz', connections: CONNECTIONS }],
      ['/healthz', { port, path: '/healthz', connections: CONNECTIONS }],
      ['a search', { port, path: '/api/search?query=lion', connections: ASKERS, headers: { authorization } }],
    ]
    for (const [name, loading] of rows) {
      // What the program compiles as it runs is no matter of theirs.
      await load({ ...loading, ms: 1000 })
      const { requests, statuses, broken, latencies, perSecond } = await load({ ...loading, ms })
      proving.same(`answers of ${name}`, [Object.keys(statuses), broken], [['200'], 0])
      proving.note(`${name}: requests`, requests)
      proving.note(`${name}: per second`, perSecond)
      proving.note(`${name}: p50 ms`, rounded(percentile(latencies, 50)))
      proving.note(`${name}: p99 ms`, rounded(percentile(latencies, 99)))
    }
  } finally {
    await bare.killed()
  }
}

async function overload(files: Tree, ms: number, proving: Proving): Promise<void> {
  await using server = await served(files.base, { own: true })
  const { port, token, child } = server
  const headers = { authorization: `Bearer ${token}` }
  await load({ port, path: '/healthz', connections: CONNECTIONS, ms: 2000 })
  const before = sizeOf(child.pid)
  // Who looks after it is connected already: Node takes in one connection in each turn of its loop, which a crowd makes long.
  const looking = load({ port, path: '/healthz', connections: 1, ms: ms + 500 })
  await sleep(500)
  const crowd = await load({ port, path: '/api/slow?count=100', headers, connections: CROWD, ms })
  const calm = await looking
  proving.same('answers to a crowd', [Object.keys(crowd.statuses), crowd.broken], [['200', '503'], 0])
  proving.same('answers to who asks for a sign of life', [Object.keys(calm.statuses), calm.broken], [['200'], 0])
  proving.note('in a crowd: done', crowd.statuses['200'] ?? 0)
  proving.note('in a crowd: refused', crowd.statuses['503'] ?? 0)
  proving.note('in a crowd: p99 ms of a sign of life', rounded(percentile(calm.latencies, 99)))
  proving.note('ms until it does all again', await recovered(server, proving))
  proving.note('MB before', before.megabytes)
  const after = await settled(server, before.descriptors)
  proving.note('MB after', after.megabytes)
  proving.note('descriptors more than before', after.descriptors - before.descriptors)
  if (after.descriptors > before.descriptors)
    proving.lose(`${after.descriptors - before.descriptors} descriptors stay open`)
}

/** As many as it may do at once are done again. */
async function recovered({ port, token }: Served, proving: Proving): Promise<number> {
  const began = performance.now()
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/api/slow?count=10`, { headers: { authorization: `Bearer ${token}` } }).then(
      async (response) => {
        await response.text()
        return response.status
      },
    )
  while (performance.now() - began < PATIENCE) {
    const statuses = await Promise.all(Array.from({ length: ASKERS }, ask))
    if (statuses.every((status) => status === 200)) return Math.round(performance.now() - began)
    await sleep(100)
  }
  proving.lose(`It refuses still after ${PATIENCE} ms`)
  return PATIENCE
}

/** Connections that nobody uses are closed after some seconds. */
async function settled({ child }: Served, descriptors: number): Promise<ReturnType<typeof sizeOf>> {
  const began = performance.now()
  while (sizeOf(child.pid).descriptors > descriptors && performance.now() - began < PATIENCE) await sleep(200)
  return sizeOf(child.pid)
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}
