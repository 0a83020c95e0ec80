import { describe, expect, it } from 'vitest'
import type { LoadAnswer } from '../../../src/context/answers.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { failure, packageOf, registryV1 } from '../../quilt/packages/fixtures.ts'
import { elementsOf } from '../renderers/xml-scanner.ts'
import { inBucket, inDirectory, LABS, type Lab } from './labs.ts'

const OLD = packageOf({ 'README.md': { text: 'old', key: 'store/old' } }, { message: 'first' })
const MADE = packageOf(
  {
    'README.md': { text: 'package readme' },
    'analysis/AGENTS.md': { text: 'analysis agents' },
    'analysis/deep/table.csv': { text: 'a,b' },
    'analysis/readme.md': { text: 'another case is another name' },
  },
  { message: 'second', user_meta: { of: 'lions', count: 12 }, workflow: { id: 'w' } },
)
const HELD = {
  ...registryV1({ 'team/data': { '1600000000': OLD, '1700000000': MADE } }),
  'README.md': 'bucket readme',
  'AGENTS.md': 'bucket agents',
  // Neighbours in the bucket of what the package holds.
  'data/AGENTS.md': 'a neighbour at the root of the store',
  'data/analysis/README.md': 'a neighbour',
}

const load = (lab: Lab, place: string, request: object = {}) => lab.engine.load({ place, ...request }, SILENT)
const placeOf = (lab: Lab, path?: string) =>
  lab.bucket === 'lab'
    ? `lab/team/data:latest${path === undefined ? '' : `/${path}`}`
    : `quilt+s3://bucket#package=team/data${path === undefined ? '' : `&path=${path}`}`

function files({ text }: LoadAnswer) {
  const found = elementsOf(text).filter(({ name }) => name === 'context-file')
  return found.map(({ attributes, text }) => ({ ...Object.fromEntries(attributes), text: text.slice(1, -1) }))
}

function jsonIn({ text }: LoadAnswer, kind: string): unknown {
  const element = elementsOf(text).find(({ name }) => name === kind)
  return element && JSON.parse(element.text)
}

describe.each(LABS)('the context of a place in a package in %s', (_, open) => {
  it('has the files of the package up to its root, then those at the root of the bucket', async () => {
    await using lab = await open(HELD)
    const { bucket } = lab
    const inPackage = { truncated: 'false', scope: 'package', bucket, 'package-name': 'team/data' }
    const inBucket = { truncated: 'false', scope: 'bucket', bucket }
    const expected = [
      { path: '/analysis/AGENTS.md', ...inPackage, text: 'analysis agents' },
      { path: '/README.md', ...inPackage, text: 'package readme' },
      { path: '/README.md', ...inBucket, text: 'bucket readme' },
      { path: '/AGENTS.md', ...inBucket, text: 'bucket agents' },
    ]
    for (const path of ['analysis', 'analysis/', 'analysis/readme.md', 'analysis/deep', 'analysis/deep/table.csv']) {
      expect(files(await load(lab, placeOf(lab, path)))).toEqual(expected)
    }
    expect(files(await load(lab, placeOf(lab)))).toEqual(expected.slice(1))
    expect((await load(lab, placeOf(lab))).contexts.map(({ scope }) => scope)).toEqual(['package', 'bucket', 'bucket'])
  })

  it('tells what the package is, what its maker says of it, and which revisions there are', async () => {
    await using lab = await open(HELD)
    const answer = await load(lab, placeOf(lab))
    expect(jsonIn(answer, 'package-info')).toEqual({
      bucket: lab.bucket,
      name: 'team/data',
      hash: MADE.hash,
      modified: '2023-11-14T22:13:20.000Z',
      message: 'second',
      workflow: { id: 'w' },
      totalEntries: 4,
      totalBytes: 60,
    })
    expect(Object.keys(jsonIn(answer, 'package-info') as object)).toEqual([
      ...['bucket', 'name', 'hash', 'modified', 'message', 'workflow', 'totalEntries', 'totalBytes'],
    ])
    expect(jsonIn(answer, 'package-metadata')).toEqual({ of: 'lions', count: 12 })
    expect(answer.text).toContain('<package-metadata>\n{\n  "of": "lions",\n  "count": 12\n}\n</package-metadata>')
    expect(jsonIn(answer, 'package-revisions')).toEqual({
      total: 2,
      latest: MADE.hash,
      revisions: [
        { hash: MADE.hash, modified: '2023-11-14T22:13:20.000Z', message: 'second' },
        { hash: OLD.hash, modified: '2020-09-13T12:26:40.000Z', message: 'first' },
      ],
    })
  })

  it.each([
    ['{}', {}],
    ['0', 0],
    ['false', false],
    ['""', ''],
    ['[]', []],
    ['"text"', 'text'],
    ['0.10', { raw: '0.10' }],
  ])('shows metadata that is %s', async (_shown, value) => {
    const made = packageOf({ a: { text: 'a' } }, { user_meta: value })
    await using lab = await open(registryV1({ 'team/data': { '1700000000': made } }))
    expect(jsonIn(await load(lab, placeOf(lab)), 'package-metadata')).toEqual(value)
  })

  it('shows metadata of up to 20,000 characters, and says what is cut', async () => {
    const made = packageOf({ a: { text: 'a' } }, { user_meta: { long: 'x'.repeat(30_000) } })
    await using lab = await open(registryV1({ 'team/data': { '1700000000': made } }))
    const { text } = await load(lab, placeOf(lab), { budget: undefined })
    const element = elementsOf(text).find(({ name }) => name === 'package-metadata')
    expect(element?.text).toMatch(/x\n\[cut: 20000 of 30016 characters are shown\]\n$/)
    expect(element?.text.length).toBeLessThan(20_100)
  })

  it.each([
    ['null', { user_meta: null }],
    ['absent', {}],
  ])('shows none where it is %s', async (_, header) => {
    const made = packageOf({ a: { text: 'a' } }, header)
    await using lab = await open(registryV1({ 'team/data': { '1700000000': made } }))
    const { text } = await load(lab, placeOf(lab))
    expect([text.includes('package-info'), text.includes('package-metadata')]).toEqual([true, false])
  })

  it('is of the revision that is asked for', async () => {
    await using lab = await open(HELD)
    const answer = await load(lab, `lab/team/data@${OLD.hash.slice(0, 8)}`)
    expect(files(answer)[0]).toMatchObject({ path: '/README.md', scope: 'package', text: 'old' })
    expect(jsonIn(answer, 'package-info')).toMatchObject({
      hash: OLD.hash,
      modified: '2020-09-13T12:26:40.000Z',
      message: 'first',
    })
  })

  it('can be asked for again by what it is called', async () => {
    await using lab = await open(HELD)
    const answer = await load(lab, placeOf(lab, 'analysis'))
    expect(answer.place).toContain(MADE.hash)
    expect(files(await load(lab, answer.place))).toEqual(files(answer))
  })

  it('has what was said of the bucket', async () => {
    await using lab = await open(HELD)
    const contexts = await lab.engine.contexts()
    await contexts.set('/', 'everything')
    await contexts.set('lab', 'this bucket')
    await contexts.set('lab/analysis', 'a directory of the bucket')
    const said = async (place: string) =>
      elementsOf((await load(lab, place)).text).flatMap(({ name, text }) =>
        name === 'path-context' ? [text.trim()] : [],
      )
    expect(await said('lab/team/data:latest/analysis')).toEqual(['everything', 'this bucket'])
  })

  it('leaves out a file that is not the one that the package names', async () => {
    await using lab = await open(HELD)
    lab.put({ 'data/README.md': 'package r3adme', 'data/analysis/AGENTS.md': 'longer than it was' })
    const { ledger, text, warnings } = await load(lab, placeOf(lab, 'analysis'))
    const left = ledger.filter(({ why }) => why === 'untrusted').map(({ title, detail }) => [title, detail])
    expect(left).toEqual([
      ['team/data: analysis/AGENTS.md', expect.stringContaining('it has 18 bytes, not 15')],
      ['team/data: README.md', expect.stringContaining('its hash is not the same')],
    ])
    expect(text).not.toContain('r3adme')
    expect(warnings).toHaveLength(2)
  })

  it('names the line of a manifest that is broken', async () => {
    await using lab = await open({ ...HELD, [`.quilt/packages/${MADE.hash}`]: `${MADE.manifest}{"broken` })
    expect(await failure(load(lab, placeOf(lab)))).toMatchObject({ message: expect.stringMatching(/[Ll]ine 6/) })
  })
})

