import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/core/flow.ts'
import { openWritable } from '../../../src/files/directory.ts'
import type { Objects } from '../../../src/files/objects.ts'
import { openS3 } from '../../../src/files/s3/s3.ts'
import { downloadPackage } from '../../../src/quilt/packages/local.ts'
import { type PushRequest, pushPackage, readMetadata } from '../../../src/quilt/packages/push.ts'
import { resolvePackage } from '../../../src/quilt/packages/resolve.ts'
import { summarizeManifest } from '../../../src/quilt/packages/top-hash.ts'
import { verifyPackage } from '../../../src/quilt/packages/verify.ts'
import { Bucket, type Versioning } from '../../support/s3/bucket.ts'
import { KEY, REGION, SECRET, s3Server } from '../../support/s3/server.ts'
import { type Tree, tree } from '../../support/tree.ts'
import { failure } from './fixtures.ts'

const NAME = 'team/data'

function push(directory: string, registry: Objects, request: Partial<PushRequest> = {}) {
  return pushPackage(openWritable(directory), registry, { name: NAME, isConfirmed: true, ...request }, SILENT)
}

async function get(directory: string, registry: Objects, request: { path?: string; force?: boolean } = {}) {
  const resolved = await resolvePackage(registry, { name: NAME })
  const options = { registry, directory: openWritable(directory, { create: true }), ...request }
  return downloadPackage(resolved, options, SILENT)
}

