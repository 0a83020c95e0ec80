import { expect, it } from 'vitest'
import { SILENT } from '../../src/core/flow.ts'
import { openWritable } from '../../src/files/directory.ts'
import { catalogOver, type Packages } from '../../src/quilt/catalog.ts'
import { parsePhysicalKey } from '../../src/quilt/located.ts'
import { isName, isTag, logicalKeyProblem, parseSpec } from '../../src/quilt/names.ts'
import { metadataChanges } from '../../src/quilt/packages/diff.ts'
import { byCodePoint, byTree } from '../../src/quilt/packages/in-order.ts'
import { parseJson } from '../../src/quilt/packages/json.ts'
import { pythonJson } from '../../src/quilt/packages/top-hash.ts'
import { bucketAddress, packageAtPath, packagePlace, printPackageUri, registryPlace } from '../../src/quilt/place.ts'
import { entryLine, HEADER, packageOf, registryV1 } from '../quilt/packages/fixtures.ts'
import { type Held, memoryObjects } from '../support/memory-objects.ts'
import { tree } from '../support/tree.ts'

/* What packages answer, whole: listings, manifests, hashes, differences, downloads, and what is refused, with its hint. */

const record = (shown: readonly string[], name: string) =>
  expect(`${shown.join('\n')}\n`).toMatchFileSnapshot(`snapshots/quilt/${name}.txt`)

/** What a call gives, or how it fails, on one line. */
async function told(what: string, work: () => unknown): Promise<string> {
  try {
    return `${what}: ${JSON.stringify(await work())}`
  } catch (error) {
    const { code, message, hint } = error as Error & { code: string; hint?: string }
    return `${what}: ${code}: ${message} ${hint ?? ''}`
  }
}

const ENTRIES = {
  'README.md': { text: '# Whales\n\nCounts of whales by year.\n', meta: { user_meta: { by: 'Anna', year: 2020 } } },
  'a/deep/b.csv': { text: 'x,y\n1,2\n' },
  'a/deep/c.csv': { text: 'x,y\n3,4\n', key: 'other/c d.csv' },
  'a/z.bin': { text: 'a\0b' },
  'b.txt': { text: 'b' },
  'ü/é.txt': { text: 'accents', version: 'v1' },
}
const { 'b.txt': _, ...LESS } = ENTRIES
const OLD = packageOf(LESS, { message: 'first', user_meta: { a: 1, b: { c: [1, 2] } } })
const NEW = packageOf(
  { ...ENTRIES, 'a/deep/b.csv': { text: 'x,y\n1,3\n', key: 'data/b2' } },
  { message: 'Second of whales', user_meta: { a: 2, b: { c: [1], d: null }, e: 'x' } },
)
const OTHER = packageOf({ 'x.txt': { text: 'x' } }, {})

const HELD: Held = {
  ...registryV1({
    'team/whales': { '1500000000': OLD, '1600000000': NEW },
    'team/whale': { '1500000001': OTHER },
    'lab/maps': { '1500000002': OTHER },
  }),
  '.quilt/named_packages/team/whales/v1': OLD.hash,
  '.quilt/named_packages/team/lost/latest': 'f'.repeat(64),
  '.quilt/named_packages/team/odd/latest': 'not a hash',
  '.quilt/named_packages/team/empty/1500000000': OLD.hash,
  [`.quilt/packages/${'e'.repeat(64)}`]: `${HEADER}\n${entryLine('a')}\n{broken\n`,
  '.quilt/named_packages/team/broken/latest': 'e'.repeat(64),
  [`.quilt/packages/${'d'.repeat(64)}`]: [
    HEADER,
    entryLine('b/x'),
    entryLine('a', { size: null, hash: null }),
    entryLine('b'),
  ].join('\n'),
  '.quilt/named_packages/team/clash/latest': 'd'.repeat(64),
  [`.quilt/packages/${'c'.repeat(64)}`]: [
    HEADER,
    '{"logical_key": "m/", "meta": {"user_meta": {"d": 1}}}',
    entryLine('z', { physical_keys: ['s3://elsewhere/z'] }),
    entryLine('m/a', { size: null, hash: null }),
    entryLine('k', { hash: { type: 'md5', value: '0' } }),
  ].join('\n'),
  '.quilt/named_packages/team/mixed/latest': 'c'.repeat(64),
}

