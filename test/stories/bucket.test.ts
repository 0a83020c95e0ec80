/**
 * A person's way through a bucket, on the built program: one in process, and the service of AMBIT_TEST_S3_ENDPOINT, where one is
 * named. A gate before it holds the program where it is to be killed.
 *
 * @module-tag long
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { packageOf, registryV1 } from '../quilt/packages/fixtures.ts'
import { BIN } from '../support/program.ts'
import { adminOf, type Endpoint } from '../support/s3/admin.ts'
import { Bucket } from '../support/s3/bucket.ts'
import { type Gate, gateTo } from '../support/s3/gate.ts'
import { KEY, REGION, SECRET, s3Server } from '../support/s3/server.ts'
import { S3_ENDPOINT } from '../support/s3-endpoint.ts'
import { type Tree, tree } from '../support/tree.ts'

const first = packageOf({ 'README.md': { text: '# One\n' }, 'plots/a.png': { text: 'a\0b' } }, { message: 'first' })
const second = packageOf(
  { 'README.md': { text: '# Two\n', key: 'data2/README.md' }, 'kept.csv': { text: 'day,mm\n', key: 'data2/kept.csv' } },
  { message: 'second', user_meta: { by: 'Ernest' } },
)
const timeouts = packageOf({
  'timeouts.md': { text: '# Timeouts\n\nAfter a timeout a request is sent again, twice.\n' },
})
const HELD = registryV1({
  'team/data': { 1680720300: first, 1680720661: second },
  'team/notes': { 1690000000: timeouts },
})

/** Milliseconds in which a program comes to where it is held. */
const PATIENCE = { timeout: 120_000, interval: 20 }

interface Service extends AsyncDisposable {
  readonly endpoint: Endpoint
}

