import { describe, expect, it } from 'vitest'
import { type FlowEvent, SILENT } from '../../../src/core/flow.ts'
import type { Packages } from '../../../src/quilt/catalog.ts'
import { failure, packageOf, registryV1 } from '../../quilt/packages/fixtures.ts'
import type { Held } from '../../support/memory-objects.ts'
import { engineFor, inBucket, inDirectory, LABS } from './labs.ts'

const first = packageOf(
  { 'README.md': { text: '# One\n' }, 'data/a.csv': { text: 'a,b\n1,2\n' }, 'data/deep/b.bin': { text: 'a\0b' } },
  { message: 'first', user_meta: { by: 'Ernest' }, workflow: { id: 'alpha' } },
)
const second = packageOf(
  { 'README.md': { text: '# Two, longer\n', key: 'data2/README.md' }, 'data/a.csv': { text: 'a,b\n1,2\n' } },
  { message: 'second' },
)
const HELD = registryV1({
  'team/data': { 1680720300: first, 1680720661: second },
  'new/one': { v1: first, latest: second },
})

/** Calls whose answers `test/contract/quilt.test.ts` records for objects in memory. */
const CALLS: readonly (readonly [keyof Packages, object])[] = [
  ['list', {}],
  ['list', { registry: 'lab', limit: 1 }],
  ['list', { registry: 'lab', limit: 1, after: 'new/one' }],
  ['show', { package: 'lab/team/data:1680720300' }],
  ['show', { package: `lab/team/data@${first.hash.slice(0, 12)}` }],
  ['show', { package: 'lab/tem/data' }],
  ['log', { package: 'lab/team/data' }],
  ['diff', { before: `lab/team/data@${first.hash}`, after: 'lab/team/data' }],
  ['ls', { package: 'lab/team/data:1680720300', path: 'data/', limit: 1 }],
  ['ls', { package: 'lab/team/data:1680720300', path: 'data', after: 'a.csv' }],
  ['cat', { package: 'lab/team/data', path: 'data/a.csv' }],
  ['cat', { package: 'lab/team/data:1680720300', path: 'data/deep/b.bin' }],
  ['cat', { package: 'lab/team/data', path: 'data/a.csv', maxBytes: 7 }],
  ['verify', { package: `lab/team/data@${first.hash}` }],
  ['verify', { package: 'lab/new/one', topHashOnly: true }],
]

it('packages in a directory and in a bucket are told alike', async () => {
  const [told, inS3] = await Promise.all(
    LABS.map(async ([, labOf]) => {
      await using lab = await labOf(HELD)
      const packages = await lab.engine.packages()
      const events: FlowEvent[] = []
      const run = { emit: (event: FlowEvent) => void events.push(event) }
      const answers = CALLS.map(([name, request]) => {
        const answer = Reflect.apply(packages[name], packages, [request, run]) as Promise<unknown>
        return answer.catch(({ code, message, hint }) => ({ code, message, hint }))
      })
      const text = JSON.stringify([await Promise.all(answers), events.at(-1)])
      const named = text.replaceAll('"s3://bucket/', '"').replaceAll(lab.uri, 'URI')
      return JSON.parse(named.replaceAll(`"bucket":"${lab.bucket}"`, '"bucket":"B"'))
    }),
  )
  expect(inS3).toEqual(told)
  const [answers, progress] = told
  expect(answers[3]).toMatchObject({ modified: '2023-04-05T18:45:00.000Z', message: 'first', totalBytes: 17 })
  expect(answers[10]).toMatchObject({ text: 'a,b\n1,2\n', isVerified: true })
  expect(answers.slice(11, 13)).toMatchObject([{ code: 'invalid-input' }, { code: 'over-limit' }])
  expect(answers[13]).toMatchObject({ isGood: true, verified: 3 })
  expect(progress).toEqual({ type: 'progress', what: 'verify', done: 3, total: 3 })
})

describe.each(LABS)('packages in %s', (_, labOf) => {
  it('give any bytes as a stream', async () => {
    await using lab = await labOf(HELD)
    const request = { package: 'lab/team/data:1680720300', path: 'data/deep/b.bin' }
    const entry = await (await lab.engine.packages()).entry(request, SILENT)
    expect(Buffer.concat(await Array.fromAsync(entry.stream())).toString()).toBe('a\0b')
  })

  it('are verified without their entries, when that is asked for', async () => {
    await using lab = await labOf({ ...HELD, 'data/data/a.csv': 'other' })
    const packages = await lab.engine.packages()
    const asked = { package: 'lab/team/data' }
    expect(await packages.verify({ ...asked, topHashOnly: true }, SILENT)).toMatchObject({ isGood: true, verified: 0 })
    expect(await packages.verify(asked, SILENT)).toMatchObject({
      isGood: false,
      isTopHashGood: true,
      verified: 1,
      counts: { 'size-mismatch': 1 },
      reports: [{ line: 3, logicalKey: 'data/a.csv', problem: 'size-mismatch' }],
    })
  })

  it('stop when they are cancelled', async () => {
    await using lab = await labOf(HELD)
    const packages = await lab.engine.packages()
    const run = { ...SILENT, signal: AbortSignal.abort() }
    for (const asked of [packages.show({ package: 'lab/team/data' }, run), packages.list({}, run)])
      expect(await failure(asked)).toMatchObject({ code: 'cancelled' })
  })
})

