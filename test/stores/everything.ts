import { packVector } from '../../src/retrieval/packed-vectors.ts'
import { deflateText } from '../../src/stores/deflated.ts'
import type { Cell } from '../../src/stores/row-store.ts'
import type { Store } from '../../src/stores/store.ts'
import { exchange } from './conversations.contract.ts'
import { COLLECTION, document, stored } from './filled.ts'

const ID = 'a'.repeat(32)
const CENTRE = new Float32Array([0.5, -0.25, 0.125, 1])

/** Texts that a database may keep otherwise than they are. */
export const ODD = [
  '\u0000',
  '\u0001\u0002',
  'a\u0000b\u0001',
  'ä€😀',
  "'\\x00",
  '{"a":null}',
  '"',
  '\\',
  'e\u0301',
  'é',
]

/** Puts something of every kind into a store, and takes some of it away again. */
export async function filled(store: Store, documents = 30): Promise<void> {
  await store.collections.add({ ...COLLECTION, patterns: ['*.md', '{a,b}/**'], exclude: ['x/'] })
  await store.collections.add({ ...COLLECTION, name: 'notes', hasSubstrings: true })
  await store.collections.add({ ...COLLECTION, name: 'ämter 😀' })
  const given = Array.from({ length: documents }, (_, at) => ({
    path: `${at % 7}/${at}.md`,
    title: ODD[at % ODD.length] ?? '',
    metadata: { author: ODD[(at + 3) % ODD.length] ?? '', tags: '["a","b"]' },
    text: `lion ${at} zebra${at % 13} ${'berth '.repeat(at % 11)}${ODD[at % ODD.length]}`,
    mtime: `${1_700_000_000_000_000_000n + BigInt(at) * 1_000_000_000n}`,
  }))
  for (let at = 0; at < given.length; at += 1000) await stored(store, 'docs', given.slice(at, at + 1000))
  const ids = await stored(
    store,
    'notes',
    [{ path: 'a', hasSubstrings: true }, { path: 'b\u0001' }, { path: 'gone' }],
    { skipped: { collection: 'notes', files: [{ ...document({ path: 'x.png' }), why: 'binary', detail: 'It is.' }] } },
  )
  await store.index.apply({ removed: ids.slice(2) })
  await store.collections.update('notes', { isPaused: true, indexedAt: '2026-11-21T10:00:00.000Z' })
  await store.contexts.set({ collection: '', pathPrefix: '/' }, 'What holds everywhere')
  await store.contexts.set({ collection: 'docs', pathPrefix: '/a' }, ODD.join(' '))
  await withVectors(store)
  await store.conversations.begin({ id: 'c1', title: ODD.join(), place: 'ambit://docs', model: 'm' })
  for (const at of [0, 1]) {
    await store.conversations.put(
      'c1',
      at,
      exchange(`q${at}`, { question: ODD.join(), shown: ODD, end: at ? null : 'done' }),
    )
  }
  await withResearch(store)
  await withOthers(store)
}

/** What belongs to others, under the same id, and by whose tokens they come. */
async function withOthers(store: Store): Promise<void> {
  const alice = store.of('alice')
  await alice.conversations.begin({ id: 'c1', title: 'Of alice', place: 'ambit://docs', model: 'm' })
  await alice.conversations.put('c1', 0, exchange('q0'))
  await alice.runs.add({ id: 'e'.repeat(32), question: 'Of alice?', settings: '{}' })
  const collections = ['docs', 'ämter 😀']
  await store.tokens.add({ id: 't1', name: 'alice', scopes: ['read'], collections, sha256: '1'.repeat(64) })
  const expiresAt = '2030-01-01T00:00:00.000Z'
  await store.tokens.add({ id: 't2', name: 'bob', scopes: ['admin'], expiresAt, sha256: '2'.repeat(64) })
  await store.tokens.recordUse('t2', expiresAt)
  await store.tokens.revoke('t2')
}

async function withVectors({ vectors, documents }: Store): Promise<void> {
  const known = await documents.known('docs')
  const contents = known.slice(0, 5).map(({ hash }, at) => ({
    hash,
    chunks: [1, 2].map((start) => ({ start, end: start + 4, ...packVector([at, start, Math.PI, -1 / 3], CENTRE) })),
  }))
  await vectors.put('a model', CENTRE, contents)
  await vectors.put('another', new Float32Array([1]), [{ hash: known[0]?.hash ?? '', chunks: [] }])
}

async function withResearch({ runs }: Store): Promise<void> {
  await runs.add({ id: ID, question: ODD.join(), settings: '{"x":1}' })
  await runs.add({ id: 'b'.repeat(32), question: 'Next?', settings: '{}', follows: ID })
  const file = { id: 'f', name: 'r.pdf', size: 5, type: 'application/pdf', sha256: '1'.repeat(64) }
  await runs.addFile(ID, file, new Uint8Array([0, 1, 2, 254, 255]))
  await runs.addFile(ID, { ...file, id: 'g', sha256: '2'.repeat(64) }, deflateText('another'))
  await runs.putDerived('text of it', 'ä'.repeat(1000), file.sha256)
  await runs.append(
    ID,
    0,
    [1, 2, 3].map((seq) => ({ seq, at: '2026-11-21T12:00:00.000Z', data: `{"n":${seq}}` })),
    'running',
  )
  await runs.removeFile(ID, 'g')
  await runs.update(ID, { wanted: 'pause' })
}

/** All rows of a store, as they would be in a file. */
export async function rowsOf(store: Store): Promise<(readonly (Cell | string)[])[]> {
  const all: (readonly (Cell | string)[])[] = []
  await store.rows.read(async ({ table, rows }) => {
    all.push(...rows.map((row) => [table, ...row.map(shown)]))
  })
  return all
}

function shown(cell: Cell): Cell {
  return cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell
}
