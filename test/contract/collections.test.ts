import { utimesSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { libraryOver } from '../../src/collections/library.ts'
import { PathContexts } from '../../src/collections/path-contexts.ts'
import type { SearchRequest } from '../../src/collections/search.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { tree } from '../support/tree.ts'

/* What a library answers, whole: places, documents, searches in each mode with each option, path contexts, and what is refused. */

const record = (shown: readonly string[], name: string) =>
  expect(`${shown.join('\n')}\n`).toMatchFileSnapshot(`snapshots/collections/${name}.txt`)

const TREE = {
  'docs/README.md':
    '---\ntitle: Harbour guide\nstatus: draft\ntags: [boats, berths]\n---\n# Harbour guide\n\nShips wait in the roads when all berths are full. The waiting list is kept by the harbour office.\n',
  'docs/berths/plan.md':
    '# Berths\n\n## North\n\nBerth A1 takes a ferry of 40 tonnes. The waiting list of the north is long.\n\n## South\n\nThe south berth was repaired.\n',
  'docs/berths/old plan.md': '# Old berths\n\nA berth that is gone. See `openBerth()` and E_404.\n',
  'docs/api/client.ts': 'export function openBerth(name: string) {\n  return waitingList.first(name)\n}\n',
  'docs/api/table.csv': 'berth,ship\nA1,Ferry\nB2,Pilot boat\n',
  'docs/notes': 'A note on lions without an extension.\n',
  'docs/empty.md': '',
  'docs/secret.md': 'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYzzq9aB3cD4eF\n',
  'docs/pixels.bin': Uint8Array.of(1, 0, 2),
  'docs/.hidden/x.md': 'hidden berth\n',
  'docs/drafts/x.md': 'draft of a berth\n',
  'docs/.gitignore': 'drafts/\n',
  'other/lions.md': '# Lions\n\nLions sleep in the sun. No berth is here.\n',
  'other/deep/er/waiting.md': '# Waiting\n\nWho waits for a berth waits long. The waiting list is a list.\n',
  'other/german.md': '# Liegeplätze\n\nDer Hafenmeister vergibt die Liegeplätze, und führt die Warteliste.\n',
} as const

const near = (text: string) =>
  Float32Array.of(
    /lion|cat/i.test(text) ? 1 : 0,
    /berth|ship|mooring/i.test(text) ? 1 : 0,
    /wait|queue/i.test(text) ? 1 : 0,
    0.1,
  )

const MODEL = {
  name: 'table',
  fingerprint: 'table',
  isInProcess: true,
  documents: async (texts: readonly string[]) => texts.map(near),
  query: async (text: string) => near(text),
}

const RERANKING = {
  name: 'judge',
  rank: async (query: string, texts: readonly string[]) =>
    texts.map((text) => (text.length % (query.length + 7)) / 100),
}

/** With digits that are the same on each machine, and without what is another each time. */
function plain(value: unknown, base: string): string {
  const text = JSON.stringify(value, (key, one) =>
    typeof one === 'number' && !Number.isInteger(one)
      ? Number(one.toFixed(4))
      : /^(?:ms|seconds|createdAt|updatedAt|indexedAt|checkedAt)$/.test(key)
        ? 0
        : one,
  )
  return text.replaceAll(base, '/base')
}

async function library(parts: Parameters<typeof libraryOver>[1] = {}) {
  const at = tree(TREE)
  for (const [number, path] of Object.keys(TREE).entries()) {
    const time = new Date(Date.UTC(2026, 0, 1 + number))
    utimesSync(at.at(path), time, time)
  }
  const store = openSqlite(':memory:')
  const made = libraryOver(store, parts)
  await made.collections.add({ name: 'docs', root: at.at('docs'), exclude: ['*.tmp'] })
  await made.collections.add({ name: 'other', root: at.at('other'), pattern: ['**/*.md'], substrings: true })
  const shown: string[] = []
  const tell = async (what: string, work: () => unknown) => {
    try {
      shown.push(`${what}: ${plain(await work(), at.base)}`.replaceAll(at.base, '/base'))
    } catch (error) {
      const { code, message, hint = '' } = error as Error & { code: string; hint?: string }
      shown.push(`${what}: ${code}: ${message} ${hint}`.replaceAll(at.base, '/base'))
    }
  }
  return {
    at,
    store,
    made,
    shown,
    tell,
    async [Symbol.asyncDispose]() {
      await store.close()
      at[Symbol.dispose]()
    },
  }
}

const REQUESTS: readonly SearchRequest[] = [
  { query: 'waiting list' },
  { query: 'waiting list', explain: true, limit: 2 },
  { query: 'waiting list', sections: 3, full: true, limit: 1 },
  { query: 'waiting list', offset: 1, limit: 1 },
  { query: 'berth', sort: 'path' },
  { query: 'berth', sort: 'changed', limit: 3 },
  { query: 'berth', facets: true, limit: 1 },
  {
    query: 'berth',
    facets: true,
    types: ['md', '*.TS', 'none'],
    path: ['berths/**', 'docs/api/*'],
    after: '2026-01-03',
    limit: 1,
  },
  { query: 'berth', collections: ['other'] },
  { query: 'berth', collections: ['none'] },
  { query: 'berth', where: ['status=draft'] },
  { query: 'berth', where: ['tags=boats', ' status = draft '] },
  { query: 'berth', where: ['status=none'] },
  { query: 'berth', where: ['status'] },
  { query: 'berth', where: ['a=1', 'a=2'] },
  { query: 'berth', after: '2026-02-30' },
  { query: 'berth', after: '2026-01-04T12:00:00Z' },
  { query: 'berth', minScore: 0.9 },
  { query: 'berth', minScore: 2 },
  { query: 'berth', limit: 0 },
  { query: 'berth', offset: 1001 },
  { query: 'berth', sections: 1.5 },
  { query: 'bearths' },
  { query: 'watinglist' },
  { query: '"waiting list" -north' },
  { query: '"list waiting of"' },
  { query: 'openBerth E_404' },
  { query: 'contains:"or wait"', explain: true },
  { query: 'contains:"ist is"' },
  { query: 'title:berths' },
  { query: 'path:deep' },
  { query: 'berth* -path:api', explain: true },
  { query: 'Hafenmeisters', explain: true },
  { query: 'where do ships wait when all berths are full?', explain: true },
  { query: 'mooring queue', explain: true },
  { query: 'zzzz' },
  { query: '' },
  { query: '§§' },
  { query: 'lion', rerank: true },
  { query: 'berth', rerank: true, limit: 3, explain: true },
  { query: 'berth', mode: 'vector', explain: true },
  { query: 'cats', mode: 'hybrid', explain: true },
  { query: 'cats', mode: 'lexical' },
]

it.each([
  ['words', {}],
  ['models', { embedding: async () => MODEL, reranking: async () => RERANKING }],
] as const)('searches by %s give this', async (name, parts) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 20) })
  try {
    await using kept = await library(parts)
    const { made, shown, tell } = kept
    await tell('before', () => made.search({ query: 'berth' }))
    await tell('index', () => made.collections.index())
    if (name === 'models') await tell('embed', () => made.collections.embed({ names: ['docs'] }))
    for (const request of REQUESTS) await tell(JSON.stringify(request), () => made.search(request))
    await made.collections.change('other', { isPaused: true })
    await tell('paused', () => made.search({ query: 'lions' }))
    await record(shown, `search-${name}`)
  } finally {
    vi.useRealTimers()
  }
})

