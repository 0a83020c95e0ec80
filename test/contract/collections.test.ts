import { utimesSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { type LibraryDependencies, libraryOver } from '../../src/collections/library.ts'
import { PathContexts } from '../../src/collections/path-contexts.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { tree } from '../support/tree.ts'
import { filesIn, perform, record } from './recorded.ts'

/* What a library answers, whole: places, documents, searches in each mode with each option, path contexts, and what is refused. */

const isAbout = (text: string, words: RegExp) => (words.test(text) ? 1 : 0)
const near = (text: string) =>
  Float32Array.of(isAbout(text, /lion|cat/i), isAbout(text, /berth|ship|mooring/i), isAbout(text, /wait|queue/i), 0.1)

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

const OF_NOW = /^(?:ms|seconds|modified|modifiedAt|createdAt|updatedAt|indexedAt|checkedAt|etag)$/

/** Without what is another each time. */
function plain(line: string): string {
  return line.replace(/"(\w+)":(?:"[^"]*"|\d+)/g, (pair, key) => (OF_NOW.test(key) ? `"${key}":0` : pair))
}

/** Makes the calls of a file to a library of two collections. */
async function recorded(calls: string, name: string, parts: LibraryDependencies = {}): Promise<void> {
  using at = tree(Object.fromEntries(filesIn('harbour.txt')))
  at.plant({ 'docs/empty.md': '', 'docs/pixels.bin': Uint8Array.of(1, 0, 2) })
  for (const [number, [path]] of filesIn('harbour.txt').entries()) {
    const time = new Date(Date.UTC(2026, 0, 1 + number))
    utimesSync(at.at(path), time, time)
  }
  const store = openSqlite(':memory:')
  try {
    const library = libraryOver(store, parts)
    const { collections } = library
    await collections.add({ name: 'docs', root: at.at('docs'), exclude: ['*.tmp'] })
    await collections.add({ name: 'other', root: at.at('other'), pattern: ['**/*.md'], substrings: true })
    const contexts = new PathContexts(store, { cwd: at.at('docs'), home: at.at('home') })
    const [documents, browser] = [await library.documents(), await library.browser()]
    const lines = await perform(calls, { library, collections, contexts, documents, browser }, at.base)
    expect(lines.length).toBeGreaterThan(9)
    await record(lines.map(plain), `collections/${name}`)
  } finally {
    await store.close()
  }
}

it.each<[string, LibraryDependencies]>([
  ['words', {}],
  ['models', { embedding: async () => MODEL, reranking: async () => RERANKING }],
])('searches by %s give this', async (name, parts) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 20) })
  try {
    await recorded('searches', `search-${name}`, parts)
  } finally {
    vi.useRealTimers()
  }
})

it.each(['places', 'contexts'])('%s are told so', (name) => recorded(name, name))