it('packages of a registry give these answers', async () => {
  using at = tree({ 'out/README.md': 'mine\n', 'out/b.txt': 'b' })
  const collections = [
    { name: 'docs', root: 's3://bucket' },
    { name: 'part', root: 's3://bucket/data/a' },
    { name: 'lab', root: at.at('lab') },
  ]
  const open = async (root: string) => {
    if (root === 's3://bucket') return memoryObjects(HELD)
    if (root.startsWith('s3://bucket/')) return memoryObjects({ 'deep/b.csv': 'x,y\n1,2\n' }, { uri: root })
    return root.startsWith('s3:') ? memoryObjects({}, { uri: root }) : openWritable(root, { isMade: true })
  }
  const roots = { collections: async () => collections, open }
  const shown: string[] = []
  const whole = catalogOver(roots, 'collections')
  const call = async <Name extends keyof Packages>(name: Name, request: object, catalog = whole) => {
    const work = catalog[name] as (request: object, run: typeof SILENT) => Promise<unknown>
    shown.push(
      (await told(`${name} ${JSON.stringify(request)}`, () => work.call(catalog, request, SILENT))).replaceAll(
        at.base,
        '/base',
      ),
    )
  }
  for (const registry of [
    undefined,
    'docs',
    'docs/team/',
    'docs/te',
    's3://bucket',
    's3://none',
    'nowhere',
    '/docs',
    'part',
  ])
    await call('list', { registry })
  await call('list', { registry: 's3://other' }, catalogOver(roots, 'anywhere'))
  await call('list', { registry: 'docs', limit: 2 })
  await call('list', { registry: 'docs', limit: 2, after: 'team/broken' })
  await call('list', { after: 'a' })
  const names = [
    'docs/team/whales',
    `docs/team/whales@${OLD.hash.slice(0, 8)}`,
    'docs/team/whales:v1',
    'docs/team/whales:none',
    'docs/team/whalse',
    'docs/taem/whales',
    'docs/team/lost',
    'docs/team/odd',
    'docs/team/empty',
    'docs/team/broken',
    'docs/team/clash',
    'docs/team/mixed',
    'docs/team/whales@ffffff',
    'quilt+s3://bucket#package=team/whales',
    'bucket/team/whales',
    'whales',
  ]
  for (const name of names) {
    await call('show', { package: name })
    await call('log', { package: name })
    await call('ls', { package: name })
  }
  await call('log', { package: 'docs/team/whales', limit: 1 })
  for (const path of ['a', 'a/', 'a/deep', 'b.txt', 'none', '../x', 'm']) {
    await call('ls', { package: 'docs/team/whales', path })
    await call('cat', { package: 'docs/team/whales', path })
  }
  for (const path of ['README.md', 'a/z.bin', 'ü/é.txt', 'a/deep/c.csv', 'a/deep/x.csv', 'a/dep', 'redme.md', ''])
    await call('cat', { package: 'docs/team/whales', path })
  await call('cat', { package: 'docs/team/whales', path: 'README.md', maxBytes: 5 })
  await call('cat', { package: 'docs/team/mixed', path: 'm/a' })
  await call('cat', { package: 'docs/team/mixed', path: 'z' })
  await call('cat', { package: 'docs/team/mixed', path: 'k' })
  await call('cat', { package: 'quilt+s3://bucket#package=team/whales&path=b.txt' })
  await call('cat', { package: 'quilt+s3://bucket#package=team/whales&path=b.txt', path: 'b.txt' })
  await call('ls', { package: 'docs/team/whales', limit: 2 })
  await call('ls', { package: 'docs/team/whales', limit: 2, after: 'a' })
  await call('ls', { package: 'docs/team/mixed', path: 'm' })
  for (const after of ['docs/team/whales', 'docs/team/whale'])
    await call('diff', { before: 'docs/team/whales:v1', after })
  await call('diff', { before: 'docs/team/whales:v1', after: 'docs/team/whales', limit: 1 })
  for (const name of ['whales', 'whales:v1', 'mixed', 'broken'])
    for (const more of [{}, { topHashOnly: true }, { dir: at.at('out') }])
      await call('verify', { package: `docs/team/${name}`, ...more })
  for (const query of ['whales', 'counts anna', 'b csv deep', 'second', 'nothing']) await call('search', { query })
  await call('search', { query: 'whales', registry: 'docs/team/', limit: 1 })
  for (const more of [{}, { force: true }, { path: 'a' }, { path: 'a/deep/b.csv' }, { path: 'none' }])
    await call('get', { package: 'docs/team/whales', dir: at.at('out'), ...more })
  await record(shown, 'answers')
})

