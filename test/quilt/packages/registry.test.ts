import { describe, expect, it } from 'vitest'
import { ContextError } from '../../../src/core/errors.ts'
import type { ListRequest, Objects } from '../../../src/files/objects.ts'
import { listPackagePage } from '../../../src/quilt/packages/registry.ts'
import { resolvePackage } from '../../../src/quilt/packages/resolve.ts'
import { revisionsOf } from '../../../src/quilt/packages/revisions.ts'
import { summarizeManifest } from '../../../src/quilt/packages/top-hash.ts'
import { type Held, memoryObjects } from '../../support/memory-objects.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { failure, packageOf, registryV1 } from './fixtures.ts'

const first = packageOf({ 'a.txt': { text: 'one' } }, { message: 'first' })
const second = packageOf({ 'a.txt': { text: 'two' } }, { message: 'second' })
const third = packageOf({ 'b.txt': { text: 'three' } })

const REGISTRY = {
  ...registryV1({
    'team/data': { 1680720300: first, 1680720661: second },
    'team/data-2': { 1680720000: third },
    'a-b/x': { 1680720000: third },
    'a/y': { 1680720000: third },
    'new/one': { 1680720000: third },
    'Ж/ряд': { 1680720000: third },
  }),
  // What lies about in real ones.
  '.quilt/packages/12201234.parquet': 'PAR1',
  '.quilt/named_packages/README.md': 'x',
  '.quilt/named_packages/team/notes.txt': 'x',
  '.quilt/named_packages/team/b d/1680720300': first.hash,
  '.quilt/named_packages/team/data/deep/er': 'x',
  '.quilt/catalog/config.yaml': 'x',
}
const ALL = ['a-b/x', 'a/y', 'new/one', 'team/data-2', 'team/data', 'Ж/ряд']

/** A bucket whose listings are in the opposite order, as those of a service without an order may be. */
function reversedObjects(held: Held, page: number): Objects {
  const objects = memoryObjects(held)
  const list = async ({ token = '0', ...request }: ListRequest = {}) => {
    const whole = await objects.list(request)
    const end = Number(token) + page
    const prefixes = whole.prefixes.toReversed().slice(Number(token), end)
    return { ...whole, prefixes, ...(end < whole.prefixes.length && { next: `${end}` }) }
  }
  return { ...objects, list }
}

describe('the packages of a registry', () => {
  it('are listed, without what is none', async () => {
    expect(await listPackagePage(memoryObjects(REGISTRY))).toEqual({ names: ALL })
    expect(await listPackagePage(memoryObjects({ 'a.txt': 'x' }))).toEqual({ names: [] })
  })

  it.each([
    ['team/', ['team/data-2', 'team/data']],
    ['team/data-', ['team/data-2']],
    ['a', ['a-b/x', 'a/y']],
    ['n', ['new/one']],
    ['new/o', ['new/one']],
    ['x', []],
  ])('are listed by what they begin with: %s', async (prefix, names) => {
    expect(await listPackagePage(memoryObjects(REGISTRY), { prefix })).toEqual({ names })
  })

  it('are the same page by page, however the listing is cut', async () => {
    const word = fc.stringMatching(/^[a-c1-]{1,3}$/)
    const packages = fc.uniqueArray(
      fc.tuple(word, word).map(([namespace, name]) => `${namespace}/${name}`),
      { maxLength: 12 },
    )
    await forAllAsync(packages, fc.nat(4), fc.nat(3), fc.boolean(), async (made, limit, page, isReversed) => {
      const held = registryV1(Object.fromEntries(made.map((name) => [name, { 1: first }])))
      const objects = isReversed ? reversedObjects(held, page + 1) : memoryObjects(held, { page: page + 1 })
      const { names } = await listPackagePage(objects)
      expect([...names].sort()).toEqual(made.toSorted())
      expect((await listPackagePage(memoryObjects(held))).names).toEqual(names)
      const found: string[] = []
      for (let after: string | undefined = ''; after !== undefined; ) {
        const cut = await listPackagePage(objects, { limit: limit + 1, after })
        expect(cut.names.length).toBeLessThanOrEqual(limit + 1)
        found.push(...cut.names)
        after = cut.next
      }
      expect(found).toEqual(names)
    })
  })

  it('are listed only as far as the page goes', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `n${index + 100}/data`)
    const objects = memoryObjects(registryV1(Object.fromEntries(names.map((name) => [name, { 1: first }]))))
    expect(await listPackagePage(objects, { limit: 2, after: 'n110/data' })).toEqual({
      names: ['n111/data', 'n112/data'],
      next: 'n112/data',
    })
    expect(objects.asked.filter((one) => /n\d/.test(one))).toHaveLength(4)
  })
})