it('places, documents and collections are told so', async () => {
  await using kept = await library()
  const { at, made, shown, tell } = kept
  const { collections } = made
  for (const [name, root, more] of [
    ['docs', 'other'],
    ['Bad Name', 'other'],
    ['gone', 'none'],
    ['file', 'docs/notes'],
    ['nested', 'docs/berths'],
    ['keys', '.ssh', { yes: false }],
  ] as const)
    await tell(`add ${name}`, () => collections.add({ name, root: at.at(root), ...more }))
  await tell('list', () => collections.list())
  await tell('status', () => collections.status())
  await tell('index docs', () => collections.index({ names: ['docs'] }))
  await tell('index all', () => collections.index())
  await tell('index again', () => collections.index({ force: true }))
  await tell('index unknown', () => collections.index({ names: ['dcos'] }))
  await tell('status', () => collections.status())
  const documents = await made.documents()
  for (const path of [
    'docs/README.md',
    'README.md',
    'plan.md',
    'old plan.md',
    'docs/berths/plan.md:3',
    'docs/berths/plan.md:3-5',
    'plan.md:3:2',
    'docs/berths/plan.md:90',
    'docs/redme.md',
    'ambit://docs/berths/old%20plan.md',
    at.at('docs/notes'),
    '#zzzzzz',
    'docs/empty.md',
    'docs/secret.md',
    'docs/berths',
    'none/x.md',
    'lions',
  ])
    await tell(`get ${path}`, () => documents.get(path))
  await tell('get lines', () => documents.get('docs/README.md', '2-3'))
  await tell('get wrong lines', () => documents.get('docs/README.md', 'x'))
  await tell('get few lines', () => documents.get('docs/README.md', undefined, 2))
  for (const names of ['docs/**', 'README.md, lions.md:1-2, none.md', ['docs/api/*', 'other/*.md'], '', 'plan.md'])
    await tell(`get ${names}`, () => documents.multiGet(names))
  await tell('get little', () => documents.multiGet('docs/**', { mostBytes: 200, maxLines: 1 } as never))
  for (const place of [undefined, 'docs', 'docs/berths', 'docs/none', 'other/deep', 'none'])
    await tell(`list ${place}`, () => documents.list(place))
  for (const [letters, place] of [
    ['bpl', undefined],
    ['lion', 'other'],
    ['', 'docs'],
    ['zz', undefined],
  ] as const)
    await tell(`match ${letters}`, () => documents.match(letters, place, 3))
  const browser = await made.browser()
  const withoutTimes = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value, (key, one) =>
        key === 'modified' || key === 'docid' || key === 'modifiedAt' || key === 'etag' ? undefined : one,
      ),
    )
  for (const request of [
    {},
    { place: 'docs' },
    { place: 'docs', limit: 3 },
    { place: 'docs', limit: 3, after: 'api' },
    { place: 'docs/berths' },
    { place: 'docs/README.md' },
    { place: 'docs/none' },
    { place: 'other/deep/' },
    { place: 'nothing' },
    { place: 'docs/../x' },
  ])
    await tell(`browse ${JSON.stringify(request)}`, async () => withoutTimes(await browser.browse(request as never)))
  for (const request of [
    { place: at.at('docs'), limit: 3 },
    { place: at.at(''), limit: 10 },
    { place: at.at('docs'), match: 'plan', limit: 2 },
    { place: at.at('none'), limit: 1 },
  ])
    await tell(`folder ${JSON.stringify(request)}`.replaceAll(at.base, '/base'), () => made.folder(request))
  await tell('rename', () => collections.rename('nested', 'inner'))
  await tell('rename to another', () => collections.rename('inner', 'docs'))
  await tell('rename badly', () => collections.rename('inner', 'a b'))
  await tell('change', () => collections.change('inner', { isPaused: true, hasSubstrings: true }))
  await tell('show', () => collections.show('iner'))
  await tell('remove', () => collections.remove('inner'))
  await tell('remove again', () => collections.remove('inner'))
  await record(shown, 'places')
})

