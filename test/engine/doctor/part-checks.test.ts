import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { libraryOver } from '../../../src/collections/library.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { libraryChecks } from '../../../src/engine/doctor/part-checks.ts'
import type { LanguageModel, StepPart } from '../../../src/models/language.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { tree } from '../../support/tree.ts'

type Parts = NonNullable<Parameters<typeof libraryChecks>[2]>

const NO_LIBRARY = () => Promise.reject(new Error('It is not opened.'))

/** A language model that gives these parts. */
const speaking = (...parts: readonly Partial<StepPart>[]): Parts => ({
  language: async () => {
    async function* step() {
      yield* parts
    }
    return { name: 'acme/m', step } as unknown as LanguageModel
  },
})

const serving = (...servers: readonly object[]) =>
  ({ servers: async () => ({ settled: async () => servers }) }) as unknown as Parts

const READY = { name: 'docs', state: 'ready', tools: [1] }
const BROKEN = { name: 'crm', state: 'failed', problem: 'It does not start.', tools: [] }

it.each<[name: string, Parts, place: object, status: string, message: string, hint?: string]>([
  ['model', {}, {}, 'ok', 'No language model is set: the assistant searches and quotes, and writes no answers.'],
  ['model', speaking({ type: 'text' }, { type: 'finish', reason: 'length' }), {}, 'ok', 'acme/m answers.'],
  [
    'model',
    speaking({ type: 'finish', reason: 'interrupted' }),
    {},
    'failed',
    'acme/m ended its answer too early.',
    'MODEL_URL',
  ],
  ['model', speaking(), {}, 'failed', 'acme/m ended its answer too early.', 'MODEL_URL'],
  ['embedding', {}, {}, 'ok', 'No embedding model is set: Ambit compares meaning by its built-in table of words.'],
  [
    'embedding',
    { embedding: async () => ({ name: 'e', query: async () => Float32Array.of(1, 2, 3) }) } as unknown as Parts,
    {},
    'ok',
    'e answers, with 3 dimensions.',
  ],
  ['reranking', {}, {}, 'ok', 'No reranking model is set: results keep the order of the search.'],
  ['MCP servers', {}, {}, 'ok', 'None are set: the assistant has only its own tools.'],
  ['MCP servers', serving(READY), {}, 'ok', 'docs: 1 tool.'],
  ['MCP servers', serving(READY, BROKEN), {}, 'failed', 'docs: 1 tool. crm: It does not start.', 'mcpServers'],
  ['database', {}, {}, 'warning', 'The database has no path.', 'AMBIT_DB'],
  ['database', {}, { db: '/none.db' }, 'ok', 'It does not exist yet; its path is /none.db.'],
  ['secrets', {}, {}, 'ok', 'No file is left out because of a secret.'],
  ['secrets', {}, { db: '/none.db' }, 'ok', 'No file is left out because of a secret.'],
])('the check of %s tells what it finds without a library', async (name, parts, place, status, message, hint) => {
  const finding = await libraryChecks(place, NO_LIBRARY, parts)[name]?.({}, SILENT)
  expect(finding).toEqual({ status, message, ...(hint !== undefined && { hint: expect.stringContaining(hint) }) })
})

it('the checks of a library tell of left files, old words, missing roots and damage, until that is mended', async () => {
  using at = tree({ 'docs/lion.md': 'A lion.', 'docs/zebra.md': 'A zebra.', 'lab/a.md': 'A' })
  const db = at.at('ambit.db')
  const store = openSqlite(db)
  const library = libraryOver(store)
  for (const name of ['docs', 'lab']) await library.collections.add({ name, root: at.at(name) })
  const checks = libraryChecks({ db }, async () => library)
  const told = async (name: string) => checks[name]?.({}, SILENT)
  const changed = (statement: string) => {
    const other = new Database(db)
    other.pragma('foreign_keys = OFF')
    other.exec(statement)
    other.close()
  }
  expect(await library.collections.index()).toMatchObject({ collections: [{ added: 2 }, { added: 1 }] })
  const whole = { status: 'ok', message: expect.stringMatching(/^SQLite: \/.*ambit\.db, \d[\d.]* MB, 3 documents\.$/) }
  expect(await told('database')).toEqual(whole)
  for (const [count, word, path] of [
    [1, 'document was', "= 'zebra.md'"],
    [2, 'documents were', "IN ('lion.md', 'zebra.md')"],
  ] as const) {
    changed(`UPDATE documents SET substrings = 0 WHERE path ${path}`)
    expect(await told('database')).toEqual({
      status: 'warning',
      message: `${count} ${word} indexed by an older version or with other settings.`,
      hint: 'Run "ambit index": it reads them again.',
    })
  }
  expect(await library.collections.index()).toMatchObject({ collections: [{ changed: 2 }, { unchanged: 1 }] })
  expect([await told('database'), await told('secrets')]).toEqual([
    whole,
    { status: 'ok', message: 'No file is left out because of a secret.' },
  ])
  const denied = (path: string) => ({ path, size: 1, mtime: '1', ctime: '1', why: 'denied', detail: 'It is.' })
  for (const [paths, end] of [
    [['a', 'b\u0007', 'c'], '3 files left out because of secrets: docs/a, docs/b\\u{7}, docs/c'],
    [['d'], '4 files left out because of secrets: docs/a, docs/b\\u{7}, docs/c …'],
  ] as const) {
    await store.index.apply({ skipped: { collection: 'docs', files: paths.map(denied) } })
    expect(await told('secrets')).toEqual({ status: 'ok', message: end })
  }
  rmSync(at.at('lab'), { recursive: true })
  expect(await told('database')).toEqual({
    status: 'warning',
    message: expect.stringMatching(/^lab: \/.*lab does not exist\.$/),
    hint: 'Restore its directory, or run "ambit collection remove NAME".',
  })
  changed('DELETE FROM texts; UPDATE collections SET documents = 9; DELETE FROM segments')
  expect(await told('database')).toEqual({
    status: 'failed',
    message: expect.stringMatching(
      /^Documents without text: 3\. Collections .*: 2\. Documents that no search .*: 3\. And \d+ more\.$/,
    ),
    hint: 'Run "ambit index --rebuild".',
  })
  await store.close()
})