describe('a revision', () => {
  const whole = (text: string) => ({ hash: text })

  it.each([
    ['the latest', undefined, second.hash, 'latest'],
    ['latest', { tag: 'latest' }, second.hash, 'latest'],
    ['a time', { tag: '1680720300' }, first.hash, '1680720300'],
    ['a whole hash', whole(first.hash), first.hash, undefined],
    ['the beginning of a hash', whole(first.hash.slice(0, 6)), first.hash, undefined],
    ['63 digits of a hash', whole(second.hash.slice(0, 63)), second.hash, undefined],
    ['a hash of another package', whole(third.hash.slice(0, 8)), third.hash, undefined],
  ])('is found by %s', async (_, revision, hash, pointer) => {
    const spec = { name: 'team/data', ...(revision && { revision }) }
    const found = await resolvePackage(memoryObjects(REGISTRY), spec)
    expect([found.hash, found.pointer]).toEqual([hash, pointer])
    expect((await summarizeManifest(found.manifest)).computedHash).toBe(hash)
  })

  it('tells when it was written: by its name, else by its pointer', async () => {
    const objects = memoryObjects(REGISTRY)
    const at = async (tag: string) => (await resolvePackage(objects, { name: 'team/data', revision: { tag } })).modified
    const times = ['2023-04-05T18:45:00.000Z', '2026-01-02T03:04:05.000Z']
    expect([await at('1680720300'), await at('latest')]).toEqual(times)
  })

  it('takes two requests, and one by its hash', async () => {
    const objects = memoryObjects(REGISTRY)
    await summarizeManifest((await resolvePackage(objects, { name: 'team/data' })).manifest)
    const spec = { name: 'team/data', revision: whole(first.hash) }
    await summarizeManifest((await resolvePackage(objects, spec)).manifest)
    expect(objects.asked).toEqual([
      'read .quilt/named_packages/team/data/latest',
      `stream .quilt/packages/${second.hash}`,
      `stream .quilt/packages/${first.hash}`,
    ])
  })

  it('that is ambiguous is told with the candidates', async () => {
    const twins = ['aaaaaa0', 'aaaaaa1'].map((start) => start.padEnd(64, '0'))
    const held = Object.fromEntries(twins.map((hash) => [`.quilt/packages/${hash}`, first.manifest]))
    const spec = { name: 'team/data', revision: whole('aaaaaa') }
    const { code, message, hint } = await failure(resolvePackage(memoryObjects(held), spec))
    expect([code, hint]).toEqual(['invalid-input', 'Give more digits.'])
    expect(message).toBe(`2 hashes begin with aaaaaa: ${twins.join(', ')}.`)
  })

  it.each([
    ['an unknown package', 'team/none', undefined, 'There is no package team/none in s3://bucket.'],
    ['an unknown pointer', 'team/data', { tag: '1' }, 'The package team/data has no pointer 1 in s3://bucket.'],
    ['an unknown hash', 'team/data', whole('000000'), 'There is no team/data@000000 in s3://bucket.'],
    ['an unknown one', 'team/data', whole('0'.repeat(64)), `There is no team/data@${'0'.repeat(64)} in s3://bucket.`],
  ])('is not found by %s', async (_, name, revision, message) => {
    const found = resolvePackage(memoryObjects(REGISTRY), { name, ...(revision && { revision }) })
    const read = found.then(({ manifest }) => summarizeManifest(manifest))
    expect(await failure(read)).toMatchObject({ code: 'not-found', message })
  })

  it('that is unknown is told with the pointers that there are', async () => {
    const spec = { name: 'team/data', revision: { tag: '1' } }
    const { hint } = await failure(resolvePackage(memoryObjects(REGISTRY), spec))
    expect(hint).toContain('There are 1680720300, 1680720661, latest.')
  })

  it('whose manifest is gone is told with its pointer', async () => {
    const held = { '.quilt/named_packages/team/data/latest': first.hash }
    const { manifest } = await resolvePackage(memoryObjects(held), { name: 'team/data' })
    const { code, message } = await failure(summarizeManifest(manifest))
    const pointer = 'The pointer s3://bucket/.quilt/named_packages/team/data/latest'
    expect([code, message]).toEqual(['not-found', `${pointer} names the manifest ${first.hash}, which does not exist.`])
  })

  it.each([
    ['nothing', ''],
    ['a word', 'latest'],
    ['a path', '../../../etc/passwd'],
    ['half a hash', first.hash.slice(0, 32)],
    ['a hash and more', `${first.hash}\n${'x'.repeat(5000)}`],
    ['a hash and a lot of nothing', `${first.hash}${' '.repeat(5000)}`],
  ])('whose pointer holds %s is refused', async (_, text) => {
    const held = { '.quilt/named_packages/team/data/latest': text }
    const { code, message } = await failure(resolvePackage(memoryObjects(held), { name: 'team/data' }))
    expect([code, message]).toEqual(['invalid-input', expect.stringContaining('which is not a top hash')])
  })

  it('may have a line feed in its pointer', async () => {
    const held = { '.quilt/named_packages/team/data/latest': `${first.hash}\n` }
    expect((await resolvePackage(memoryObjects(held), { name: 'team/data' })).hash).toBe(first.hash)
  })

  it('is not looked for elsewhere when its place may not be read', async () => {
    const held = { '.quilt/named_packages/team/data/latest': new ContextError('denied', 'No.') }
    expect(await failure(resolvePackage(memoryObjects(held), { name: 'team/data' }))).toMatchObject({ code: 'denied' })
  })
})

