import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { BOUNDS } from '../../../src/core/bounds.ts'
import { ContextError } from '../../../src/core/errors.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { openWritable } from '../../../src/files/directory.ts'
import type { Objects, PutRequest } from '../../../src/files/objects.ts'
import { openS3 } from '../../../src/files/s3/s3.ts'
import { diffOf } from '../../../src/quilt/packages/diff.ts'
import { type JsonObject, parseJson } from '../../../src/quilt/packages/json.ts'
import { type DownloadOptions, downloadPackage } from '../../../src/quilt/packages/local.ts'
import { type PushRequest, pushPackage } from '../../../src/quilt/packages/push.ts'
import { resolvePackage } from '../../../src/quilt/packages/resolve.ts'
import { revisionsOf } from '../../../src/quilt/packages/revisions.ts'
import { verifyPackage } from '../../../src/quilt/packages/verify.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { Bucket } from '../../support/s3/bucket.ts'
import { KEY, REGION, SECRET, s3Server } from '../../support/s3/server.ts'
import { type Shape, type Tree, tree } from '../../support/tree.ts'
import { failure, packageOf, registryV1 } from './fixtures.ts'

const FILES = { 'src/README.md': 'one\n', 'src/plots/a b#é.csv': 'x,y\n1,2\n', 'src/empty': '' }

/** Pushes `src` of a tree to `lab` of it. */
function pushed(at: Tree, request: Partial<PushRequest> = {}, registry: Objects = openWritable(at.at('lab'))) {
  return pushPackage(openWritable(at.at('src')), registry, { name: 'team/data', isConfirmed: true, ...request }, SILENT)
}

const registryOf = (shape: Shape = FILES) => tree({ 'lab/': '', ...shape })

/** What a check of a revision in `lab` finds. */
async function checked(at: Tree, { hash }: { readonly hash: string }, registry: Objects = openWritable(at.at('lab'))) {
  return verifyPackage(await resolvePackage(registry, { name: 'team/data', revision: { hash } }), { registry }, SILENT)
}

const LONG = 'x'.repeat(BOUNDS.manifestLine)

const latestOf = (at: Tree) => readFileSync(at.at('lab/.quilt/named_packages/team/data/latest'), 'utf8')

