import { describe, expect, it } from 'vitest'
import { ContextError } from '../../../src/core/errors.ts'
import { type FlowEvent, SILENT } from '../../../src/core/flow.ts'
import { resolvePackage } from '../../../src/quilt/packages/resolve.ts'
import { type VerifyOptions, verifyPackage } from '../../../src/quilt/packages/verify.ts'
import { type Held, memoryObjects } from '../../support/memory-objects.ts'
import { entryLine, failure, HEADER, type Made, manifestOf, packageOf, registryV1 } from './fixtures.ts'

const good = packageOf({
  'a.txt': { text: 'one' },
  'b/c d.txt': { text: 'two', key: 'data/b/c d#.txt' },
  'b/empty': { text: '' },
  old: { text: 'before', key: 'data/old', version: 'v1' },
})

/** A registry with the package, and what its latest revision leads to. */
async function pushed(made: Made, changes: Held = {}, options?: Parameters<typeof memoryObjects>[1]) {
  const registry = memoryObjects({ ...registryV1({ 'team/data': { 1: made } }), ...changes }, options)
  return { registry, resolved: await resolvePackage(registry, { name: 'team/data' }) }
}

async function verified(made: Made, changes: Held = {}, options: Partial<VerifyOptions> = {}) {
  const { registry, resolved } = await pushed(made, changes)
  return verifyPackage(resolved, { registry, ...options }, SILENT)
}

/** So many files of as many letters. */
const files = (count: number, letters: number) =>
  packageOf(Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, { text: 'x'.repeat(letters) }])))

/** The lines of entries, which are checked where `held` is the bucket. */
async function checked(lines: readonly string[], held: Held = {}, options: Partial<VerifyOptions> = {}) {
  const resolved = { manifest: manifestOf([HEADER, ...lines]), hash: '0'.repeat(64) }
  return verifyPackage(resolved, { registry: memoryObjects(held), ...options }, SILENT)
}

