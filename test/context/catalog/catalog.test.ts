import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type FlowEvent, SILENT } from '../../../src/core/flow.ts'
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

describe.each(LABS)('packages in %s', (_, labOf) => {
  it('are listed with what the other commands take', async () => {
    await using lab = await labOf(HELD)
    const packages = await lab.engine.packages()
    const both = [
      { bucket: lab.bucket, name: 'new/one', place: 'lab/new/one' },
      { bucket: lab.bucket, name: 'team/data', place: 'lab/team/data' },
    ]
    expect(await packages.list({}, SILENT)).toEqual({ packages: both, more: [], problems: [] })
    expect(await packages.list({ registry: 'lab/team/' }, SILENT)).toMatchObject({ packages: [both[1]] })
    const page = await packages.list({ registry: 'lab', limit: 1 }, SILENT)
    expect(page).toEqual({ packages: [both[0]], more: [{ registry: 'lab', after: 'new/one' }], problems: [] })
    const rest = await packages.list({ registry: 'lab', limit: 1, after: 'new/one' }, SILENT)
    expect(rest).toEqual({ packages: [both[1]], more: [], problems: [] })
  })

  it('are shown as the contract has it, key by key', async () => {
    await using lab = await labOf(HELD)
    const packages = await lab.engine.packages()
    const shown = await packages.show({ package: 'lab/team/data:1680720300' }, SILENT)
    expect(Object.entries(shown)).toEqual([
      ['bucket', lab.bucket],
      ['name', 'team/data'],
      ['hash', first.hash],
      ['computedHash', first.hash],
      ['modified', '2023-04-05T18:45:00.000Z'],
      ['message', 'first'],
      ['userMeta', { by: 'Ernest' }],
      ['workflow', { id: 'alpha' }],
      ['totalEntries', 3],
      ['totalBytes', 17],
    ])
    const latest = await packages.show({ package: 'lab/team/data' }, SILENT)
    expect(latest).toMatchObject({ hash: second.hash, message: 'second', userMeta: null, workflow: null })
    // Not when the pointer was written, which is when a registry was copied.
    expect(latest.modified).toBe('2023-04-05T18:51:01.000Z')
    const byHash = await packages.show({ package: `lab/team/data@${first.hash.slice(0, 12)}` }, SILENT)
    expect(byHash).toMatchObject({ hash: first.hash, modified: '2023-04-05T18:45:00.000Z' })
  })

  it('have a log with what was said of each revision', async () => {
    await using lab = await labOf(HELD)
    const packages = await lab.engine.packages()
    expect(await packages.log({ package: 'lab/team/data' }, SILENT)).toEqual({
      bucket: lab.bucket,
      name: 'team/data',
      latest: second.hash,
      total: 2,
      revisions: [
        {
          hash: second.hash,
          modified: '2023-04-05T18:51:01.000Z',
          pointers: ['1680720661'],
          isLatest: true,
          message: 'second',
        },
        {
          hash: first.hash,
          modified: '2023-04-05T18:45:00.000Z',
          pointers: ['1680720300'],
          isLatest: false,
          message: 'first',
        },
      ],
    })
    expect(await packages.log({ package: 'lab/team/data', limit: 1 }, SILENT)).toMatchObject({
      total: 2,
      revisions: [{ hash: second.hash }],
    })
  })

  it('tell a revision whose manifest is gone or broken from the others', async () => {
    const { [`.quilt/packages/${first.hash}`]: __, ...rest } = HELD
    await using lab = await labOf({ ...rest, [`.quilt/packages/${second.hash}`]: 'none' })
    const { revisions } = await (await lab.engine.packages()).log({ package: 'lab/team/data' }, SILENT)
    expect(revisions).toMatchObject([
      { message: null, problem: expect.stringContaining('Line 1') },
      { message: null, problem: expect.stringContaining('There is no') },
    ])
  })

  it('are compared, revisions of one and different ones', async () => {
    await using lab = await labOf(HELD)
    const packages = await lab.engine.packages()
    const before = `lab/team/data@${first.hash}`
    const told = await packages.diff({ before, after: 'lab/team/data' }, SILENT)
    expect(told).toMatchObject({
      before: { bucket: lab.bucket, name: 'team/data', hash: first.hash },
      after: { bucket: lab.bucket, name: 'team/data', hash: second.hash },
      message: { before: 'first', after: 'second' },
      header: ['userMeta', 'workflow'],
      added: 0,
      removed: 1,
      changed: 1,
      unchanged: 1,
      changes: [
        { change: 'changed', logicalKey: 'README.md', differences: ['size', 'hash'] },
        { change: 'removed', logicalKey: 'data/deep/b.bin' },
      ],
    })
    const same = await packages.diff({ before: 'lab/team/data', after: 'lab/new/one' }, SILENT)
    expect(same).toMatchObject({ added: 0, removed: 0, changed: 0, unchanged: 2, changes: [] })
    expect((await packages.diff({ before, after: 'lab/team/data', limit: 1 }, SILENT)).changes).toHaveLength(1)
  })

  it('are listed as directories, page by page', async () => {
    await using lab = await labOf(HELD)
    const packages = await lab.engine.packages()
    const place = 'lab/team/data:1680720300'
    const top = await packages.ls({ package: place }, SILENT)
    expect(top).toMatchObject({ hash: first.hash, path: '', totalEntries: 3, totalBytes: 17, totalChildren: 2 })
    const text = '# One\n'
    expect(top.children).toEqual([
      {
        kind: 'entry',
        name: 'README.md',
        size: 6,
        hash: { type: 'SHA256', value: createHash('sha256').update(text).digest('hex') },
        physicalKey: expect.stringMatching(/(^|\/)data\/README\.md$/),
        userMeta: null,
      },
      { kind: 'directory', name: 'data', totalEntries: 2, totalBytes: 11 },
    ])
    const page = await packages.ls({ package: place, path: 'data', limit: 1 }, SILENT)
    expect(page).toMatchObject({ path: 'data', children: [{ name: 'a.csv' }], next: 'a.csv' })
    const rest = await packages.ls({ package: place, path: 'data/', after: 'a.csv' }, SILENT)
    expect(rest.children).toEqual([{ kind: 'directory', name: 'deep', totalEntries: 1, totalBytes: 3 }])
  })

  it('give a text, held against its hash, and any bytes as a stream', async () => {
    await using lab = await labOf(HELD)
    const packages = await lab.engine.packages()
    const place = 'lab/team/data:1680720300'
    expect(await packages.cat({ package: place, path: 'data/a.csv' }, SILENT)).toEqual({
      bucket: lab.bucket,
      name: 'team/data',
      hash: first.hash,
      path: 'data/a.csv',
      size: 8,
      text: 'a,b\n1,2\n',
      replaced: 0,
      isVerified: true,
    })
    const bytes = await Array.fromAsync(
      (await packages.entry({ package: place, path: 'data/deep/b.bin' }, SILENT)).stream(),
    )
    expect(Buffer.concat(bytes).toString()).toBe('a\0b')
  })

  it.each([
    ['binary', { path: 'data/deep/b.bin' }, 'invalid-input', 'is not text: it holds NUL bytes'],
    ['larger than is asked for', { path: 'data/a.csv', maxBytes: 7 }, 'over-limit', 'has 8 bytes; at most 7 are given'],
    ['a directory with its slash', { path: 'data/' }, 'invalid-input', '"data/" is a directory.'],
    ['nothing', {}, 'invalid-input', 'No entry is named.'],
  ])('do not give as a text what is %s', async (__, asked, code, message) => {
    await using lab = await labOf(HELD)
    const packages = await lab.engine.packages()
    const told = await failure(packages.cat({ package: 'lab/team/data:1680720300', ...asked }, SILENT))
    expect(told).toMatchObject({ code, message: expect.stringContaining(message) })
  })

  it('are verified, and tell how far that is', async () => {
    await using lab = await labOf(HELD)
    const events: FlowEvent[] = []
    const run = { emit: (event: FlowEvent) => void events.push(event) }
    const told = await (await lab.engine.packages()).verify({ package: `lab/team/data@${first.hash}` }, run)
    expect(told).toEqual({
      bucket: lab.bucket,
      name: 'team/data',
      hash: first.hash,
      computedHash: first.hash,
      isGood: true,
      isTopHashGood: true,
      totalEntries: 3,
      totalBytes: 17,
      verified: 3,
      counts: {},
      reports: [],
    })
    expect(events.at(-1)).toEqual({ type: 'progress', what: 'verify', done: 3, total: 3 })
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