async function inProcess(): Promise<Service> {
  const server = await s3Server()
  const endpoint = { url: server.url, key: KEY, secret: SECRET, region: REGION }
  return { endpoint, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

async function named(): Promise<Service> {
  if (!S3_ENDPOINT) throw new Error('No service is named.')
  return { endpoint: S3_ENDPOINT, async [Symbol.asyncDispose]() {} }
}

/** A bucket with packages behind a gate, and a home of its own; the collection is called `lab`. */
interface Place extends AsyncDisposable {
  readonly at: Tree
  readonly gate: Gate
  readonly bucket: string
  run(...args: string[]): Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }>
  /** Begins it, and kills it when something is true. Gives the signal that ended it. */
  killed(isTime: () => boolean | Promise<boolean>, ...args: string[]): Promise<NodeJS.Signals | null>
}

async function placeAt(service: () => Promise<Service>): Promise<Place> {
  const { endpoint, ...served } = await service()
  const admin = adminOf(endpoint)
  const bucket = await admin.bucket()
  const own = Object.entries(HELD).map(
    ([key, value]) => [key, Buffer.from(String(value).replaceAll('s3://bucket/', `s3://${bucket}/`))] as const,
  )
  await admin.put(bucket, own)
  const gate = await gateTo(endpoint.url)
  const at = tree({})
  const env = {
    PATH: process.env.PATH,
    HOME: at.base,
    AWS_ACCESS_KEY_ID: endpoint.key,
    AWS_SECRET_ACCESS_KEY: endpoint.secret,
  }
  const start = (args: readonly string[]) => spawn(process.execPath, [BIN, ...args], { cwd: at.base, env })
  const run: Place['run'] = async (...args) => {
    const child = start(args)
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { status: child.exitCode, stdout, stderr }
  }
  const access = ['--endpoint', gate.url, '--region', endpoint.region, '--path-style']
  const added = await run('collection', 'add', 'lab', `s3://${bucket}`, ...access, '--json')
  expect(JSON.parse(added.stdout).access).toEqual({ endpoint: gate.url, region: endpoint.region, pathStyle: true })
  return {
    at,
    gate,
    bucket,
    run,
    async killed(isTime, ...args) {
      const child = start(args)
      const closed = once(child, 'close')
      child.stdout.resume()
      child.stderr.resume()
      await vi.waitUntil(async () => child.exitCode !== null || (await isTime()), PATIENCE)
      child.kill('SIGKILL')
      await closed
      gate.holds = () => false
      return child.signalCode
    },
    async [Symbol.asyncDispose]() {
      at[Symbol.dispose]()
      await gate[Symbol.asyncDispose]()
      await admin.remove(bucket)
      admin.close()
      await served[Symbol.asyncDispose]()
    },
  }
}

const SERVICES = [
  { name: 'in process', service: inProcess, isThere: true },
  { name: 'that somebody runs', service: named, isThere: S3_ENDPOINT !== undefined },
]

describe.each(SERVICES)('packages in a bucket $name', ({ service, isThere }) => {
  let place: Place | undefined
  afterEach(() => place?.[Symbol.asyncDispose]())

  it.skipIf(!isThere)('are browsed, asked about, taken home, changed, pushed and compared', async () => {
    place = await placeAt(service)
    const { at, bucket, run } = place
    expect((await run('browse', 'lab/data')).stdout).toContain('README.md')
    for (const named of ['lab/team/data', `quilt+s3://${bucket}#package=team/data`])
      expect((await run('browse', named)).stdout).toBe('README.md  6 B\nkept.csv   7 B\n')
    const asked = await run('ask', 'what happens after a timeout?', 'lab/team/notes', '--json')
    const { citations } = JSON.parse(asked.stdout)
    expect([asked.status, JSON.stringify(citations)]).toEqual([0, expect.stringContaining('package=team/notes@')])
    expect(JSON.stringify(citations)).toContain(bucket)

    expect((await run('package', 'get', 'lab/team/data', 'home')).stdout).toContain('2 written')
    expect((await run('package', 'verify', 'lab/team/data', '--dir', 'home')).status).toBe(0)
    writeFileSync(at.at('home/README.md'), '# 2wo\n')
    const changed = await run('package', 'verify', 'lab/team/data', '--dir', 'home')
    expect([changed.status, changed.stdout]).toEqual([1, expect.stringMatching(/^hash-mismatch {2}README\.md/)])

    const push = ['package', 'push', 'home', 'team/data', '--registry', 'lab', '--message', 'third']
    expect((await run(...push)).stderr).toContain('--yes')
    const pushed = await run(...push, '--meta', '{"by": "Ann"}', '--yes')
    expect(pushed.stdout).toMatch(/Pushed: lab\/team\/data@[0-9a-f]{64}\n$/)
    const diff = (await run('package', 'diff', `lab/team/data@${second.hash}`, 'lab/team/data')).stdout
    expect(diff).toContain('~  metadata /by  "Ernest" → "Ann"\n')
    // The first is of another type of hash, and what was not changed is not told as changed.
    expect(diff).toContain('0 added, 0 removed, 1 changed, 1 unchanged\n')
    expect((await run('package', 'log', 'lab/team/data')).stdout.split('\n')[0]).toMatch(/^\* .* third$/)
    expect((await run('package', 'search', 'Ann')).stdout).toBe('lab/team/data  third\n')
    expect((await run('package', 'verify', 'lab/team/data')).stdout).toContain('2 of 2 entries verified')
  })

  it.skipIf(!isThere)('lose nothing of a push and a get that are killed in the middle', async () => {
    place = await placeAt(service)
    const { at, gate, run, killed } = place
    at.plant(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`home/${at}.bin`, `${at} `.repeat(10_000)])))
    const ofBins = (method: string) => gate.passed.filter((asked) => asked.startsWith(method) && /\.bin$/.test(asked))

    const push = ['package', 'push', 'home', 'team/data', '--registry', 'lab', '--message', 'third', '--yes']
    gate.holds = (asked) => asked.startsWith('PUT') && ofBins('PUT').length >= 12
    expect(await killed(() => gate.held.length > 0, ...push)).toBe('SIGKILL')
    const written = ofBins('PUT').length
    expect(written).toBeGreaterThanOrEqual(12)
    expect((await run('package', 'show', 'lab/team/data')).stdout).toContain(second.hash)
    expect((await run(...push)).stdout).toMatch(/Pushed: lab\/team\/data@[0-9a-f]{64}\n$/)
    // What was written before the end is not written again.
    expect(ofBins('PUT')).toHaveLength(40)
    // With the two that were not fetched.
    expect((await run('package', 'verify', 'lab/team/data')).stdout).toContain('42 of 42 entries verified')

    const filesIn = (name: string, end = '') =>
      existsSync(at.at(name))
        ? readdirSync(at.at(name)).filter((file) => /^[^.].*\./.test(file) && file.endsWith(end)).length
        : 0
    const before = ofBins('GET').length
    gate.holds = (asked) => /^GET .*\.bin$/.test(asked) && ofBins('GET').length >= before + 12
    const get = ['package', 'get', 'lab/team/data', 'again']
    const isHeld = () => filesIn('again', '.bin') >= 12 && filesIn('again', '.bin') === ofBins('GET').length - before
    expect(await killed(isHeld, ...get)).toBe('SIGKILL')
    const kept = filesIn('again')
    expect((await run(...get)).stdout).toContain(`${42 - kept} written`)
    expect((await run('package', 'verify', 'lab/team/data', '--dir', 'again')).stdout).toContain(
      '42 of 42 entries verified',
    )
  })
})