it('path contexts are told so', async () => {
  await using kept = await library()
  const { at, store, made, shown, tell } = kept
  await made.collections.index({ names: ['docs'] })
  const contexts = new PathContexts(store, { cwd: at.at('docs'), home: at.at('home') })
  for (const [place, text] of [
    ['/', 'Of all.'],
    ['docs', 'The docs.'],
    ['docs/berths', 'Of berths.'],
    ['docs/berths/plan.md', 'The plan.'],
    ['docs/none', 'Nothing there.'],
    ['other', 'Not indexed.'],
    ['ambit://docs/api', 'The api.'],
    [at.at('docs/notes'), 'A note.'],
    ['berths', 'Relative.'],
    ['dcos', 'x'],
    ['docs', ''],
    ['docs', ' '.repeat(3)],
    ['docs/../x', 'x'],
    ['docs', 'x'.repeat(8193)],
    ['/nowhere/at/all', 'x'],
    ['~/x', 'x'],
    ['docs/', 'The docs.'],
    ['docs/a//b', 'x'],
  ] as const)
    await tell(`add ${place.replaceAll(at.base, '/base')} ${text.length}`, () => contexts.add(place, text))
  for (const text of ['docs', 'Some words', 'docs/berths', 'unknown', ''])
    await tell(`everywhere ${text}`, () => contexts.addEverywhere(text))
  await tell('list', () => contexts.list())
  await tell('global', () => contexts.global())
  for (const path of ['berths/plan.md', 'berths/x', 'README.md', 'none/x', '']) {
    await tell(`find ${path}`, () => contexts.find('docs', path))
    await tell(`all ${path}`, () => contexts.all('docs', path))
    await tell(`disk ${path}`, () => contexts.ofDisk(at.at('docs', path)))
  }
  await tell('without', () => contexts.collectionsWithout())
  await tell('check', () => contexts.check())
  await tell('export', () => contexts.exportTo())
  for (const text of [
    'global_context: All of it\ncollections:\n  docs:\n    context:\n      "/berths": New\n      "api/": The api.\n      "": Root\n  fresh:\n    path: BASE/other\n    pattern: "**/*.md"\n    ignore: ["a/**"]\n    context:\n      "/": Fresh\n  gone:\n    path: BASE/none\n',
    'collections: []',
    'collections:\n  docs: 1\n',
    'collections:\n  docs:\n    context:\n      a: 1\n',
    '{',
    '',
    'collections:\n  "bad name":\n    path: BASE/other\n',
    'what: 1',
  ])
    await tell(`import ${JSON.stringify(text.slice(0, 40))}`, () =>
      contexts.importFrom(text.replaceAll('BASE', at.base)),
    )
  await tell('import no file', () => contexts.importFile(at.at('none.yml')))
  await tell('list', () => contexts.list())
  for (const place of ['docs/berths', 'docs/berths', 'docs/none', '/', 'dcos', 'fresh'])
    await tell(`remove ${place}`, () => contexts.removeKnown(place))
  await tell('check', () => contexts.check())
  await tell('export', () => contexts.exportTo())
  await record(shown, 'contexts')
})