describe('a directory that is pushed', () => {
  it('is a revision that says what quilt3 would say', async () => {
    using at = registryOf()
    const { hash } = await pushed(at, { message: 'first', userMeta: { by: 'Ernest' } })
    const lines = readFileSync(at.at('lab/.quilt/packages', hash), 'utf8').split('\n')
    expect(lines[0]).toBe('{"version": "v0", "user_meta": {"by": "Ernest"}, "message": "first"}')
    // SHA-256 of the SHA-256 of one chunk.
    const sum = createHash('sha256').update(createHash('sha256').update('one\n').digest()).digest('base64')
    expect(lines[1]).toBe(
      `{"logical_key": "README.md", "physical_keys": ["file://${at.at('lab')}/team/data/README.md"], "size": 4, "hash": {"type": "sha2-256-chunked", "value": "${sum}"}, "meta": {}}`,
    )
    const keys = lines.map((line) => (line ? JSON.parse(line).logical_key : 'end'))
    expect(keys).toEqual([undefined, 'README.md', 'empty', 'plots/a b#é.csv', 'end'])
    expect(latestOf(at)).toBe(hash)
  })

  it('is good when it is checked, and comes back as it was', async () => {
    using at = registryOf()
    const { hash } = await pushed(at)
    const registry = openWritable(at.at('lab'))
    const resolved = await resolvePackage(registry, { name: 'team/data' })
    expect(await verifyPackage(resolved, { registry }, SILENT)).toMatchObject({ isGood: true, verified: 3, hash })
    const directory = openWritable(at.at('out'), { create: true })
    expect(await downloadPackage(resolved, { registry, directory }, SILENT)).toMatchObject({ written: 3, current: 0 })
    expect(readFileSync(at.at('out/plots/a b#é.csv'), 'utf8')).toBe('x,y\n1,2\n')
    const again = await verifyPackage(resolved, { registry, directory }, SILENT)
    expect(again).toMatchObject({ isGood: true, verified: 3, counts: {} })
  })

  it('writes nothing unless that is meant, and says what it would write', async () => {
    using at = registryOf()
    const plan = await pushed(at, { isConfirmed: false })
    expect(plan).toMatchObject({ isPushed: false, uploaded: 3, uploadedBytes: 12, parent: null })
    expect(readdirSync(at.at('lab'))).toEqual([])
    expect((await pushed(at)).hash).toBe(plan.hash)
  })

  it('sends only what is new, and leaves what older revisions point to', async () => {
    using at = registryOf()
    const first = await pushed(at, { message: '1' })
    at.plant({ 'src/README.md': 'two\n' })
    const second = await pushed(at, { message: '2' })
    expect(second).toMatchObject({ parent: first.hash, uploaded: 1, uploadedBytes: 4 })
    at.plant({ 'src/README.md': 'one\n' })
    const third = await pushed(at, { message: '3' })
    const registry = openWritable(at.at('lab'))
    for (const one of [first, second, third])
      expect(await checked(at, one)).toMatchObject({ isGood: true, verified: 3 })
    const { revisions, latest } = await revisionsOf(registry, 'team/data')
    expect([latest, revisions.map(({ hash }) => hash)]).toEqual([third.hash, [third.hash, second.hash, first.hash]])
  })

  it('that is the latest revision already writes nothing', async () => {
    using at = registryOf()
    await pushed(at)
    expect(await pushed(at)).toMatchObject({ isCurrent: true, uploaded: 0 })
    expect(readdirSync(at.at('lab/.quilt/named_packages/team/data'))).toHaveLength(2)
  })

  it('leaves entries as they are whose hashes are of an older type', async () => {
    const entries = { 'README.md': { text: 'one\n', key: 'old/README.md' }, empty: { text: '', key: 'old/empty' } }
    const old = packageOf(entries)
    const files = Object.entries(registryV1({ 'team/data': { 1680720300: old } }))
    using at = registryOf()
    at.plant(
      Object.fromEntries(files.map(([key, value]) => [`lab/${key}`, String(value).replaceAll('s3://bucket/', '')])),
    )
    const push = await pushed(at)
    expect(push).toMatchObject({ parent: old.hash, uploaded: 1, totalEntries: 3, changed: 1 })
    const registry = openWritable(at.at('lab'))
    const resolve = (hash: string) => resolvePackage(registry, { name: 'team/data', revision: { hash } })
    const [before, after] = [await resolve(old.hash), await resolve(push.hash)]
    expect(await verifyPackage(after, { registry }, SILENT)).toMatchObject({ isGood: true, verified: 3 })
    const diff = await diffOf(before.manifest, after.manifest)
    expect(diff).toMatchObject({ added: 1, changed: 0, unchanged: 2 })
  })

  it('with secrets in it is refused, and says which, until they are named', async () => {
    const token = `ghp_${'q9Zr4Tw8Lk2Pv6Xn1Bs5Hd3Gf7Jc0MyRuEaW'}`
    using at = registryOf({ ...FILES, 'src/.env': 'KEY=1\n', 'src/notes.txt': `one\nToken: ${token}\n` })
    const secrets = [
      { path: '.env', what: 'by its name' },
      { path: 'notes.txt', what: 'a token of GitHub, line 2' },
    ]
    expect(await pushed(at, { isConfirmed: false })).toMatchObject({ isPushed: false, secrets })
    const refused = await failure(pushed(at))
    const message = expect.stringContaining('".env" (by its name), "notes.txt"')
    expect(refused).toMatchObject({ code: 'denied', message })
    expect(`${refused.message}${refused.hint}`).not.toContain(token)
    expect(await failure(pushed(at, { secrets: ['.env'] }))).toMatchObject({ code: 'denied' })
    expect(readdirSync(at.at('lab'))).toEqual([])
    expect(await pushed(at, { secrets: ['.env', 'notes.txt'] })).toMatchObject({ isPushed: true, totalEntries: 5 })
  })

  it('leaves out what belongs to git and Quilt, and what .quiltignore names', async () => {
    const beside = { 'src/.git/HEAD': 'x', 'src/sub/.quilt/x': 'x', 'src/a.log': 'x', 'src/.quiltignore': '*.log\n' }
    using at = registryOf({ ...FILES, ...beside })
    expect(await pushed(at)).toMatchObject({ totalEntries: 4, ignored: 3 })
  })

  it.each([
    ['has versions', 'Enabled', ['team/data/README.md']],
    ['keeps versions no more', 'Suspended', [expect.stringContaining('/.objects/'), 'team/data/README.md']],
  ] as const)('overwrites nothing in a bucket that %s', async (_, versioning, keys) => {
    using at = registryOf()
    await using server = await s3Server()
    const bucket = Object.assign(new Bucket(REGION), { versioning })
    server.buckets.set('bucket', bucket)
    const credentials = { accessKeyId: KEY, secretAccessKey: SECRET }
    const registry = await openS3({ bucket: 'bucket', endpoint: server.url, region: REGION, credentials })
    const first = await pushed(at, { message: '1' }, registry)
    at.plant({ 'src/README.md': 'two\n' })
    const second = await pushed(at, { message: '2' }, registry)
    expect(bucket.keys().filter((key) => key.endsWith('README.md'))).toEqual(keys)
    for (const one of [first, second])
      expect(await checked(at, one, registry)).toMatchObject({ isGood: true, verified: 3 })
    await registry.close()
  })

  it.each([
    ['compares', (request?: PutRequest) => request],
    ['compares nothing', () => ({})],
  ])('is told where somebody else pushed meanwhile, and is not lost: the service %s', async (_, conditionOf) => {
    const other = 'f'.repeat(64)
    // Their pointer of the time stands when ours are listed, and latest is moved after it was read.
    using at = registryOf({ ...FILES, 'lab/.quilt/named_packages/team/data/1680720300': other })
    const lab = openWritable(at.at('lab'))
    const racing: Objects = {
      ...lab,
      put: async (key, bytes, request) => {
        if (key.startsWith('.quilt/packages/'))
          await lab.put('.quilt/named_packages/team/data/latest', Buffer.from(other))
        return lab.put(key, bytes, key.endsWith('/latest') ? conditionOf(request) : request)
      },
    }
    const found = await failure(pushed(at, {}, racing))
    expect(found).toMatchObject({ code: 'conflict', message: expect.stringContaining(`latest is ${other}`) })
    expect(latestOf(at)).toBe(other)
    expect(String(found.hint)).toMatch(/Your revision is kept as team\/data@[0-9a-f]{64}/)
  })

  it('replaces nothing that was pushed while latest was read', async () => {
    using at = registryOf()
    await pushed(at)
    at.plant({ 'src/README.md': 'two\n' })
    const lab = openWritable(at.at('lab'))
    const other = 'f'.repeat(64)
    await lab.put(`.quilt/packages/${other}`, Buffer.from('{"version": "v0"}\n'))
    let isFirst = true
    const push = async () => {
      if (isFirst) await lab.put('.quilt/named_packages/team/data/latest', Buffer.from(other))
      isFirst = false
    }
    const racing: Objects = {
      ...lab,
      head: async (key, request) => {
        const info = await lab.head(key, request)
        if (key.endsWith('/latest')) await push()
        return info
      },
      read: async (key, request) => {
        const read = await lab.read(key, request)
        if (key.endsWith('data/latest')) await push()
        return read
      },
    }
    expect(await failure(pushed(at, {}, racing))).toMatchObject({ code: 'conflict' })
    expect(latestOf(at)).toBe(other)
  })

  it('has a time for each time that it became the latest, and one where a push was killed before', async () => {
    using at = registryOf()
    const first = await pushed(at)
    const pointers = 'lab/.quilt/named_packages/team/data'
    // A name that somebody gave to the revision, which is not a time.
    at.plant({ 'src/README.md': 'two\n', [`${pointers}/v1`]: first.hash })
    await pushed(at)
    at.plant({ 'src/README.md': 'one\n' })
    expect((await pushed(at)).hash).toBe(first.hash)
    expect(readdirSync(at.at(pointers))).toHaveLength(5)
    for (const name of readdirSync(at.at(pointers))) if (/^\d/.test(name)) rmSync(at.at(pointers, name))
    await pushed(at)
    expect(readdirSync(at.at(pointers))).toHaveLength(3)
  })

  it.each([
    ['an empty directory', { 'src/': '' }, {}, 'no files'],
    ['a link that leads outside', { ...FILES, 'src/out -> /etc/hostname': '' }, {}, 'cannot be pushed'],
    ['a workflow where there are none', FILES, { workflow: 'x' }, 'has no workflows'],
    ['metadata that no reader takes', FILES, { userMeta: { a: LONG } }, 'Line 1 of the manifest would have more'],
    [
      'such metadata of an entry',
      FILES,
      { entryMeta: { empty: { a: LONG } } },
      'Line 3 of the manifest would have more',
    ],
  ])('is refused for %s', async (_, shape, request, message) => {
    using at = tree({ 'lab/': '', ...(shape as Shape) })
    expect((await failure(pushed(at, request))).message).toContain(message)
  })
})

