import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { PathContexts } from '../src/collections/path-contexts.ts'
import { openSqlite } from '../src/stores/sqlite/sqlite.ts'
import type { Store } from '../src/stores/store.ts'
import { scratch } from './fixtures.ts'
import { against, inTurn, type Subject, type Verdict, within } from './harness.ts'
import { randomOf } from './random.ts'

const SIZES = [100, 10_000, 100_000]

/** What a page of results holds, and what is looked up to time one look-up. */
const PAGE = 20
const HITS = 10_000

/** Contexts of the hits of a search: how fast they are found, and what it costs that there are many. */
export async function contextsFigures(): Promise<Verdict[]> {
  const prepared = await Promise.all(SIZES.map(prepare))
  const figures: Verdict[] = []
  for (const one of prepared) figures.push(...(await figuresOf(one)))
  const [few, , many] = prepared
  if (few && many) {
    const pair = [batch('with 100,000', many), batch('with 100', few)] as const
    // No more steps, but more of them outside the processor's cache.
    figures.push(await against('contexts: a hit with 100,000 contexts over one with 100', pair, { limit: 4, runs: 50 }))
  }
  for (const { store, root } of prepared) {
    await store.close()
    rmSync(root, { recursive: true })
  }
  return figures
}

interface Prepared {
  readonly size: number
  readonly root: string
  readonly path: string
  readonly store: Store
  readonly contexts: PathContexts
  readonly hits: readonly string[]
}

async function prepare(size: number): Promise<Prepared> {
  const root = scratch()
  const path = join(root, 'ambit.db')
  const store = openSqlite(path)
  await fill(store, path, size)
  return { size, root, path, store, contexts: new PathContexts(store), hits: pathsOf(HITS, size) }
}

async function figuresOf({ size, path, store, contexts, hits }: Prepared): Promise<Verdict[]> {
  const page = hits.slice(0, PAGE)
  const [times = []] = await inTurn([batch('all contexts of each hit', { contexts, hits })], { runs: 30, warmup: 10 })
  const first = { name: 'first', run: async () => (await new PathContexts(store).resolver()).all('docs', 'a') }
  const [loads = []] = await inTurn([first], { runs: 5, warmup: 1 })
  const many = size.toLocaleString('en')
  return [
    await against(
      `contexts: a page of ${PAGE} hits, ${many} contexts, over a scan of all for each`,
      [batch('PathContexts', { contexts, hits: page }), scan(path, page)],
      // The gate is for many; with few, a scan is short.
      { limit: size >= 100_000 ? 0.01 : Number.POSITIVE_INFINITY, runs: 5, warmup: 2 },
    ),
    within(`contexts: ${HITS.toLocaleString('en')} hits, ${many} contexts`, times, (HITS * 2) / 1000),
    within(`contexts: the first look-up of a process, ${many} contexts`, loads, Number.POSITIVE_INFINITY),
  ]
}

/** As a search does it: one resolver, then each hit. */
function batch(name: string, { contexts, hits }: Pick<Prepared, 'contexts' | 'hits'>): Subject {
  return {
    name,
    run: async () => {
      const resolver = await contexts.resolver()
      let found = 0
      for (const hit of hits) found += resolver.all('docs', hit).length
      return found
    },
  }
}

/** As the requirement sketches it: for each hit, every context of its collection is fetched and compared. */
function scan(path: string, hits: readonly string[]): Subject {
  const db = new Database(path, { readonly: true })
  const select = db.prepare<[string], { path_prefix: string; context: string }>(`
    SELECT path_prefix, context FROM path_contexts WHERE collection = ? OR collection = ''
    ORDER BY CASE WHEN collection = '' THEN 0 ELSE 1 END, length(path_prefix)`)
  return {
    name: 'SELECT, then a comparison with each',
    run: () =>
      hits.map((hit) =>
        select.all('docs').filter(({ path_prefix }) => `/${hit}`.startsWith(path_prefix) || path_prefix === '/'),
      ),
  }
}

/** So many contexts of one collection, three folders deep, and one of everything. */
async function fill(store: Store, path: string, size: number): Promise<void> {
  await store.collections.add({ name: 'docs', root: '/srv/docs', patterns: [], exclude: [] })
  await store.contexts.set({ collection: '', pathPrefix: '/' }, 'What all of it is for')
  // In one transaction: the store has none for many.
  const db = new Database(path)
  const insert = db.prepare('INSERT INTO path_contexts VALUES (?, ?, ?, ?, ?)')
  const now = new Date().toISOString()
  const prefixes = ['/', ...folders(size)].slice(0, size)
  db.transaction(() => {
    for (const prefix of prefixes) insert.run('docs', prefix, `What ${prefix} is for`, now, now)
  })()
  db.close()
}

function folders(size: number): string[] {
  const width = Math.ceil(Math.cbrt(size))
  const found: string[] = []
  for (let a = 0; a < width; a++) {
    found.push(`/team-${a}`)
    for (let b = 0; b < width; b++) {
      found.push(`/team-${a}/project-${b}`)
      for (let c = 0; c < width && found.length < size; c++) found.push(`/team-${a}/project-${b}/part-${c}`)
    }
  }
  return found
}

/** Paths of documents, two folders below a context. */
function pathsOf(count: number, size: number): string[] {
  const random = randomOf(size)
  const width = Math.ceil(Math.cbrt(size))
  const pick = () => Math.floor(random() * width)
  return Array.from(
    { length: count },
    (_, index) => `team-${pick()}/project-${pick()}/part-${pick()}/guides/deep/page-${index}.md`,
  )
}
