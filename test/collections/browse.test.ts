import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { SILENT } from '../../src/core/flow.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { engineFor, inBucket, inDirectory, LABS } from '../context/catalog/labs.ts'
import { failure } from '../quilt/packages/fixtures.ts'
import { s3Server } from '../support/s3/server.ts'

const HELD = {
  'README.md': '# Lab\n\nWhat the lion found.\n',
  'data/notes.md': '# Notes\n',
  'data/deep/er.md': 'x',
  'data-b/x.md': 'x',
  '.gitignore': 'drafts/\n*.tmp\n',
  'drafts/plan.md': 'lion',
  'a.tmp': 'lion',
  'data/.gitignore': '!kept.tmp\nbuild\n',
  'data/kept.tmp': 'kept',
  'data/build/out.md': 'built',
  'pixels.bin': 'a\0b',
  '.env': 'KEY=lion',
  'node_modules/x/index.js': 'lion',
  'archive/old.md': 'left out by the settings',
  'é.md': 'accented',
  '😀.md': 'beyond',
}

async function browser(engine: Engine) {
  return (await engine.library()).browser()
}

const browsed = async ({ engine }: { readonly engine: Engine }, place: string) =>
  (await browser(engine)).browse({ place })

async function indexed(engine: Engine): Promise<void> {
  const { collections } = await engine.library()
  await collections.index()
}

/** `name: why`, `name: indexed`, `name: new`, `name/ count`. */
async function told(engine: Engine, place: string): Promise<string[]> {
  const { entries } = await browsed({ engine }, place)
  return entries.map(({ name, kind, documents, why, isIndexed, isStale }) => {
    if (kind === 'directory') return `${name}/ ${documents}${why === undefined ? '' : ` ${why}`}`
    return `${name}: ${why ?? (isStale ? 'stale' : isIndexed ? 'indexed' : 'new')}`
  })
}