describe('the revisions of a package', () => {
  it('are its times, the newest first', async () => {
    const log = await revisionsOf(memoryObjects(REGISTRY), 'team/data')
    expect(log).toEqual({
      total: 2,
      latest: second.hash,
      revisions: [
        { hash: second.hash, pointers: ['1680720661'], modified: '2023-04-05T18:51:01.000Z', isLatest: true },
        { hash: first.hash, pointers: ['1680720300'], modified: '2023-04-05T18:45:00.000Z', isLatest: false },
      ],
    })
  })

  it('are ordered by number, not by text', async () => {
    const held = registryV1({ 'team/data': { 999999999: first, 1680720300: second } })
    const { revisions } = await revisionsOf(memoryObjects(held), 'team/data')
    expect(revisions.map(({ pointers }) => pointers[0])).toEqual(['1680720300', '999999999'])
  })

  it('are the latest only once, when the same was pushed again', async () => {
    const held = registryV1({ 'team/data': { 1: first, 2: second, 3: first } })
    const { revisions } = await revisionsOf(memoryObjects(held), 'team/data')
    expect(revisions.map(({ isLatest }) => isLatest)).toEqual([true, false, false])
  })

  it('are read only as far as they are shown', async () => {
    const times = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [1000 + index, first]))
    const objects = memoryObjects(registryV1({ 'team/data': times }))
    const log = await revisionsOf(objects, 'team/data', { limit: 3 })
    expect([log.total, log.revisions.flatMap(({ pointers }) => pointers)]).toEqual([40, ['1039', '1038', '1037']])
    expect(objects.asked.filter((one) => one.startsWith('read'))).toHaveLength(4)
  })

  it('of an unknown package are none', async () => {
    expect(await failure(revisionsOf(memoryObjects(REGISTRY), 'team/none'))).toMatchObject({ code: 'not-found' })
  })

  it('end with the first that may not be read', async () => {
    const times = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [1000 + index, first]))
    const held = registryV1({ 'team/data': times })
    const denied = { '.quilt/named_packages/team/data/1098': new ContextError('denied', 'No.') }
    const objects = memoryObjects({ ...held, ...denied })
    expect(await failure(revisionsOf(objects, 'team/data'))).toMatchObject({ code: 'denied' })
    await new Promise(setImmediate)
    expect(objects.asked.length).toBeLessThan(50)
  })
})
