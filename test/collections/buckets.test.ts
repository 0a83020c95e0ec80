import { describe, expect, it } from 'vitest'
import { SILENT } from '../../src/core/flow.ts'
import { inBucket } from '../context/catalog/labs.ts'
import { failure, packageOf, registryV1 } from '../quilt/packages/fixtures.ts'

const HELD = {
  'README.md': '# Lab\n\nWhat the lion found.\n',
  'data/notes.md': '# Notes\n\nThe zebra is striped.\n',
  'data/table.csv': 'animal,legs\nlion,4\n',
  'data/': '',
  'pixels.bin': 'a\0b',
  '.gitignore': 'drafts/\n*.tmp\n',
  'drafts/secret plan.md': 'lion',
  'a.tmp': 'lion',
  'data/.gitignore': '!kept.tmp\n',
  'data/kept.tmp.md': 'lion, kept',
  '.env': 'KEY=lion',
  'node_modules/x/index.js': 'lion',
  'odd//key.md': 'lion',
  'up/../key.md': 'lion',
  'sp ace+%41#?.md': 'lion, oddly named',
  ...registryV1({ 'team/data': { 1680720300: packageOf({ 'a.txt': { text: 'one' } }) } }),
}

const FOUND = ['README.md', 'data/kept.tmp.md', 'data/table.csv', 'sp ace+%41#?.md']

async function paths(engine: Awaited<ReturnType<typeof inBucket>>['engine'], query: string): Promise<string[]> {
  const { results } = await (await engine.library()).search({ query })
  return results.map(({ path }) => path).sort()
}

describe('a bucket as a collection', () => {
  it('is added by its address, which is kept in one form', async () => {
    await using lab = await inBucket({})
    const { collections } = await lab.engine.library()
    expect(await collections.show('lab')).toMatchObject({ root: 's3://bucket', documents: 0 })
    expect(await collections.add({ name: 'part', root: 'S3://bucket/a/b/' })).toMatchObject({ root: 's3://bucket/a/b' })
    expect(await failure(collections.add({ name: 'x', root: 's3://' }))).toMatchObject({ code: 'invalid-input' })
    for (const root of [
      'https://bucket.s3.amazonaws.com/',
      'gs://bucket',
      'quilt+s3://bucket#package=a/b',
      'file:///a',
    ])
      expect(await failure(collections.add({ name: 'x', root }))).toEqual({
        code: 'invalid-input',
        message: `"${root}" is not a root of a collection.`,
        hint: 'The root of a collection is a directory, or a bucket: s3://BUCKET or s3://BUCKET/PREFIX.',
      })
    expect((await collections.status()).collections).toMatchObject([{ name: 'lab' }, { name: 'part' }])
    expect(lab.server.log).toEqual([])
  })

  it('is indexed, searched and read as a directory is', async () => {
    await using lab = await inBucket(HELD)
    const library = await lab.engine.library()
    const answer = await library.collections.index()
    expect(answer).toMatchObject({ added: 6, changed: 0, removed: 0, failed: 0 })
    expect(await paths(lab.engine, 'lion')).toEqual(FOUND)
    const documents = await library.documents()
    expect(await documents.get('lab/data/notes.md')).toMatchObject({ text: HELD['data/notes.md'], title: 'Notes' })
    const left = answer.collections.flatMap((one) => one.left.map(({ path, why }) => `${path}: ${why}`))
    expect(left).toEqual(['.env: denied', 'odd//key.md: excluded', 'pixels.bin: binary', 'up/../key.md: excluded'])
  })

  it('is read again only where an etag is another', async () => {
    await using lab = await inBucket(HELD)
    const { collections } = await lab.engine.library()
    await collections.index()
    lab.server.log.length = 0
    expect(await collections.index()).toMatchObject({ added: 0, changed: 0, unchanged: 6 })
    const read = lab.server.log.filter(({ query }) => !query.has('list-type')).map(({ path }) => path)
    expect(read.filter((path) => !path.endsWith('.gitignore'))).toEqual([])
    lab.put({ 'data/notes.md': '# Notes\n\nThe lion, too.\n' })
    lab.server.buckets.get('bucket')?.delete('README.md', undefined)
    expect(await collections.index()).toMatchObject({ added: 0, changed: 1, removed: 1, unchanged: 4 })
    expect(await paths(lab.engine, 'lion')).toEqual(
      [...FOUND, 'data/notes.md'].filter((path) => path !== 'README.md').sort(),
    )
    expect(await collections.index({ force: true })).toMatchObject({ unchanged: 5 })
  })

  it('honours its patterns, and may be a part of a bucket', async () => {
    await using lab = await inBucket(HELD)
    const { collections } = await lab.engine.library()
    await collections.add({ name: 'part', root: 's3://bucket/data', pattern: ['*.md'], exclude: ['kept*'] })
    expect(await collections.index({ names: ['part'] })).toMatchObject({ added: 1 })
    expect(await collections.show('part')).toMatchObject({ documents: 1 })
  })

  it('keeps the others from nothing when it cannot be read', async () => {
    await using lab = await inBucket(HELD)
    const library = await lab.engine.library()
    await library.collections.add({ name: 'here', root: import.meta.dirname })
    lab.server.refuses = () => true
    const { collections } = await library.collections.index()
    expect(collections).toMatchObject([
      { name: 'here', added: expect.any(Number) },
      { name: 'lab', added: 0, problem: expect.stringContaining('is denied to these credentials') },
    ])
    lab.server.refuses = () => false
    await lab.server[Symbol.asyncDispose]()
    const gone = await library.collections.index({}, SILENT)
    expect(gone.collections[1]).toMatchObject({ name: 'lab', problem: expect.any(String) })
  })

  it('is left as it is where its objects may be listed, and not read', async () => {
    await using lab = await inBucket({ 'a.md': 'lion', 'b.md': 'lion' })
    const { collections } = await lab.engine.library()
    await collections.index()
    lab.put({ 'a.md': 'zebra' })
    lab.server.refuses = ({ key }) => key === 'a.md'
    expect(await collections.index()).toMatchObject({ unchanged: 1, failed: 1, removed: 0 })
    expect(await paths(lab.engine, 'lion')).toEqual(['a.md', 'b.md'])
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`n${at}.md`, 'x']))
    lab.put(many)
    lab.server.refuses = ({ key }) => key !== ''
    lab.server.log.length = 0
    expect(await failure(collections.index())).toMatchObject({ code: 'denied' })
    expect(lab.server.log.length).toBeLessThan(40)
  })

  it('stops when it is told to', async () => {
    await using lab = await inBucket(HELD)
    const { collections } = await lab.engine.library()
    const run = { ...SILENT, signal: AbortSignal.abort() }
    expect(await failure(collections.index({}, run))).toMatchObject({ code: 'cancelled' })
  })

  it('is looked at once by a watch, which goes on with directories', async () => {
    await using lab = await inBucket(HELD)
    const { collections } = await lab.engine.library()
    const controller = new AbortController()
    const seen: string[] = []
    for await (const { name, added } of collections.watch({ names: ['lab'] }, controller.signal)) {
      seen.push(`${name} ${added}`)
      controller.abort()
    }
    expect(seen).toEqual(['lab 6'])
  })
})