describe('a bucket by its address', () => {
  const address = 'quilt+s3://bucket#package=team/data'

  it('is asked itself, where no collection is that bucket', async () => {
    await using lab = await inBucket(HELD)
    const engine = engineFor(lab.server)
    const packages = await engine.packages()
    expect(await packages.show({ package: address }, SILENT)).toMatchObject({ bucket: 'bucket', hash: second.hash })
    expect((await packages.list({ registry: 's3://bucket' }, SILENT)).packages).toEqual([
      { bucket: 'bucket', name: 'new/one', place: 'quilt+s3://bucket#package=new/one' },
      { bucket: 'bucket', name: 'team/data', place: address },
    ])
    expect(await packages.cat({ package: `${address}&path=README.md` }, SILENT)).toMatchObject({
      text: '# Two, longer\n',
    })
    const twice = await failure(packages.cat({ package: `${address}&path=README.md`, path: 'a' }, SILENT))
    expect(twice).toMatchObject({ code: 'invalid-input', message: 'The address has a path, and another one is given.' })
    await engine.close()
  })

  it('is asked for a package in three round trips, two of them for its time, and for an entry in three', async () => {
    await using lab = await inBucket(HELD)
    const packages = await lab.engine.packages()
    const asked = async (work: Promise<unknown>) => {
      lab.server.log.length = 0
      await work
      return lab.server.log.map(({ path }) => path.replace(/[0-9a-f]{64}/, 'HASH'))
    }
    const [pointer, manifest] = ['/bucket/.quilt/named_packages/team/data/latest', '/bucket/.quilt/packages/HASH']
    const shown = await asked(packages.show({ package: 'lab/team/data' }, SILENT))
    expect([shown[0], new Set(shown)]).toEqual([
      pointer,
      new Set([pointer, manifest, '/bucket/', '/bucket/.quilt/named_packages/team/data/1680720661']),
    ])
    expect(await asked(packages.ls({ package: `lab/team/data@${first.hash}` }, SILENT))).toEqual([manifest])
    expect(await asked(packages.cat({ package: 'lab/team/data', path: 'README.md' }, SILENT))).toEqual([
      pointer,
      manifest,
      '/bucket/data2/README.md',
    ])
  })

  it('is only asked where it is a collection, when nothing else may be', async () => {
    await using lab = await inBucket(HELD)
    const engine = engineFor(lab.server)
    const packages = await engine.packages('collections')
    expect(await failure(packages.show({ package: address }, SILENT))).toMatchObject({
      code: 'denied',
      message: 'The bucket bucket is not a collection.',
    })
    expect(await failure(packages.list({ registry: 's3://bucket' }, SILENT))).toMatchObject({ code: 'denied' })
    expect(lab.server.log).toEqual([])
    expect(await (await lab.engine.packages('collections')).show({ package: address }, SILENT)).toMatchObject({
      hash: second.hash,
    })
    await engine.close()
  })

  it('may be a part of a bucket as a collection, with its packages there', async () => {
    const moved = Object.entries(HELD).map(([key, value]) => [
      `deep/er/${key}`,
      typeof value === 'string' ? value.replaceAll('s3://bucket/', 's3://bucket/deep/er/') : value,
    ])
    await using lab = await inBucket(Object.fromEntries(moved))
    await (await lab.engine.library()).collections.add({ name: 'part', root: 's3://bucket/deep/er/' })
    const packages = await lab.engine.packages()
    expect(await packages.verify({ package: 'part/team/data' }, SILENT)).toMatchObject({ isGood: true, verified: 2 })
    expect(await failure(packages.show({ package: 'lab/team/data' }, SILENT))).toMatchObject({ code: 'not-found' })
  })

  it('that may not be read says so, once, and is asked no more', async () => {
    await using lab = await inBucket(HELD)
    lab.server.refuses = () => true
    const told = await failure((await lab.engine.packages()).show({ package: 'lab/team/data' }, SILENT))
    expect(told).toMatchObject({ code: 'denied', message: expect.stringContaining('is denied to these credentials') })
    expect(lab.server.log.length).toBeLessThan(3)
    const all = await (await lab.engine.packages()).list({}, SILENT)
    expect(all).toMatchObject({
      packages: [],
      problems: [{ registry: 'lab', message: told.message.replace(/\/\.quilt\S*/, '') }],
    })
  })
})

describe('entries that are elsewhere', () => {
  const made = packageOf({ 'a.txt': { text: 'one', key: 'x/a.txt' } })
  const manifest = (place: string): Held => ({
    '.quilt/named_packages/team/data/latest': made.hash,
    [`.quilt/packages/${made.hash}`]: made.manifest.replace('s3://bucket/x/a.txt', place),
  })

  it('are read where their place is a collection, too', async () => {
    await using lab = await inDirectory({})
    lab.files.plant({ 'other/a.txt': 'one' })
    lab.put(manifest(`file://${lab.files.at('other/a.txt')}`))
    const packages = await lab.engine.packages()
    const asked = { package: 'lab/team/data', path: 'a.txt' }
    expect(await failure(packages.cat(asked, SILENT))).toMatchObject({
      code: 'untrusted',
      message: expect.stringContaining('is outside the registry'),
    })
    expect(await packages.verify(asked, SILENT)).toMatchObject({ isGood: true, verified: 0, counts: { outside: 1 } })
    await (await lab.engine.library()).collections.add({ name: 'other', root: lab.files.at('other') })
    expect(await packages.cat(asked, SILENT)).toMatchObject({ text: 'one', isVerified: true })
    expect(await packages.verify(asked, SILENT)).toMatchObject({ isGood: true, verified: 1, counts: {} })
  })

  it('are asked of no other bucket', async () => {
    await using lab = await inBucket(manifest('s3://elsewhere/a.txt'))
    const packages = await lab.engine.packages()
    expect(await packages.verify({ package: 'lab/team/data' }, SILENT)).toMatchObject({ counts: { outside: 1 } })
    expect(lab.server.log.filter(({ path }) => path.includes('elsewhere'))).toEqual([])
  })
})