describe('the check of a package', () => {
  it('is good when everything is as its manifest says', async () => {
    const { hash } = good
    const whole = { hash, computedHash: hash, isTopHashGood: true, isGood: true, totalEntries: 4, totalBytes: 12 }
    expect(await verified(good)).toMatchObject({ ...whole, verified: 4, counts: {}, reports: [] })
  })

  it.each([
    ['another text', 'ono', 'hash-mismatch', 'not "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"'],
    ['a byte more', 'one!', 'size-mismatch', 'It has more than 3 bytes.'],
    ['a byte less', 'on', 'size-mismatch', 'It has 2 bytes, not 3.'],
    ['nothing', '', 'size-mismatch', 'It has 0 bytes, not 3.'],
    ['a refusal', new ContextError('denied', 'You may not.'), 'denied', 'You may not.'],
    ['a failure', new ContextError('unavailable', 'Try again.'), 'failed', 'Try again.'],
  ])('finds %s where an entry was', async (_, text, problem, detail) => {
    const found = await verified(good, { 'data/a.txt': text })
    expect(found).toMatchObject({ isTopHashGood: true, isGood: false, verified: 3, counts: { [problem]: 1 } })
    expect(found.reports).toEqual([{ line: 2, logicalKey: 'a.txt', problem, detail: expect.stringContaining(detail) }])
  })

  it('finds what is missing: an object, and a version of one', async () => {
    const { '.quilt/named_packages/team/data/latest': _, ...objects } = registryV1({ 'team/data': { 1: good } })
    const { 'data/a.txt': __, 'data/old?v1': ___, ...rest } = objects
    const registry = memoryObjects({ ...rest, 'data/old': 'another version' })
    const resolved = await resolvePackage(registry, { name: 'team/data', revision: { tag: '1' } })
    const { counts, reports } = await verifyPackage(resolved, { registry }, SILENT)
    expect(counts).toEqual({ missing: 2 })
    expect(reports.map(({ logicalKey }) => logicalKey)).toEqual(['a.txt', 'old'])
  })

  it('finds a manifest that was edited', async () => {
    const edited = good.manifest.replace('"message":null', '"message":"mine"')
    const found = await verified({ ...good, manifest: edited })
    expect(found).toMatchObject({ hash: good.hash, isTopHashGood: false, isGood: false, verified: 4 })
    expect(found.computedHash).not.toBe(good.hash)
  })

  it('of the top hash alone reads no object', async () => {
    const { registry, resolved } = await pushed(good)
    const found = await verifyPackage(resolved, { registry, topHashOnly: true }, SILENT)
    expect(found).toMatchObject({ isGood: true, verified: 0 })
    expect(registry.asked.filter((one) => one.includes('data/'))).toEqual([
      'read .quilt/named_packages/team/data/latest',
    ])
  })

  it.each([
    ['a type that is not known', entryLine('a', { hash: { type: 'MD5', value: '00' } }), 'unknown-hash'],
    ['no hash', entryLine('a', { hash: null }), 'no-hash'],
    ['no size', entryLine('a', { size: null }), 'no-hash'],
    ['a logical key that leaves the package', entryLine('../a'), 'bad-key'],
    ['a logical key with an empty segment', entryLine('a//b'), 'bad-key'],
    ['a physical key that is none', entryLine('a', { physical_keys: ['https://host/a'] }), 'bad-key'],
    ['a physical key that leads out', entryLine('a', { physical_keys: ['./../a'] }), 'bad-key'],
    ['another bucket', entryLine('a', { physical_keys: ['s3://other/a'] }), 'outside'],
    ['a file', entryLine('a', { physical_keys: ['file:///etc/passwd'] }), 'outside'],
  ])('tells of an entry with %s', async (_, line, problem) => {
    const { reports, verified: count } = await checked([line], { a: 'x', '../a': 'x', 'a//b': 'x' })
    expect([reports.map((report) => report.problem), count]).toEqual([[problem], 0])
  })

  it('is good where the rest could not be looked at', async () => {
    const line = entryLine('a', { physical_keys: ['s3://other/a'] })
    const manifest = manifestOf([HEADER, line])
    const { computedHash } = await checked([line])
    const found = await verifyPackage({ manifest, hash: computedHash ?? '' }, { registry: memoryObjects({}) }, SILENT)
    expect(found).toMatchObject({ isGood: true, verified: 0, counts: { outside: 1 } })
  })

  it('reads another bucket only where it is told who reads it', async () => {
    const hash = { type: 'CRC64NVME', value: 'rosUhgp5mIg=' }
    const line = entryLine('a', { physical_keys: ['s3://other/pre/a'], size: 9, hash })
    const other = memoryObjects({ a: '123456789' }, { uri: 's3://other/pre' })
    const elsewhere: VerifyOptions['findOutside'] = (place) => (place.kind === 's3' ? other : undefined)
    expect(await checked([line], {}, { findOutside: elsewhere })).toMatchObject({ verified: 1, counts: {} })
    // Who is offered and does not hold the place is not asked for it.
    const beside = entryLine('a', { physical_keys: ['s3://other/elsewhere/a'] })
    expect(await checked([beside], {}, { findOutside: elsewhere })).toMatchObject({ counts: { outside: 1 } })
    expect(other.asked).toEqual(['stream a'])
  })

  it('takes a relative place from the root of the registry', async () => {
    const hash = { type: 'CRC64NVME', value: 'rosUhgp5mIg=' }
    const line = entryLine('a', { physical_keys: ['./manual/a%20b'], size: 9, hash })
    expect(await checked([line], { 'manual/a b': '123456789' })).toMatchObject({ verified: 1 })
  })

  it('ends the reading of an object that is larger than it should be', async () => {
    const registry = memoryObjects({ huge: new Uint8Array(1 << 24) }, { chunk: 1000 })
    const manifest = manifestOf([HEADER, entryLine('huge', { size: 10 })])
    await verifyPackage({ manifest, hash: '' }, { registry }, SILENT)
    expect(registry.open.now).toBe(0)
  })

  it('has as many objects open as it may, and tells how far it is', async () => {
    const { registry, resolved } = await pushed(files(50, 500), {}, { chunk: 100 })
    registry.open.most = 0
    const events: FlowEvent[] = []
    const run = { emit: (event: FlowEvent) => void events.push(event) }
    const found = await verifyPackage(resolved, { registry }, run)
    expect(found.verified).toBe(50)
    // The manifest is one more.
    expect([registry.open.now, registry.open.most > 2, registry.open.most <= 9]).toEqual([0, true, true])
    expect(events.map((event) => event.type === 'progress' && event.done)).toEqual(
      Array.from({ length: 50 }, (_, at) => at + 1),
    )
    expect(events.at(-1)).toEqual({ type: 'progress', what: 'verify', done: 50, total: 50 })
  })

  it('tells the first problems by their lines, and counts all', async () => {
    const lines = Array.from({ length: 2500 }, (_, index) => entryLine(`k${index + 1000}`))
    const found = await checked(lines)
    expect(found.counts).toEqual({ missing: 2500 })
    expect(found.reports.map(({ line }) => line)).toEqual(Array.from({ length: 1000 }, (_, at) => at + 2))
  })

  it('leaves nothing open when it is cancelled', async () => {
    const { registry, resolved } = await pushed(files(20, 5000), {}, { chunk: 100 })
    const stop = new AbortController()
    const run = { signal: stop.signal, emit: () => stop.abort() }
    expect(await failure(verifyPackage(resolved, { registry }, run))).toMatchObject({ code: 'cancelled' })
    expect(registry.open.now).toBe(0)
  })

  it('is over when the manifest cannot be read', async () => {
    const broken = { ...good, manifest: good.manifest.slice(0, -20) }
    expect(await failure(verified(broken))).toMatchObject({ code: 'invalid-input' })
  })
})