/** The lines of the latest manifest, and whether its hash and all of its objects are right. */
async function latestIn(registry: Objects) {
  const { manifest, hash } = await resolvePackage(registry, { name: NAME })
  const chunks: Uint8Array[] = []
  for await (const chunk of manifest.open()) chunks.push(Uint8Array.from(chunk))
  const [header = '', ...lines] = Buffer.concat(chunks).toString().trim().split('\n')
  const { isGood } = await verifyPackage({ manifest, hash }, { registry }, SILENT)
  return {
    hash,
    header,
    isGood,
    lines: new Map(lines.map((line) => [/"logical_key": "([^"]*)"/.exec(line)?.[1], line])),
  }
}

/** A package as Python wrote it: metadata of entries and of the package, with numbers that JavaScript has not. */
function plantPython(at: Tree, more: readonly string[] = []): void {
  const sum = (text: string) => createHash('sha256').update(text).digest('hex')
  const entry = (key: string, text: string, meta: string) =>
    `{"logical_key": "${key}", "physical_keys": ["file://${at.at('lab')}/old/${key}"], "size": ${text.length}, "hash": {"type": "SHA256", "value": "${sum(text)}"}, "meta": {"user_meta": ${meta}}}`
  const lines = [
    '{"version": "v0", "message": "first", "user_meta": {"qc": NaN, "10": 1, "big": 123456789012345678901234567890, "2": 1.50}}',
    '{"logical_key": "d/", "meta": {"user_meta": {"of": "a directory"}}}',
    entry('a.txt', 'a', '{"sample": "S1", "low": -Infinity}'),
    entry('b.txt', 'b', '{"sample": "S2", "1": {"b": 1E5, "a": Infinity}}'),
    entry('d/c.txt', 'c', '{"sample": 1e400}'),
    ...more,
  ]
  const hash = '1'.repeat(64)
  at.plant({
    'lab/old/a.txt': 'a',
    'lab/old/b.txt': 'b',
    'lab/old/d/c.txt': 'c',
    [`lab/.quilt/packages/${hash}`]: `${lines.join('\n')}\n`,
    [`lab/.quilt/named_packages/${NAME}/latest`]: hash,
    [`lab/.quilt/named_packages/${NAME}/1680720300`]: hash,
  })
}

/** The manifest is under the hash that it has. */
async function plantNamed(at: Tree, more: readonly string[] = []): Promise<Objects> {
  plantPython(at, more)
  const registry = openWritable(at.at('lab'))
  const { manifest } = await resolvePackage(registry, { name: NAME })
  const { computedHash } = await summarizeManifest(manifest)
  const text = readFileSync(at.at(`lab/.quilt/packages/${'1'.repeat(64)}`))
  rmSync(at.at(`lab/.quilt/packages/${'1'.repeat(64)}`))
  writeFileSync(at.at(`lab/.quilt/packages/${computedHash}`), text)
  for (const pointer of ['latest', '1680720300'])
    writeFileSync(at.at(`lab/.quilt/named_packages/${NAME}/${pointer}`), String(computedHash))
  return registry
}

describe('a package that is revised', () => {
  it('keeps the lines of what did not change, and the metadata of what did', async () => {
    using at = tree({ 'lab/': '' })
    const registry = await plantNamed(at)
    const before = await latestIn(registry)
    await get(at.at('home'), registry)
    writeFileSync(at.at('home/b.txt'), 'bb')
    const pushed = await push(at.at('home'), registry)
    expect(pushed).toMatchObject({ uploaded: 1, absent: 0, changes: [{ change: 'changed', logicalKey: 'b.txt' }] })
    const after = await latestIn(registry)
    expect(after).toMatchObject({ hash: pushed.hash, isGood: true })
    for (const key of ['a.txt', 'd/c.txt', 'd/']) expect(after.lines.get(key)).toBe(before.lines.get(key))
    expect(after.lines.get('b.txt')).toContain(
      '"meta": {"user_meta": {"sample": "S2", "1": {"b": 1E5, "a": Infinity}}}}',
    )
    expect(after.header).toBe(before.header.replace('"first"', 'null'))
    // Of Python's json and hashlib.
    expect(pushed.hash).toBe('91194a657f733c8fbdaabc4dfb438f597f6c64ac3ca8c9b5b5b73b8d4e751989')
  })

  it('keeps what was never fetched, and what cannot be', async () => {
    using at = tree({ 'lab/': '' })
    const far =
      '{"logical_key": "far.txt", "physical_keys": ["s3://other-bucket/c.txt?versionId=x"], "size": 1, "hash": {"type": "SHA256", "value": "00"}, "meta": {}}'
    const registry = await plantNamed(at, [far])
    await get(at.at('home'), registry, { path: 'a.txt' })
    writeFileSync(at.at('home/a.txt'), 'new')
    expect(await push(at.at('home'), registry)).toMatchObject({ totalEntries: 4, absent: 3, changed: 1 })
    expect((await latestIn(registry)).lines.get('far.txt')).toBe(far)
    rmSync(at.at('home/a.txt'))
    expect(await push(at.at('home'), registry)).toMatchObject({ absent: 4, changed: 0 })
    expect(await push(at.at('home'), registry, { remove: ['d', 'far.txt'] })).toMatchObject({
      totalEntries: 2,
      changes: [
        { change: 'removed', logicalKey: 'd/c.txt' },
        { change: 'removed', logicalKey: 'far.txt' },
      ],
    })
  })

  it.each([
    ['a file that is there', { remove: ['a.txt'] }, 'is in the directory'],
    ['an entry that is not there', { remove: ['x'] }, 'has no "x"'],
    ['metadata of an entry that is not there', { entryMeta: { x: {} } }, '"x", which is not an entry'],
  ])('refuses %s', async (_, request, message) => {
    using at = tree({ 'lab/': '' })
    const registry = await plantNamed(at)
    await get(at.at('home'), registry)
    expect((await failure(push(at.at('home'), registry, request))).message).toContain(message)
  })

  it('gets metadata by text and by file, and is listed before it is written', async () => {
    using at = tree({ 'lab/': '', 'meta.json': '{"a.txt": {"n": NaN}}' })
    const registry = await plantNamed(at)
    await get(at.at('home'), registry)
    const given = { meta: '{"p": 1.0}', entryMeta: ['b.txt=null'], entryMetaFile: at.at('meta.json') }
    const request = await readMetadata(given)
    const changes = [
      { change: 'metadata', logicalKey: 'a.txt', differences: ['meta'], before: { size: 1 }, after: { size: 1 } },
      { change: 'metadata', logicalKey: 'b.txt' },
    ]
    const metadata = [
      { change: 'removed', path: '/2', before: '1.5' },
      { change: 'removed', path: '/10', before: '1' },
      { change: 'removed', path: '/qc', before: 'NaN' },
      { change: 'removed', path: '/big', before: '123456789012345678901234567890' },
      { change: 'added', path: '/p', after: '1.0' },
    ]
    const plan = await push(at.at('home'), registry, { ...request, isConfirmed: false })
    expect(plan).toMatchObject({
      ...{ changes, metadata, message: { before: 'first', after: null } },
      ...{ uploaded: 0, isPushed: false },
    })
    expect((await push(at.at('home'), registry, request)).hash).toBe(plan.hash)
    const { header, lines, isGood } = await latestIn(registry)
    expect([header.includes('"user_meta": {"p": 1.0}'), isGood]).toEqual([true, true])
    expect(lines.get('a.txt')).toContain('"meta": {"user_meta": {"n": NaN}}')
    expect(lines.get('b.txt')).toContain('"meta": {}')
  })

  it('takes over what others pushed since it was fetched, and says where both changed', async () => {
    using at = tree({ 'lab/': '' })
    const registry = await plantNamed(at)
    for (const home of ['one', 'two']) await get(at.at(home), registry)
    writeFileSync(at.at('one/a.txt'), 'one')
    writeFileSync(at.at('one/new.txt'), 'new')
    await push(at.at('one'), registry)
    writeFileSync(at.at('two/b.txt'), 'two')
    expect(await push(at.at('two'), registry)).toMatchObject({ changed: 1, totalEntries: 4 })
    // Its a.txt is still the old one, which is no change.
    expect(await push(at.at('two'), registry)).toMatchObject({ isCurrent: true })
    await get(at.at('end'), registry)
    expect(['a.txt', 'b.txt', 'new.txt'].map((key) => readFileSync(at.at('end', key), 'utf8'))).toEqual([
      ...['one', 'two', 'new'],
    ])
    writeFileSync(at.at('one/b.txt'), 'eno')
    expect(await failure(push(at.at('one'), registry))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('somebody else also changed "b.txt"'),
    })
    expect(await failure(get(at.at('one'), registry, { path: 'a.txt' }))).toMatchObject({ code: 'invalid-input' })
    expect(await get(at.at('one'), registry)).toMatchObject({ counts: { different: 1 } })
    expect(await failure(push(at.at('one'), registry))).toMatchObject({ code: 'conflict' })
    expect(await get(at.at('two'), registry)).toMatchObject({ written: 2, counts: {} })
  })

  it('is not given back what others removed, nor kept from a change by what cannot be fetched', async () => {
    using at = tree({ 'lab/': '' })
    const far =
      '{"logical_key": "far.txt", "physical_keys": ["s3://other-bucket/c.txt"], "size": 1, "hash": {"type": "SHA256", "value": "00"}, "meta": {}}'
    const registry = await plantNamed(at, [far])
    for (const home of ['one', 'two']) await get(at.at(home), registry)
    for (const key of ['a.txt', 'd/c.txt']) rmSync(at.at('one', key))
    writeFileSync(at.at('one/b.txt'), 'one')
    await push(at.at('one'), registry, { remove: ['a.txt'] })
    writeFileSync(at.at('two/d/c.txt'), 'two')
    for (const totalEntries of [3, 3]) expect(await push(at.at('two'), registry)).toMatchObject({ totalEntries })
    expect(await get(at.at('two'), registry)).toMatchObject({ counts: { extra: 1 } })
    writeFileSync(at.at('two/b.txt'), 'two')
    expect(await push(at.at('two'), registry)).toMatchObject({ changed: 1, totalEntries: 3 })
  })

  it.each(['one', 'two'])(
    'keeps its files where another push took the place of it at the same time: %s',
    async (lost) => {
      using at = tree({ 'lab/': '', 'src/a.txt': 'a' })
      const lab = openWritable(at.at('lab'))
      await push(at.at('src'), lab)
      for (const home of ['one', 'two']) {
        await get(at.at(home), lab)
        writeFileSync(at.at(`${home}/${home}.txt`), home)
      }
      const latest = `.quilt/named_packages/${NAME}/latest`
      const put = lab.put.bind(lab)
      let other = ''
      const ignoring: Objects = {
        ...lab,
        put: async (key, bytes, request) => {
          if (key !== latest) return put(key, bytes, request)
          other = (await push(at.at('two'), lab)).hash
          return put(key, bytes)
        },
      }
      expect(await push(at.at('one'), ignoring)).toMatchObject({ rivals: [other] })
      // The second one knew nothing of the first, whose pointer stood when it began.
      if (lost === 'one') await put(latest, Buffer.from(other))
      await push(at.at(lost), lab)
      expect([...(await latestIn(lab)).lines.keys()].sort()).toEqual(['a.txt', 'one.txt', 'two.txt'])
    },
  )

  it('is refused where the revision before cannot be read', async () => {
    using at = tree({ 'lab/': '', 'src/a.txt': 'a' })
    plantPython(at, ['{"logical_key": '])
    expect(await failure(push(at.at('src'), openWritable(at.at('lab'))))).toMatchObject({ code: 'invalid-input' })
  })
})