describe.each(LABS)('a place in %s', (_, open) => {
  it('shows all that is there, in the order of its bytes, before anything is indexed', async () => {
    await using lab = await open(HELD)
    expect(await told(lab.engine, 'lab')).toEqual(
      (
        '.env: denied | .gitignore: excluded | README.md: new | a.tmp: excluded | archive/ 0 | data-b/ 0 | ' +
        'data/ 0 | drafts/ 0 excluded | node_modules/ 0 excluded | pixels.bin: new | é.md: new | 😀.md: new'
      ).split(' | '),
    )
  })

  it('tells what is indexed from what is not, and why', async () => {
    await using lab = await open(HELD)
    await indexed(lab.engine)
    lab.put({ 'new.md': 'new', 'README.md': '# Lab, changed\n' })
    expect(await told(lab.engine, 'lab')).toEqual(
      (
        '.env: denied | .gitignore: excluded | README.md: stale | a.tmp: excluded | archive/ 1 | data-b/ 1 | ' +
        'data/ 3 | drafts/ 0 excluded | new.md: new | node_modules/ 0 excluded | pixels.bin: binary | ' +
        'é.md: indexed | 😀.md: indexed'
      ).split(' | '),
    )
    expect((await told(lab.engine, 'lab/data')).join(' | ')).toBe(
      '.gitignore: excluded | build/ 0 excluded | deep/ 1 | kept.tmp: indexed | notes.md: indexed',
    )
    expect(await told(lab.engine, 'lab/drafts')).toEqual(['plan.md: excluded'])
    expect(await told(lab.engine, 'lab/node_modules/x')).toEqual(['index.js: excluded'])
  })

  it('has reasons that are sentences', async () => {
    await using lab = await open(HELD)
    const { collections } = await lab.engine.library()
    await collections.remove('lab')
    const root = lab.uri.replace('file://', '')
    await collections.add({ name: 'lab', root, pattern: ['*.md'], exclude: ['archive'] })
    const { entries } = await browsed(lab, 'lab')
    const details = new Map(entries.map(({ name, detail }) => [name, detail]))
    expect(Object.fromEntries(details)).toMatchObject({
      '.env': 'Its name is that of a secret.',
      'a.tmp': 'The settings of the collection leave it out.',
      archive: 'The settings of the collection leave it out.',
      drafts: 'A .gitignore leaves it out.',
      node_modules: 'Folders of this name are left out unless a pattern names them.',
    })
    expect(details.get('README.md')).toBeUndefined()
  })

  it('that is a file has its own facts', async () => {
    await using lab = await open(HELD)
    await indexed(lab.engine)
    const { entries, next, file, collection, path, uri } = await browsed(lab, 'lab/data/notes.md')
    const place = ['lab', 'data/notes.md', 'ambit://lab/data/notes.md']
    expect([collection, path, uri, entries, next]).toEqual([...place, [], undefined])
    const matching = (pattern: RegExp) => expect.stringMatching(pattern)
    expect(file).toMatchObject({
      ...{ name: 'notes.md', size: 8, isIndexed: true, title: 'Notes', docid: matching(/^#[0-9a-f]+$/) },
      ...{ modifiedAt: matching(/^\d{4}-.*Z$/), etag: matching(/./) },
    })
    const ignored = await browsed(lab, 'ambit://lab/drafts/plan.md')
    expect(ignored.file).toMatchObject({ name: 'plan.md', isIndexed: false, why: 'excluded' })
  })

  it('carries what was said of it, and of what it holds', async () => {
    await using lab = await open(HELD)
    const { contexts } = await lab.engine.library()
    await contexts.set('/', 'Everything.')
    await contexts.set('lab', 'The lab.')
    await contexts.set('lab/data', 'The data.')
    await contexts.set('lab/data/notes.md', 'The notes.')
    const look = await browser(lab.engine)
    const all = await look.browse()
    expect(all).toMatchObject({ collection: null, contexts: [{ scope: 'global', text: 'Everything.' }] })
    expect(all.entries).toEqual([{ name: 'lab', kind: 'directory', documents: 0, context: 'The lab.' }])
    expect(await look.browse({ place: '/' })).toEqual(all)
    const data = await look.browse({ place: 'lab/data' })
    expect(data.contexts.map(({ scope, prefix, text }) => [scope, prefix, text])).toEqual([
      ['global', '/', 'Everything.'],
      ['collection', '/', 'The lab.'],
      ['path', '/data', 'The data.'],
    ])
    const said = data.entries.flatMap(({ name, context }) => (context === undefined ? [] : [[name, context]]))
    expect(said).toEqual([['notes.md', 'The notes.']])
    const root = await look.browse({ place: 'lab' })
    expect(root.entries.find(({ name }) => name === 'data')).toMatchObject({ context: 'The data.' })
    expect(root.entries.find(({ name }) => name === 'data-b')).not.toHaveProperty('context')
  })

  it.each([1, 2, 5, 1000])('comes in pages of %i that are together the whole', async (limit) => {
    await using lab = await open(HELD)
    const look = await browser(lab.engine)
    const names: string[] = []
    let after: string | undefined
    do {
      const page = await look.browse({ place: 'lab', limit, after })
      expect(page.entries.length).toBeLessThanOrEqual(limit)
      names.push(...page.entries.map(({ name }) => name))
      after = page.next
    } while (after !== undefined)
    expect(names).toEqual((await look.browse({ place: 'lab' })).entries.map(({ name }) => name))
  })

  it('may have more entries than a page of its bucket has', async () => {
    await using lab = await open(Object.fromEntries(Array.from({ length: 2345 }, (_, at) => [`many/f${at}.md`, ''])))
    const look = await browser(lab.engine)
    const all = await look.browse({ place: 'lab/many', limit: 10_000 })
    expect([all.entries.length, all.next]).toEqual([2345, undefined])
    const first = await look.browse({ place: 'lab/many', limit: 2000 })
    const rest = await look.browse({ place: 'lab/many', limit: 2000, after: first.next })
    expect([first.entries.length, rest.entries.length, rest.next]).toEqual([2000, 345, undefined])
    expect([...first.entries, ...rest.entries]).toEqual(all.entries)
  })

  it.each([
    ['lab/none', 'There is no lab/none.', /browse lab/],
    ['lab/readme.md', 'There is no lab/readme.md.', /Similar: lab\/README\.md\.$/],
    ['lab/data/note.md', 'There is no lab/data/note.md.', /Similar: lab\/data\/notes\.md\.$/],
    ['lab/notes.md', 'There is no lab/notes.md.', /Similar: lab\/data\/notes\.md\.$/],
    ['lab/daat/notes.md', 'There is no lab/daat/notes.md.', /Similar: lab\/data\/notes\.md\.$/],
    ['lab/dat', 'There is no lab/dat.', /Similar: lab\/data/],
    ['lab/README.md/x', 'There is no lab/README.md/x.', /./],
    ['lap', 'There is no collection "lap".', /Did you mean lab/],
  ])('that is not there is told with what is near to it: %s', async (place, message, hint) => {
    await using lab = await open(HELD)
    await indexed(lab.engine)
    const error = await failure(browsed(lab, place))
    expect(error).toMatchObject({ code: 'not-found', message, hint: expect.stringMatching(hint) })
  })

  it('is not looked at when the call was cancelled, nor below a token that is none', async () => {
    await using lab = await open(HELD)
    const look = await browser(lab.engine)
    const run = { ...SILENT, signal: AbortSignal.abort() }
    expect(await failure(look.browse({ place: 'lab' }, run))).toMatchObject({ code: 'cancelled' })
    expect(await failure(look.browse({ place: 'lab', after: 'nonsense' }))).toMatchObject({ code: expect.any(String) })
    expect(await failure(look.browse({ place: 'lab/../x' }))).toMatchObject({ code: 'invalid-input' })
  })
})

describe('a directory', () => {
  it('is not left by links, and says which ones lead out, or round', async () => {
    await using lab = await inDirectory(HELD)
    lab.files.plant({ 'beside/secret.md': 'x', 'lab/out -> /beside': '', 'lab/out.md -> ../beside/secret.md': '' })
    lab.files.plant({ 'lab/gone -> nowhere': '', 'lab/round -> .': '', 'lab/in -> data': '' })
    expect(await told(lab.engine, 'lab')).toEqual(
      expect.arrayContaining(['out: denied', 'out.md: denied', 'gone: missing', 'round: duplicate', 'in/ 0']),
    )
    expect((await told(lab.engine, 'lab/in')).length).toBe(5)
    const look = await browser(lab.engine)
    for (const place of ['lab/out', 'lab/out/secret.md', 'lab/out.md', 'lab/round']) {
      const error = await failure(look.browse({ place }))
      expect([place, error]).toMatchObject([place, { code: 'denied' }])
      expect(JSON.stringify(error)).not.toContain(lab.files.base)
    }
  })

  it('is found by its path on disk, too, and by names of any form', async () => {
    await using lab = await inDirectory({ ...HELD, 'nfd/e\u0301.md': 'x', 'odd/a b#?%41.md': 'y' })
    const look = await browser(lab.engine)
    expect(await look.browse({ place: lab.files.at('lab/data') })).toMatchObject({ collection: 'lab', path: 'data' })
    const [nfd] = (await look.browse({ place: 'lab/nfd' })).entries
    expect(await look.browse({ place: `lab/nfd/${nfd?.name}` })).toMatchObject({ file: { name: 'e\u0301.md' } })
    expect((await look.browse({ place: 'ambit://lab/odd/a%20b%23%3F%2541.md' })).file?.name).toBe('a b#?%41.md')
    expect(await look.browse({ place: 'lab/' })).toMatchObject({ path: '' })
  })

  it('that is gone, or was exchanged, is told as it is by then', async () => {
    await using lab = await inDirectory(HELD)
    const look = await browser(lab.engine)
    await look.browse({ place: 'lab' })
    renameSync(lab.files.at('lab'), lab.files.at('away'))
    expect(await failure(look.browse({ place: 'lab' }))).toMatchObject({ code: 'not-found' })
    mkdirSync(lab.files.at('lab'))
    expect((await look.browse({ place: 'lab' })).entries).toEqual([])
    rmSync(lab.files.at('lab'), { recursive: true })
    symlinkSync(lab.files.at('away'), lab.files.at('lab'))
    expect(await failure(look.browse({ place: 'lab' }))).toMatchObject({ code: 'denied' })
  })

  it('of 100,000 files is read once for all its pages, and again when it has changed', { tags: 'long' }, async () => {
    await using lab = await inDirectory({})
    const names = Array.from({ length: 100_000 }, (_, at) => `file-${String(at).padStart(6, '0')}.md`)
    mkdirSync(lab.files.at('lab/many'))
    for (const name of names) writeFileSync(lab.files.at('lab/many', name), '')
    const past = new Date(Date.now() - 60_000)
    utimesSync(lab.files.at('lab/many'), past, past)
    await new Promise((resume) => setTimeout(resume, 150))
    const look = await browser(lab.engine)
    const page = (after?: string) => look.browse({ place: 'lab/many', limit: 1000, after })
    let answer = await page()
    const times: number[] = []
    let seen = answer.entries.length
    while (answer.next !== undefined) {
      const began = performance.now()
      answer = await page(answer.next)
      times.push(performance.now() - began)
      seen += answer.entries.length
    }
    expect(seen).toBe(100_000)
    expect(times.sort((a, b) => a - b)[50]).toBeLessThan(1000)
    writeFileSync(lab.files.at('lab/many/a-new-one.md'), '')
    expect((await page()).entries[0]).toMatchObject({ name: 'a-new-one.md', isIndexed: false })
  })
})

describe('a bucket', () => {
  it('says so, and takes few requests for a page', async () => {
    await using lab = await inBucket(HELD)
    const look = await browser(lab.engine)
    expect(await look.browse({ place: 'lab/data' })).toMatchObject({ bucket: 'bucket', path: 'data' })
    // The list, the object that it might be, and the .gitignore of each directory down to it.
    expect(lab.server.log.length).toBe(4)
  })

  it('may hold what no path is, a folder that is an object, and a file beside a folder of its name', async () => {
    const odd = { 'made/': '', 'odd//key.md': 'x', 'up/../key.md': 'x', both: 'a file', 'both/inside.md': 'x' }
    await using lab = await inBucket(odd)
    expect(await told(lab.engine, 'lab')).toEqual(['both: new', 'both/ 0', 'made/ 0', 'odd/ 0', 'up/ 0'])
    expect(await told(lab.engine, 'lab/made')).toEqual([])
    expect(await told(lab.engine, 'lab/odd')).toEqual(['/: excluded'])
    expect(await told(lab.engine, 'lab/up')).toEqual(['../: excluded'])
    const both = await browsed(lab, 'lab/both')
    expect(both).toMatchObject({ file: { name: 'both', size: 6 }, entries: [{ name: 'inside.md' }] })
  })

  it('that is denied, or does not answer, is an error with its name', async () => {
    await using lab = await inBucket(HELD)
    const look = await browser(lab.engine)
    lab.server.refuses = () => true
    const message = expect.stringContaining('s3://bucket')
    expect(await failure(look.browse({ place: 'lab' }))).toMatchObject({ code: 'denied', message })
    const server = await s3Server()
    const engine = engineFor(server)
    await (await engine.library()).collections.add({ name: 'away', root: 's3://bucket' })
    await server[Symbol.asyncDispose]()
    expect(await failure((await browser(engine)).browse({ place: 'away' }))).toMatchObject({ code: 'unavailable' })
    await engine.close()
  })

  it('may refuse the list, and still give a file', async () => {
    await using lab = await inBucket(HELD)
    lab.server.refuses = ({ key }) => key === ''
    const { file } = await browsed(lab, 'lab/README.md')
    expect(file).toMatchObject({ name: 'README.md' })
  })
})
