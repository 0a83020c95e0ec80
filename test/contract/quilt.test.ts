import { it } from 'vitest'
import { SILENT } from '../../src/core/flow.ts'
import { openWritable } from '../../src/files/directory.ts'
import { compareBytes } from '../../src/files/objects.ts'
import { catalogOver } from '../../src/quilt/catalog.ts'
import { keyBelow, parsePhysicalKey, versionQuery } from '../../src/quilt/located.ts'
import { isName, isTag, logicalKeyProblem, parseSpec } from '../../src/quilt/names.ts'
import { metadataChanges } from '../../src/quilt/packages/diff.ts'
import { byTree } from '../../src/quilt/packages/in-order.ts'
import { parseJson } from '../../src/quilt/packages/json.ts'
import { pythonJson } from '../../src/quilt/packages/top-hash.ts'
import * as places from '../../src/quilt/place.ts'
import { entryLine, HEADER, packageOf, registryV1 } from '../quilt/packages/fixtures.ts'
import { type Held, memoryObjects } from '../support/memory-objects.ts'
import { tree } from '../support/tree.ts'
import { perform, record } from './recorded.ts'

/* What packages answer, whole: listings, manifests, hashes, differences, downloads, and what is refused, with its hint. */

const LESS = {
  'README.md': { text: '# Whales\n\nCounts of whales by year.\n', meta: { user_meta: { by: 'Anna', year: 2020 } } },
  'a/deep/b.csv': { text: 'x,y\n1,2\n' },
  'a/deep/c.csv': { text: 'x,y\n3,4\n', key: 'other/c d.csv' },
  'a/z.bin': { text: 'a\0b' },
  'ü/é.txt': { text: 'accents', version: 'v1' },
}
const MORE = { 'b.txt': { text: 'b' }, 'a/deep/b.csv': { text: 'x,y\n1,3\n', key: 'data/b2' } }
const OLD = packageOf(LESS, { message: 'first', user_meta: { a: 1, b: { c: [1, 2] } } })
const META = { a: 2, b: { c: [1], d: null }, e: 'x' }
const NEW = packageOf({ ...LESS, ...MORE }, { message: 'Second of whales', user_meta: META })
const OTHER = packageOf({ 'x.txt': { text: 'x' }, '../y': { text: 'y' }, '.git/config': { text: 'z' } }, {})

const TIDES = packageOf(Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`tide-${at}.csv`, { text: `${at}` }])))

/** A package whose manifest has these lines. */
function manifested(name: string, digit: string, ...lines: readonly string[]): Held {
  const hash = digit.repeat(64)
  return {
    [`.quilt/named_packages/team/${name}/latest`]: hash,
    [`.quilt/packages/${hash}`]: [HEADER, ...lines].join('\n'),
  }
}

const HELD: Held = {
  ...registryV1({
    'team/whales': { '1500000000': OLD, '1600000000': NEW },
    'team/whale': { '1500000001': OTHER },
    'lab/maps': { '1500000002': OTHER },
    'lab/tides': Object.fromEntries(Array.from({ length: 24 }, (_, at) => [`${1_510_000_000 + at}`, TIDES])),
  }),
  '.quilt/named_packages/team/whales/v1': OLD.hash,
  ...Object.fromEntries(
    [960, 961].map((blanks) => [`.quilt/named_packages/team/whales/and${blanks}`, OLD.hash + ' '.repeat(blanks)]),
  ),
  '.quilt/named_packages/team/lost/latest': 'f'.repeat(64),
  '.quilt/named_packages/team/odd/latest': 'not a hash',
  '.quilt/named_packages/team/empty/1500000000': OLD.hash,
  ...manifested('broken', 'e', entryLine('a'), '{broken', ''),
  ...manifested('clash', 'd', entryLine('b/x'), entryLine('a', { size: null, hash: null }), entryLine('b')),
  ...manifested(
    'mixed',
    'c',
    '{"logical_key": "m/", "meta": {"user_meta": {"d": 1}}}',
    entryLine('z', { physical_keys: ['s3://elsewhere/z'] }),
    entryLine('m/a', { size: null, hash: null }),
    entryLine('k', { hash: { type: 'md5', value: '0' } }),
  ),
}

/** The catalog of these collections, each method with a run that nobody follows. */
function catalogOf(roots: Parameters<typeof catalogOver>[0], within: 'collections' | 'anywhere' = 'collections') {
  const entries = Object.entries(catalogOver(roots, within))
  return Object.fromEntries(entries.map(([name, work]) => [name, (request: never) => work(request, SILENT)]))
}

it('packages of a registry give these answers', async () => {
  using at = tree({ 'out/README.md': 'mine\n', 'out/b.txt': 'b' })
  const [docs, part] = [
    { name: 'docs', root: 's3://bucket' },
    { name: 'part', root: 's3://bucket/data/a' },
  ]
  const collections = [docs, part, { name: 'lab', root: at.at('lab') }]
  const open = async (root: string) => {
    if (root === docs.root) return memoryObjects(HELD)
    if (root === part.root) return memoryObjects({ 'deep/b.csv': 'x,y\n1,2\n' }, { uri: root })
    return root.startsWith('s3:') ? memoryObjects({}, { uri: root }) : openWritable(root, { create: true })
  }
  const roots = { collections: async () => collections, open }
  const targets = { catalog: catalogOf(roots), anywhere: catalogOf(roots, 'anywhere') }
  await record(await perform('packages', targets, at.base), 'quilt/answers')
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
  const open = async (root: string) => openWritable(root)
  const { push } = catalogOf({ collections: async () => [{ name: 'lab', root: at.at('lab') }], open })
  const base = { dir: at.at('src'), name: 'team/data', registry: 'lab' }
  const lab = { push: (request: object) => push?.({ ...base, ...request } as never) }
  const shown = await perform('pushes', { at, lab }, at.base)
  const kept = openWritable(at.at('lab'))
  for (const { key } of (await kept.list({ prefix: '' })).objects) {
    const read = await kept.read(key)
    shown.push(`== ${key}`, read === 'unchanged' ? '' : Buffer.from(read.bytes).toString().replaceAll(at.base, '/base'))
  }
  // Where there are workflows, the header names their place, which is another each time.
  const first = shown.findIndex((line) => line.includes('workflows/meta.json'))
  const isPush = /^lab\.push.*"hash":/
  const plain = shown.map((line, index) => {
    const said = line.replace(/\b1\d{9}\b/g, 'TIME').replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    return index < first || !isPush.test(line) ? said : said.replace(/(?<=@|"hash":")[0-9a-f]{64}/g, 'HASH')
  })
  await record(plain, 'quilt/pushes')
})

it('addresses, names, keys and numbers are read as this', async () => {
  const names = {
    ...{ ...places, parsePhysicalKey, versionQuery, parseSpec, isName, isTag, logicalKeyProblem },
    hint: (hint: string, registry: places.RegistryName) =>
      places.addPlaceToHint(hint, { registry, spec: { name: 'team/data', revision: { hash: '1a2b3c' } } }),
    below: (text: string, uri: string) => keyBelow(parsePhysicalKey(text), uri),
    written: (json: string) => pythonJson(parseJson(json)),
    changes: (before: string, after: string) => [...metadataChanges(parseJson(before), parseJson(after))],
    byTree: (...keys: readonly string[]) => keys.toSorted(byTree),
    byCodePoint: (...keys: readonly string[]) => keys.toSorted((a, b) => compareBytes(a, b)),
  }
  await record(await perform('package-names', { names }), 'quilt/names')
})
