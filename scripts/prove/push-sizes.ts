/** Pushes large files to a service that stores the hash of each part instead of its bytes. */

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { mostMemory } from '../../bench/harness.ts'
import { BIN, SHARED_ENV } from '../../test/support/program.ts'
import { Bucket } from '../../test/support/s3/bucket.ts'
import { KEY, REGION, type S3Server, SECRET, s3Server } from '../../test/support/s3/server.ts'
import { type Tree, tree } from '../../test/support/tree.ts'
import { type Part, type Proving, roundToTenth } from './proving.ts'

const GIB = 2 ** 30

/** Sizes in GiB. */
const SIZES = [1, 20]

/** Megabytes of memory that a push may take. */
const MOST_MB = 300

/** Bytes of a part of an upload, and of a chunk of a file with its own hash. */
const PART = 8 << 20

export const pushSizes: Part = {
  name: 'push-sizes',
  claim: `A push of a sparse file of ${SIZES.join(' and ')} GiB takes ${MOST_MB} MB of memory at most. It is killed half way: the next one sends the parts that are missing, and the service has the bytes that the manifest names`,
  tiers: ['quick', 'full'],
  lacks: () => (process.platform === 'linux' ? undefined : 'no Linux'),
  async prove(proving) {
    await proving.rounds('sizes', proving.amount({ quick: 1, full: SIZES.length }), async (_, index) => {
      await using server = await s3Server()
      using at = tree({ 'home/': '' })
      await pushTwice(SIZES[index] ?? 1, { server, at }, proving)
    })
  },
}

interface PushTest {
  readonly server: S3Server
  readonly at: Tree
}

async function pushTwice(gib: number, test: PushTest, proving: Proving): Promise<void> {
  const { server, at } = test
  const bucket = Object.assign(new Bucket(REGION), { isForgetful: true })
  server.buckets.set('bucket', bucket)
  const parts = (gib * GIB) / PART
  plantSparse(at.at('home/large.bin'), parts)
  const sent = () => server.log.filter(({ query, status }) => query.has('partNumber') && status === 200).length
  const name = `${gib} GiB`
  const first = await push(test, () => sent() >= parts / 2)
  const before = sent()
  const began = performance.now()
  const second = await push(test, () => false)
  proving.note(`${name}: parts`, parts)
  proving.note(`${name}: parts before the kill`, before)
  proving.note(`${name}: parts after it`, sent() - before)
  proving.note(`${name}: seconds after it`, roundToTenth((performance.now() - began) / 1000))
  proving.note(`${name}: MB at most`, roundToTenth(Math.max(first.peak, second.peak)))
  proving.same(
    `${name}: the kill, the next push and what it leaves`,
    [first.status, second.status, bucket.uploads.size],
    [null, 0, 0],
  )
  if (sent() > parts + 2) proving.lose(`${name}: ${sent()} parts were sent of ${parts}: ${second.stderr.slice(-500)}`)
  if (Math.max(first.peak, second.peak) > MOST_MB)
    proving.lose(`${name}: ${first.peak} and ${second.peak} MB of memory`)
  const key = bucket.keys().find((one) => one.startsWith('.quilt/packages/')) ?? ''
  const [, entry = '{}'] = (bucket.current(key)?.bytes ?? '').toString().split('\n')
  const kept = Object(JSON.parse(entry))
  const wanted = [gib * GIB, 'sha2-256-chunked', hashOf(bucket.received)]
  proving.same(`${name}: the entry`, [kept.size, kept.hash?.type, kept.hash?.value], wanted)
}

/** Writes a sparse file. Each part begins with its number, so that no two parts are equal. */
function plantSparse(path: string, parts: number): void {
  const file = openSync(path, 'w')
  ftruncateSync(file, parts * PART)
  for (let part = 0; part < parts; part++) writeSync(file, `\0${part}`, part * PART)
  closeSync(file)
}

/** The hash of a file with parts of these hashes. */
function hashOf(parts: readonly Buffer[]): string {
  return createHash('sha256').update(Buffer.concat(parts)).digest('base64')
}

/** Pushes, and kills the push when a condition holds. */
async function push({ server, at }: PushTest, isOver: () => boolean) {
  const words = ['package', 'push', 'home', 'team/large', '--registry', 's3://bucket', '--yes', '--json']
  const aws = {
    AWS_ENDPOINT_URL_S3: server.url,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: KEY,
    AWS_SECRET_ACCESS_KEY: SECRET,
  }
  const child = spawn(process.execPath, [BIN, ...words], {
    cwd: at.base,
    env: { ...SHARED_ENV, HOME: at.base, ...aws },
  })
  child.stdin.end()
  let peak = 0
  const poll = setInterval(() => {
    peak = Math.max(peak, mostMemory(child.pid) / 1e6)
    if (isOver()) child.kill('SIGKILL')
  }, 50)
  const [, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  clearInterval(poll)
  return { status: child.exitCode, peak, stderr }
}