describe('a workflow of the registry', () => {
  const CONFIG = `version: '1'
default_workflow: strict
is_workflow_required: false
workflows:
  strict:
    name: Strict
    is_message_required: true
    handle_pattern: ^team/
    metadata_schema: who
    entries_schema: small
schemas:
  who: { url: 'URL/who.json' }
  small: { url: 'URL/small.json' }
`
  const WHO = '{"type": "object", "required": ["by"]}'
  const SMALL = '{"type": "array", "items": {"properties": {"size": {"maximum": 100}}}}'

  function withWorkflow() {
    const at = registryOf({ ...FILES, 'lab/who.json': WHO, 'lab/small.json': SMALL })
    at.plant({ 'lab/.quilt/workflows/config.yml': CONFIG.replaceAll('URL', `file://${at.at('lab')}`) })
    return at
  }

  it('is named in the revision that it takes', async () => {
    using at = withWorkflow()
    const { hash } = await pushed(at, { message: 'm', userMeta: { by: 'me' } })
    const header = JSON.parse(readFileSync(at.at('lab/.quilt/packages', hash), 'utf8').split('\n')[0] ?? '')
    expect(header.workflow).toEqual({
      id: 'strict',
      config: `file://${at.at('lab')}/.quilt/workflows/config.yml`,
      schemas: { who: `file://${at.at('lab')}/who.json`, small: `file://${at.at('lab')}/small.json` },
    })
    expect((await pushed(at, { workflow: null })).hash).not.toBe(hash)
  })

  it.each([
    ['is configured as is not known', `${CONFIG}strictness: 1\n`, 'configuration of workflows asks for "strictness"'],
    [
      'asks in another type',
      CONFIG.replace('required: true', 'required: "yes"'),
      '"is_message_required" that is no boolean',
    ],
    ['is of a newer version', CONFIG.replace("'1'", "'1.2'"), 'version "1.2"'],
  ])('is refused, and nothing pushed, where it %s', async (_, config, told) => {
    using at = withWorkflow()
    at.plant({ 'lab/.quilt/workflows/config.yml': config.replaceAll('URL', `file://${at.at('lab')}`) })
    expect((await failure(pushed(at, { message: 'm', userMeta: { by: 'me' } }))).message).toContain(told)
    expect(readdirSync(at.at('lab/.quilt'))).toEqual(['workflows'])
  })

  it('takes numbers as Python has them', async () => {
    using at = withWorkflow()
    at.plant({ 'lab/who.json': '{"properties": {"by": {"type": "number"}, "n": {"type": "integer"}}}' })
    const userMeta = parseJson('{"by": NaN, "n": 1.0}') as JsonObject
    expect(await pushed(at, { message: 'm', userMeta })).toMatchObject({ isPushed: true })
  })

  it.each([
    ['a name', { 'lab/.quilt/workflows/config.yml': CONFIG.replace('^team/', '(\\w+)+!$') }],
    ['the metadata', { 'lab/who.json': '{"properties": {"by": {"pattern": "^(a+)+$"}}}' }],
  ])('is given up where a pattern takes too long for %s', async (_, files) => {
    using at = withWorkflow()
    at.plant(JSON.parse(JSON.stringify(files).replaceAll('URL', `file://${at.at('lab')}`)))
    const name = `team/${'a'.repeat(60)}`
    const { code, message } = await failure(pushed(at, { name, message: 'm', userMeta: { by: `${'a'.repeat(60)}!` } }))
    expect([code, message]).toEqual(['over-limit', 'A pattern of the workflow takes longer than 1000 ms.'])
  })
})

