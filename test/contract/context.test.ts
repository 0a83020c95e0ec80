import { it } from 'vitest'
import type { LoadAnswer } from '../../src/context/answers.ts'
import { renderDelivery } from '../../src/context/reach/applying.ts'
import { BOUNDS } from '../../src/core/bounds.ts'
import { ContextError } from '../../src/core/errors.ts'
import { SILENT } from '../../src/core/flow.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { objectsAt } from '../../src/files/object-stores.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { entryLine, HEADER, packageOf, registryV1 } from '../quilt/packages/fixtures.ts'
import { type Held, memoryObjects } from '../support/memory-objects.ts'
import { SECRET_LINE, tree } from '../support/tree.ts'
import { digits, filesIn, perform, record } from './recorded.ts'

/* What places in buckets, packages and directories answer: their context, their files, and what is refused, with its hint. */

const long = (text: string, times: number) => text.repeat(times)
const RAIN = packageOf(
  {
    'README.md': { text: '# Rain\n' },
    'deep/days.csv': { text: 'day,mm\n1,2\n' },
    'deep/AGENTS.md': { text: 'Mind units.\n' },
  },
  { message: 'first' },
)
const PNG = Buffer.from('89504e470d0a1a0a0000000d', 'hex')
const odd = 'c'.repeat(64)
const MANY = packageOf({
  'e/x.txt': { text: 'x' },
  ...Object.fromEntries(Array.from({ length: 1200 }, (_, at) => [`f${at}.txt`, { text: `${at}` }])),
})

const HELD: Held = {
  ...Object.fromEntries(filesIn('places.txt')),
  ...registryV1({ 'team/rain': { '1600000000': RAIN }, 'team/many': { '1600000000': MANY } }),
  '.quilt/named_packages/team/odd/1600000000': odd,
  [`.quilt/packages/${odd}`]: [
    ...[
      HEADER,
      entryLine('README.md', {
        hash: { type: 'md5', value: '0' },
        physical_keys: ['s3://bucket/README.md?versionId=v'],
        size: 9,
      }),
    ],
    ...[entryLine('AGENTS.md', { hash: null, size: null, physical_keys: ['s3://bucket/notes/wind.md'] }), ''],
  ].join('\n'),
  'README.md?v': 'Versions\n',
  '.context/CONSTITUTION.md': Buffer.alloc(4 * 1024 * 1024 + 1, 'x'),
  '.context/TASKS.md': '- [ ] Sail\n',
  '.context/DRIFT.md': new ContextError('denied', 'It may not be read.'),
  '.context/BINARY.md': 'a\0b',
  'notes/README.md': `${long('x', 9_998)}獅子`,
  'whole/README.md': long('x', 10_000),
  'notes/latin.txt': Buffer.from('caf\xe9 au lait', 'latin1'),
  'notes/key.md': SECRET_LINE,
  'signs/README.md': 'a\u0001b\n',
  'notes/photo.png': PNG,
  'notes/huge.pdf': Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(32_000_000)]),
  'notes/small.pdf': '%PDF-1.7\n',
  'notes/large.png': Buffer.concat([PNG, Buffer.alloc(BOUNDS.image)]),
  'notes/shut.md': new ContextError('unavailable', 'The service is down.', { hint: 'Wait.' }),
  'copies/a.md': long('# Sail\n\nReef the sail.\n\n', 6),
  'copies/b.md': long('The sail is white.\n', 30_000),
  ...Object.fromEntries(Array.from({ length: 24 }, (_, at) => [`logs/wind-${at}.txt`, `line ${at}\n`])),
}

const shown = ({ ledger, contexts, warnings, ...answer }: LoadAnswer) => ({
  ...{ place: answer.place, root: answer.root, contextDir: answer.contextDir, choice: answer.choice },
  contexts: contexts.map(({ path, scope, reason }) => `${path} ${scope}: ${reason}`),
  ledger: ledger
    .filter(({ why }) => why !== 'missing')
    .map(({ title, decision, why, detail }) => [title, why ?? decision, detail]),
  warnings,
  ...{ missing: answer.missing, files: answer.files.map(({ name, tokenCount }) => [name, tokenCount]) },
})

it('a hook delivers so much within its cap', async () => {
  const item = ([name = '', times = 1]: readonly [string, number], isPinned: boolean) => {
    const text = long(`# ${name.slice(0, 9)}\n\nKeep to it.\n`, times)
    const fragment = {
      origin: { uri: name, labels: { filename: name } },
      kind: 'context',
      title: name,
      text,
      pinned: isPinned,
    }
    return { fragment, uri: name, digest: name, parts: [], name, by: [] }
  }
  const deliverAll = async (
    files: readonly (readonly [string, number])[],
    reader: Parameters<typeof renderDelivery>[1],
  ) => {
    const added = files.map((file, at) => item(file, at === 0))
    const { text, whole, bytes } = await renderDelivery({ added, changed: [], gone: [] }, reader)
    return {
      bytes,
      whole: [...whole],
      shown: Buffer.byteLength(text),
      text: text.replace(/(?:# \S+\n\nKeep to it\.\n)+/g, '…'),
    }
  }
  await record(await perform('deliveries', { hook: { deliver: deliverAll } }), 'context/deliveries')
})

it('places of collections, buckets and packages give these answers', async () => {
  using at = tree({
    'lab/README.md': 'Lab.\n',
    'lab/a/data.csv': 'x,y\n',
    'lab/a/.env': 'KEY=1\n',
    'lab/a/shut.md -> ../../out.md': '',
    'out.md': 'x',
  })
  const closed = {
    ...memoryObjects(HELD, { uri: 's3://closed' }),
    list: async () => Promise.reject(new ContextError('denied', 'No.')),
  }
  const engine = createEngine(
    { file: undefined, unknown: [], home: false },
    {
      store: async () => openSqlite(':memory:'),
      objects: async (root) =>
        root === 's3://closed' ? closed : root.startsWith('s3:') ? memoryObjects(HELD) : objectsAt(root),
    },
  )
  const { collections } = await engine.library()
  await collections.add({ name: 'boats', root: 's3://bucket/' })
  await collections.add({ name: 'lab', root: at.at('lab') })
  await (await engine.contexts()).set('boats/notes', 'Notes of sailors.')
  const reader = await engine.placeReader()
  const signal = AbortSignal.timeout(60_000)
  const targets = {
    engine: {
      load: async (place: string, more: object) => shown(await engine.load({ place, ...more }, SILENT)),
      text: async (place: string, more: object) => (await engine.load({ place, ...more }, SILENT)).text,
      whyNot: async (place: string, whyNot: string) => (await engine.explain({ place, whyNot }, SILENT)).whyNot,
    },
    reader: {
      browse: (request: object) => reader.browse(request, SILENT),
      read: async (place: string, lines?: string) => {
        const { text, ...read } = await reader.read(place, lines, signal)
        return { ...read, text: text.slice(0, 100) }
      },
      search: async (place: string, query: string) => {
        const { hits, notices } = await reader.search(place, query, signal)
        return {
          hits: hits.map(({ uri, lines, text, score }) => [uri, lines, text.slice(0, 80), digits(score)]),
          notices,
        }
      },
      preview: async (place: string) => {
        const { bytes, ...file } = await reader.readPreview(place, undefined, signal)
        return { ...file, bytes: bytes.length }
      },
    },
  }
  await record(await perform('reading', targets, at.base), 'context/places')
  await engine.close()
})