describe.each([
  ['a versioned bucket', 'Enabled', 'compares'],
  ['a versioned bucket whose service refuses If-Match', 'Enabled', 'never'],
  ['a bucket of a service that has no If-Match', undefined, 'unknown'],
  ['a bucket of a service that ignores If-Match', undefined, 'ignores'],
] as const)('%s', (_, versioning: Versioning, ifMatch) => {
  async function opened() {
    const server = await s3Server()
    const bucket = Object.assign(new Bucket(REGION), { versioning, ifMatch })
    server.buckets.set('bucket', bucket)
    const credentials = { accessKeyId: KEY, secretAccessKey: SECRET }
    const open = () => openS3({ bucket: 'bucket', endpoint: server.url, region: REGION, credentials })
    return { server, bucket, registry: await open() }
  }

  it('takes a second push, and two at once lose nothing', async () => {
    using at = tree({ 'src/a.txt': 'a', 'src/b.txt': 'b' })
    const { server, registry } = await opened()
    await using _server = server
    const first = await push(at.at('src'), registry)
    writeFileSync(at.at('src/a.txt'), 'changed')
    const second = await push(at.at('src'), registry)
    expect(second).toMatchObject({ parent: first.hash, isUncompared: ['never', 'unknown'].includes(ifMatch) })
    for (const home of ['one', 'two']) await get(at.at(home), registry)
    writeFileSync(at.at('one/one.txt'), '1')
    writeFileSync(at.at('two/two.txt'), '2')
    const both = await Promise.allSettled(['one', 'two'].map((home) => push(at.at(home), registry)))
    const hashes = new Set(
      both.map((one) => (one.status === 'fulfilled' ? one.value.hash : /@([0-9a-f]{64})/.exec(one.reason.hint)?.[1])),
    )
    const told = both.filter((one) => one.status === 'rejected' || one.value.rivals.length > 0)
    const { hash, isGood } = await latestIn(registry)
    expect([hashes.has(hash), isGood, told.length > 0]).toEqual([true, true, true])
    for (const one of hashes) {
      const resolved = await resolvePackage(registry, { name: NAME, revision: { hash: String(one) } })
      expect(await verifyPackage(resolved, { registry }, SILENT)).toMatchObject({ isGood: true, totalEntries: 3 })
    }
    await registry.close()
  })

  it('has a large file where no other push can overwrite it', async () => {
    using at = tree({ 'src/a.txt': 'a' })
    const { server, bucket, registry } = await opened()
    await using _server = server
    await push(at.at('src'), registry)
    writeFileSync(at.at('src/large'), Buffer.alloc((8 << 20) + 1, 'x'))
    await push(at.at('src'), registry)
    const place = versioning ? /^team\/data\/large$/ : /^team\/data\/\.objects\/[0-9a-f]{64}\/large$/
    expect(bucket.keys().filter((key) => key.endsWith('large'))).toEqual([expect.stringMatching(place)])
    await registry.close()
  })

  // How the parts of a file are put has nothing to do with what the service compares.
  const tier = ifMatch === 'compares' ? {} : { tags: 'long' as const }

  it('gets a large file in parts, and goes on where an upload was interrupted', tier, async () => {
    const large = Buffer.alloc(20 << 20, 'x')
    large.fill('y', 9 << 20)
    using at = tree({ 'src/a.txt': 'a' })
    writeFileSync(at.at('src/large'), large)
    const { server, bucket, registry } = await opened()
    await using _server = server
    const isPart = (number: string) => (request: { query: ReadonlyMap<string, string> }) =>
      request.query.get('partNumber') === number
    server.troubles.push({ of: isPart('3'), answer: { status: 403 } })
    expect(await failure(push(at.at('src'), registry))).toMatchObject({ code: 'denied' })
    expect(bucket.uploads.size).toBe(1)
    const sent = server.log.length
    await push(at.at('src'), registry)
    const parts = server.log.slice(sent).filter(({ method, query }) => method === 'PUT' && query.has('partNumber'))
    expect(parts.map(({ query }) => query.get('partNumber'))).toEqual(['3'])
    expect([bucket.uploads.size, (await latestIn(registry)).isGood]).toEqual([0, true])
    await registry.close()
  })
})