/** More than are stored in one step, so that a first one is stored while the others are held. */
const OBJECTS = 2200
const ANSWERED = 2100

it('an index of a bucket that is killed in the middle keeps what was stored, goes on, and fetches nothing of it again', async () => {
  await using server = await s3Server()
  await using gate = await gateTo(server.url)
  using at = tree({})
  const bucket = new Bucket(REGION)
  server.buckets.set('many', bucket)
  for (let count = 0; count < OBJECTS; count++) bucket.put(`n/${count}.txt`, Buffer.from(`word${count}`), {})
  const env = {
    PATH: process.env.PATH,
    HOME: at.base,
    AWS_ENDPOINT_URL_S3: gate.url,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: KEY,
    AWS_SECRET_ACCESS_KEY: SECRET,
  }
  const start = (...args: string[]) => spawn(process.execPath, [BIN, ...args], { cwd: at.base, env })
  const run = async (...args: string[]) => {
    const child = start(...args)
    child.stderr.resume()
    const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')])
    return stdout
  }
  const stored = async () => JSON.parse(await run('collection', 'show', 'many', '--json')).documents
  const objectsRead = () => gate.passed.filter((asked) => asked.endsWith('.txt'))
  await run('collection', 'add', 'many', 's3://many')

  gate.holds = (asked) => asked.endsWith('.txt') && objectsRead().length >= ANSWERED
  const child = start('index', 'many')
  child.stdout.resume()
  child.stderr.resume()
  const closed = once(child, 'close')
  await vi.waitUntil(async () => gate.held.length > 0 && (await stored()) > 0, PATIENCE)
  child.kill('SIGKILL')
  await closed
  expect(child.signalCode).toBe('SIGKILL')
  const kept = await stored()

  const before = objectsRead().length
  gate.holds = () => false
  const again = JSON.parse(await run('index', 'many', '--json'))
  expect(again).toMatchObject({ added: OBJECTS - kept, unchanged: kept, changed: 0, removed: 0, failed: 0 })
  expect(objectsRead().length - before).toBe(OBJECTS - kept)
  expect(JSON.parse(await run('search', 'word7', '--json')).results).toMatchObject([{ path: 'n/7.txt' }])
})