describe('a package that is taken home', () => {
  async function taken(at: Tree, request: Partial<DownloadOptions> = {}) {
    const registry = openWritable(at.at('lab'))
    const resolved = await resolvePackage(registry, { name: 'team/data' })
    const directory = openWritable(at.at('out'), { create: true })
    return downloadPackage(resolved, { registry, directory, ...request }, SILENT)
  }

  it.each([
    ['a directory', 'plots', ['plots']],
    ['a directory with its slash', 'plots/', ['plots']],
    ['an entry', 'README.md', ['README.md']],
  ])('may be %s of it', async (_, path, names) => {
    using at = registryOf()
    await pushed(at)
    expect(await taken(at, { path })).toMatchObject({ entries: 1, written: 1 })
    expect(readdirSync(at.at('out'))).toEqual(['.quilt', ...names])
  })

  it('without an entry that may not be read is told so, and the rest is there', async () => {
    using at = registryOf()
    await pushed(at)
    const objects = openWritable(at.at('lab'))
    const denied = new ContextError('denied', 'README.md is denied.')
    const registry: Objects = {
      ...objects,
      stream: (key, request) => {
        if (key.endsWith('README.md')) throw denied
        return objects.stream(key, request)
      },
    }
    const resolved = await resolvePackage(registry, { name: 'team/data' })
    const directory = openWritable(at.at('out'), { create: true })
    const download = await downloadPackage(resolved, { registry, directory }, SILENT)
    expect(download).toMatchObject({ written: 2 })
    expect(JSON.stringify(download)).toContain('README.md is denied.')
    expect(readdirSync(at.at('out')).sort()).toEqual(['.quilt', 'empty', 'plots'])
  })

  it('is not found where nothing has the path', async () => {
    using at = registryOf()
    await pushed(at)
    expect(await failure(taken(at, { path: 'plot' }))).toMatchObject({ code: 'not-found' })
  })

  it('leaves a file that is another one, unless it is forced', async () => {
    using at = registryOf()
    await pushed(at)
    at.plant({ 'out/README.md': 'own\n' })
    expect(await taken(at)).toMatchObject({ written: 2, counts: { different: 1 } })
    expect(readFileSync(at.at('out/README.md'), 'utf8')).toBe('own\n')
    expect(await taken(at, { force: true })).toMatchObject({ written: 1, current: 2, counts: {} })
    expect(readFileSync(at.at('out/README.md'), 'utf8')).toBe('one\n')
  })

  it('has no file whose bytes are others than the package names', async () => {
    using at = registryOf()
    await pushed(at)
    at.plant({ 'lab/team/data/README.md': 'eno\n' })
    expect(await taken(at)).toMatchObject({ written: 2, counts: { 'hash-mismatch': 1 } })
    expect(readdirSync(at.at('out')).sort()).toEqual(['.quilt', 'empty', 'plots'])
  })

  it('leaves out and tells what starts programs, unless that is allowed, and also what a link leads to', async () => {
    const programs = ['.Claude/settings.json', '.zshenv', 'repo/HEAD']
    using at = registryOf(Object.fromEntries([...programs, 'repo/config', 'way/x'].map((key) => [`src/${key}`, 'x'])))
    using one = registryOf({ 'src/.zshenv': 'x' })
    expect(await failure(pushed(one))).toMatchObject({ code: 'denied' })
    await pushed(at, {}, openWritable(at.at('lab'), { startsPrograms: true }))
    at.plant({ 'out/.git/': '', 'out/way -> .git': '' })
    const { counts, reports } = await taken(at, { force: true })
    expect([counts, reports.map(({ logicalKey }) => logicalKey)]).toEqual([{ executable: 4 }, [...programs, 'way/x']])
    expect(readdirSync(at.at('out'), { recursive: true }).sort()).toEqual([
      ...['.git', '.quilt', '.quilt/origin.jsonl', 'repo', 'repo/config', 'way'],
    ])
    const directory = openWritable(at.at('out'), { startsPrograms: true })
    expect(await taken(at, { directory })).toMatchObject({ written: 4, current: 1, counts: {} })
  })

  it.each(['.quilt', '.quilt/origin.jsonl', '.Quilt/Origin.jsonl.', '.quilt/origin.jsonl/x'])(
    'has no file at %s, where the revision is stored',
    async (key) => {
      const { hash, manifest } = packageOf({ 'a.txt': { text: 'a' }, [key]: { text: '{}' } })
      using at = registryOf({
        'lab/.quilt/named_packages/team/data/latest': hash,
        [`lab/.quilt/packages/${hash}`]: manifest.replaceAll('s3://bucket/', ''),
        'lab/data/a.txt': 'a',
        [`lab/data/${key}`]: '{}',
      })
      expect(await taken(at)).toMatchObject({ written: 1, counts: { 'bad-key': 1 } })
      expect(readFileSync(at.at('out/.quilt/origin.jsonl'), 'utf8')).toContain(hash)
      expect(readdirSync(at.at('out')).sort()).toEqual(['.quilt', 'a.txt'])
    },
  )

  it('is not written at all where the manifest is not the one that its hash names', async () => {
    using at = registryOf()
    const { hash } = await pushed(at)
    const path = `lab/.quilt/packages/${hash}`
    at.plant({ [path]: readFileSync(at.at(path), 'utf8').replace('README', 'readme') })
    expect(await failure(taken(at))).toMatchObject({ code: 'untrusted' })
    expect(readdirSync(at.at('out'))).toEqual([])
  })

  it('is whatever was pushed', async () => {
    const name = fc.stringMatching(/^[a-z#%é ]{1,6}$/).filter((text) => text.trim() === text && text !== '')
    const files = fc.dictionary(
      fc.tuple(name, name).map((parts) => parts.join('/')),
      fc.string(),
      { minKeys: 1, maxKeys: 5 },
    )
    await forAllAsync(25, files, async (given) => {
      using at = registryOf(Object.fromEntries(Object.entries(given).map(([key, text]) => [`src/${key}`, text])))
      await pushed(at)
      expect(await taken(at)).toMatchObject({ written: Object.keys(given).length, counts: {} })
      for (const [key, text] of Object.entries(given))
        expect(readFileSync(at.at('out', key), 'utf8')).toBe(Buffer.from(text).toString())
    })
  })
})
