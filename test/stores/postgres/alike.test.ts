import { readFileSync, rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Library } from '../../../src/collections/library.ts'
import { createEngine } from '../../../src/engine/engine.ts'
import { openPostgres } from '../../../src/stores/postgres/postgres.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../../src/stores/store.ts'
import { ROOT } from '../../source-files.ts'
import { ownDatabases, withPostgres } from '../../support/postgres.ts'
import { tree } from '../../support/tree.ts'
import { postingsOf } from '../filled.ts'

const HARBOUR = `${ROOT}/test/quality/harbour`
const GUIDES = `${ROOT}/docs`

const QUERIES = (
  'berth | how do I find a berth for a guest | "rate limit" | token OR webhook -email | arriv* | berht | ' +
  'path:api berth | 係留 | méteo | undo merge | a | the of and | nothing-like-it-anywhere | ' +
  "context budget ladder | it's 50% of `code`"
).split(' | ')

/** The judged queries. */
const ASKED = ['harbour', 'docs'].flatMap((name) => {
  const lines = readFileSync(`${ROOT}/test/quality/${name}.jsonl`, 'utf8').trim().split('\n')
  return lines.map((line): string => JSON.parse(line).query)
})

const FILTERS = [
  {},
  { collections: ['docs'] },
  { path: ['**/*.md'], limit: 50 },
  { path: ['guides/*'] },
  { where: ['title=Berths'], explain: true },
  { after: '2000-01-01', sections: 3 },
]

const database = ownDatabases()

withPostgres('a search', () => {
  it('finds in PostgreSQL what it finds in SQLite, with the same scores, before and after a merge and a change', {
    tags: 'long',
  }, async () => {
    const url = await database()
    using place = tree({ 'more/a.md': '# Berths\n\nA berth, and a berth.\n', 'more/b.md': '# Undo\n' })
    const engines = [() => Promise.resolve(openSqlite(':memory:')), () => openPostgres(url)].map((store) =>
      createEngine({ file: undefined, unknown: [], home: false }, { store }),
    )
    const [one, other] = await Promise.all(engines.map((engine) => engine.library()))
    if (!one || !other) throw new Error('There are two.')
    const compare = async (query: string, filter: (typeof FILTERS)[number]) => {
      const [mine, its] = await Promise.all([one, other].map((library) => library.search({ query, ...filter })))
      expect([query, filter, its]).toEqual([query, filter, mine])
    }
    const step = async (work: (library: Library) => Promise<unknown>) => {
      await Promise.all([one, other].map(work))
      for (const query of QUERIES) for (const filter of FILTERS) await compare(query, filter)
    }
    await step(async ({ collections }) => {
      for (const [name, root] of [
        ['harbour', HARBOUR],
        ['docs', GUIDES],
        ['more', place.at('more')],
      ] as const) {
        await collections.add({ name, root })
      }
      await collections.index()
    })
    for (const query of ASKED) await compare(query, {})
    place.plant({ 'more/c.md': '# Berth three\n\nThe third berth.\n' })
    rmSync(place.at('more/a.md'))
    await step(({ collections }) => collections.index())
    await step(({ collections }) => collections.change('docs', { isPaused: true }))
    await step(({ collections }) => collections.rename('harbour', 'port'))
    await step(({ collections }) => collections.remove('more'))
    const postings = async ({ port }: { port: Store }) => {
      const { segments } = await port.index.read({ terms: [], filter: {} })
      const terms = await postingsOf(
        port,
        segments.map(({ id }) => id),
      )
      return terms.map(({ term, postings: bytes }) => [term, Buffer.from(bytes).toString('hex')])
    }
    expect(await postings(other)).toEqual(await postings(one))
    for (const { port } of [one, other]) expect(await port.check()).toEqual([])
    await Promise.all(engines.map((engine) => engine.close()))
  })
})