describe('the context of a place in a package in a bucket', () => {
  it('takes four round trips, and asks for no file that the package does not have', async () => {
    await using lab = await inBucket(HELD)
    lab.server.log.length = 0
    await load(lab, placeOf(lab, 'analysis/deep'))
    const files = lab.server.log.filter(({ path }) => /README|AGENTS/.test(path)).map(({ path }) => path)
    expect(files.toSorted()).toEqual([
      '/bucket/AGENTS.md',
      '/bucket/README.md',
      '/bucket/data/README.md',
      '/bucket/data/analysis/AGENTS.md',
    ])
    // Besides: the pointer and the manifest; for the revisions, their list, the two pointers, and the manifests.
    expect(lab.server.log.length).toBeLessThanOrEqual(4 + 2 + 1 + 3 + 2)
  })

  it('reads a manifest once for each hash', async () => {
    await using lab = await inBucket(HELD)
    await load(lab, placeOf(lab, 'analysis'))
    lab.server.log.length = 0
    await load(lab, placeOf(lab))
    const manifests = lab.server.log.filter(({ path }) => path.includes('.quilt/packages/'))
    // Those are for what was said of each revision.
    expect(manifests.length).toBeLessThanOrEqual(2)
  })
})

it('a package in a directory is told from a directory of the same name by its revision', async () => {
  await using lab = await inDirectory({ ...HELD, 'team/data/README.md': 'a directory' })
  expect(files(await load(lab, 'lab/team/data'))[0]).toMatchObject({ scope: 'bucket', text: 'a directory' })
  expect(files(await load(lab, 'lab/team/data:latest'))[0]).toMatchObject({ scope: 'package', text: 'package readme' })
})

it('a text of a package that says no size is given up to its limit, which is told', async () => {
  const made = packageOf({ 'long.txt': { text: 'word '.repeat(1_800_000) }, 'short.txt': { text: 'short' } })
  const manifest = made.manifest.replaceAll(/"size":\d+/g, '"size":null')
  await using lab = await inDirectory(registryV1({ 'team/data': { '1700000000': { ...made, manifest } } }))
  const reader = await lab.engine.placeReader()
  const signal = AbortSignal.timeout(20_000)
  const long = await reader.read(placeOf(lab, 'long.txt'), undefined, signal)
  expect([long.text.length <= 8_388_608, long.notices]).toEqual([
    true,
    [expect.stringContaining('Only its first 8388608 bytes were read')],
  ])
  expect(await reader.read(placeOf(lab, 'short.txt'), undefined, signal)).toMatchObject({ text: 'short', notices: [] })
})