describe('a push that fails', () => {
  it('ends the uploads that are under way', async () => {
    using at = tree({
      'lab/': '',
      ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`src/${at}`, `${at}`])),
    })
    const lab = openWritable(at.at('lab'))
    let begun = 0
    const registry: Objects = {
      ...lab,
      putStream: async (key, bytes, request) => {
        if (++begun === 3) return lab.put('', Buffer.alloc(0))
        await new Promise((resolve) => setTimeout(resolve, 20))
        return lab.putStream(key, bytes, request)
      },
    }
    await failure(push(at.at('src'), registry))
    const atOnce = begun
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([begun, begun < 8]).toEqual([atOnce, true])
  })

  it('and was killed leaves nothing when the next one has ended', async () => {
    using at = tree({ 'lab/': '', 'src/a.txt': 'a' })
    const registry = openWritable(at.at('lab'))
    await push(at.at('src'), registry)
    const [temporary = ''] = [readFileSync('/proc/sys/kernel/pid_max', 'utf8').trim()]
    const { processId } = await import('../../../src/files/disk/directory-place.ts')
    const machine = processId().split('-')[0]
    const left = [`.ambit-put-${machine}-${temporary}-0123456789abcdef`, `.ambit-put-0123456789abcdef.lock`]
    for (const folder of ['lab/team/data', 'lab/team/data/.objects/0a', `lab/.quilt/named_packages/${NAME}`, 'home'])
      at.plant({ [`${folder}/${left[0]}`]: 'x', [`${folder}/${left[1]}`]: `${machine}-${temporary}` })
    at.plant({ 'src/a.txt': 'aa' })
    await push(at.at('src'), registry)
    await get(at.at('home'), registry)
    const names = readdirSync(at.at('.'), { recursive: true }).map(String)
    expect(names.filter((name) => name.includes('.ambit-put'))).toEqual([])
  })
})