it('a directory is pushed so, again and again', async () => {
  using at = tree({
    'lab/': '',
    'src/README.md': 'one\n',
    'src/plots/a b#é.csv': 'x,y\n1,2\n',
    'src/empty': '',
    'src/skip.log': 'log',
    'src/.quiltignore': '*.log\n',
    'meta.json': '{"by": "Ernest", "n": 1.50}',
    'entries.json': '{"README.md": {"k": [1]}}',
  })
  const roots = {
    collections: async () => [{ name: 'lab', root: at.at('lab') }],
    open: async (root: string) => openWritable(root),
  }
  const catalog = catalogOver(roots, 'collections')
  const shown: string[] = []
  const plain = (text: string) =>
    text
      .replaceAll(at.base, '/base')
      .replace(/\b1\d{9}\b/g, 'TIME')
      .replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
  // Where there are workflows, the header names their place, which is another each time.
  let hasWorkflows = false
  const push = async (request: object) => {
    const asked = { dir: at.at('src'), name: 'team/data', registry: 'lab', ...request }
    const said = plain(await told(JSON.stringify(request), () => catalog.push(asked, SILENT)))
    shown.push(hasWorkflows ? said.replace(/(?<=place":"[^"]*@|{"bucket.*"hash":")[0-9a-f]{64}/g, 'HASH') : said)
  }
  await push({})
  await push({ isMeant: true, message: 'first', metaFile: at.at('meta.json') })
  await push({ isMeant: true, message: 'same' })
  at.plant({ 'src/README.md': 'two\n', 'src/new.txt': 'new' })
  await push({ message: 'second', meta: '{"by": "Anna"}', entryMeta: ['new.txt={"a": 1}', 'empty=null'] })
  await push({
    isMeant: true,
    message: 'second',
    meta: '{"by": "Anna"}',
    entryMeta: ['new.txt={"a": 1}', 'empty=null'],
    remove: ['plots'],
  })
  await push({ isMeant: true, entryMetaFile: at.at('entries.json'), remove: ['gone'] })
  await push({ isMeant: true, entryMetaFile: at.at('entries.json') })
  for (const wrong of [
    { meta: '[1]' },
    { meta: '{' },
    { entryMeta: ['a'] },
    { entryMeta: ['none={}'] },
    { entryMeta: ['new.txt=1'] },
    { meta: '{}', metaFile: at.at('meta.json') },
    { metaFile: at.at('none.json') },
    { name: 'team' },
    { name: 'team/da/ta' },
    { registry: 'lab/team/' },
    { registry: 'none' },
    { workflow: 'x' },
    { dir: at.at('none') },
  ])
    await push(wrong)
  at.plant({
    'src/key.pem': '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----\n',
    'src/.env': 'A=1\n',
  })
  await push({})
  await push({ isMeant: true })
  await push({ isMeant: true, secrets: ['key.pem', '.env'] })
  const configs = [
    'version: "1"\nworkflows:\n  alpha:\n    name: A\n    is_message_required: true\n    handle_pattern: ^team/\n    metadata_schema: meta\nschemas:\n  meta:\n    url: SCHEMA\n',
    'version: "1"\ndefault_workflow: alpha\nworkflows:\n  alpha:\n    name: A\n    entries_schema: none\n',
    'version: "1"\nis_workflow_required: false\nworkflows:\n  alpha: {}\n',
    'version: "2"\nworkflows: {}\n',
    'version: "1.1.0"\nworkflows:\n  alpha:\n    handle_pattern: "("\n',
    'version: "1"\nworkflows:\n  alpha:\n    other: 1\n',
    'version: 1\nworkflows: []\n',
    '- a\n',
    '{',
  ]
  at.plant({
    'lab/.quilt/workflows/meta.json':
      '{"type": "object", "required": ["by"], "properties": {"by": {"type": "string"}}}',
  })
  hasWorkflows = true
  for (const config of configs) {
    at.plant({
      'lab/.quilt/workflows/config.yml': config.replace('SCHEMA', `file://${at.at('lab')}/.quilt/workflows/meta.json`),
    })
    for (const asked of [
      {},
      { workflow: 'alpha', message: 'm' },
      { workflow: 'alpha', message: 'm', meta: '{"by": 1}' },
      { workflow: 'alpha' },
      { workflow: 'beta' },
      { workflow: 'none' },
      { workflow: 'alpha', name: 'other/data', message: 'm' },
    ])
      await push({ secrets: ['key.pem', '.env'], ...asked })
  }
  const lab = openWritable(at.at('lab'))
  for (const { key } of (await lab.list({ prefix: '' })).objects) {
    const read = await lab.read(key)
    shown.push(plain(`== ${key}`), plain(read === 'unchanged' ? '' : Buffer.from(read.bytes).toString()))
  }
  await record(shown, 'pushes')
})

it('addresses, names, keys and numbers are read as this', async () => {
  const shown: string[] = []
  const texts = [
    'docs/team/data',
    'docs/team/data@1a2b3c',
    'docs/team/data:v1',
    'docs/team/data:v1/a/b',
    'docs/team/data/a',
    'docs/team',
    's3://bucket',
    's3://bucket/a%20b/c',
    's3:',
    'quilt+s3://bucket',
    'quilt+s3://bucket#package=team/data&path=a%2Fb',
    'quilt+s3://bucket/x#package=team/data',
    'quilt+s3://bucket#package=team/data@1a2b3c&path=a/',
    'quilt+s3://bucket#package=team/data&path=',
    'quilt+s3://bucket#path=a',
    'quilt+s3://bucket#package=a/b&package=c/d',
    'quilt+s3://bucket#package',
    'quilt+s3://bucket#package=a=b',
    'quilt+s3://bucket#what=a',
    'ambit://docs/a%20b',
    'ambit://docs/a%zz',
    'ambit://docs/team/data@1a2b3c/x',
    './docs',
    '~/x',
    'https://a/b',
    '',
    'docs',
    'docs/',
    'a/b/c@12345',
    'a/b/c@1234567g',
    'a/b/c:',
  ]
  const readers = { packagePlace, bucketAddress, registryPlace, parsePhysicalKey, parseSpec }
  for (const text of texts)
    for (const [name, read] of Object.entries(readers)) shown.push(await told(`${name} ${text}`, () => read(text)))
  for (const key of [
    's3://b/a%20b?versionId=v%2F1',
    's3://b/a?x=1',
    's3://b/a?versionId=1&versionId=2',
    'file:///a/b%20c',
    'file://host/a',
    'http://b/a',
    's3://b',
    's3:///a',
    'file:///a%zz',
  ])
    shown.push(await told(`key ${key}`, () => parsePhysicalKey(key)))
  for (const name of ['a/b', 'a-b/c_d', 'a.b/c', 'A/B', 'a', 'a/b/c', ' a/b', 'a/b!'])
    shown.push(`${name}: ${isName(name)} ${isTag(name)}`)
  for (const key of ['a', 'a/b', '/a', 'a/', '../a', 'a/../b', 'a//b', '.', '', 'a\0b', 'a\\b', '.quilt/x'])
    shown.push(`${JSON.stringify(key)}: ${logicalKeyProblem(key)}`)
  for (const path of ['team/data', 'team/data/', 'team/data/a b/c', 'team', 'te am/data'])
    for (const registry of [{ collection: 'docs' }, { bucket: 'b' }])
      shown.push(`${path}: ${JSON.stringify(packageAtPath(registry, path))}`)
  shown.push(printPackageUri({ bucket: 'b', name: 'a/b', path: 'a b/ü&=#.csv' }))
  const keys = [
    'a/z',
    'a.b',
    'a',
    'b/x',
    'b-c',
    'b',
    'é',
    '\u{1f600}',
    '\uffee',
    'a\u{1f600}',
    'a\uffee',
    'a/',
    'ab',
    '\ud83d',
    'a\u{1f601}',
  ]
  shown.push(
    `by tree ${[...keys].sort(byTree).map((key) => JSON.stringify(key))}`,
    `by code point ${[...keys].sort(byCodePoint).map((key) => JSON.stringify(key))}`,
  )
  for (const json of [
    '{"b": 1.0, "a": [1e5, 1E-7, 0.1, -0.0, 123456789012345678901234567890, 1e16, 1.5e300, 9007199254740993.0, 0.0001, 0.00001, 123456.789e3, NaN, -Infinity]}',
    '"\\u00e9\\ud83d\\ude00\\u2028\\"\\n\\u007f"',
    '{"": null, "é": true, "\\ud83d\\ude00": false, "z": {}}',
    '[]',
    '1e400',
    '{"a": 1, "a": 2}',
    '[1,]',
    '01',
    '"\\x"',
    '',
  ])
    shown.push(await told(json, () => pythonJson(parseJson(json))))
  const [before, after] = [
    parseJson('{"a": 1, "b": {"c": [1, 2], "d": 1}, "e": null, "f": [1]}'),
    parseJson('{"a": 1.0, "b": {"c": [1], "d": {"x": 1}}, "g": "new", "f": {"0": 1}}'),
  ]
  shown.push(
    ...[...metadataChanges(before, after)].map((change) => JSON.stringify(change)),
    ...[...metadataChanges(null, after)].map((change) => JSON.stringify(change)),
  )
  await record(shown, 'names')
})
