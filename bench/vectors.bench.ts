/** Search by meaning: how long it takes, what it takes on the disk, and how often it finds what whole vectors would. */

import { createHash } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { lookedAt, searchByVector } from '../src/collections/search/vectors.ts'
import { SILENT } from '../src/core/flow.ts'
import { centreOf, nearestByBits, packVector, sought } from '../src/retrieval/packed-vectors.ts'
import { parseQuery } from '../src/retrieval/query.ts'
import { openSqlite } from '../src/stores/sqlite/sqlite.ts'
import type { Store } from '../src/stores/store.ts'
import { scratch } from './fixtures.ts'
import { against, bound, type Findings, inTurn, type Subject, type Verdict, within } from './harness.ts'
import { type MadeVectors, madeVectors, type Shape } from './made-vectors.ts'

const SHAPES: readonly Shape[] = [20_000, 100_000].flatMap((count) =>
  [384, 768].flatMap((dimensions) => [0, 2].map((shift) => ({ count, dimensions, shift }))),
)

/** Hits that a search puts together with those by words. */
const LIMIT = 100

/** Of which the first are compared with those by whole vectors. */
const TOP = 10

/** In memory by each shape; and those of the last one, the largest, in a database. */
export async function vectorsFigures(): Promise<Findings> {
  const verdicts: Verdict[] = []
  const rows: (readonly string[])[] = []
  for (const shape of SHAPES) {
    const made = madeVectors(shape)
    const found = await inMemory(shape, made)
    verdicts.push(...found.verdicts)
    rows.push(found.row)
    if (shape === SHAPES.at(-1)) verdicts.push(...(await inDatabase(shape, made, found.wanted)))
  }
  const note =
    'Generated vectors, in clusters. Shifted vectors share most of their length, as the length of their mean shows. Recall is the share of the ten nearest by whole vectors that are among the first ten.'
  const columns = [
    'vectors',
    'length of mean',
    'bits, ms',
    'bits and bytes, ms',
    'whole vectors, ms',
    'recall@10',
    'without centre',
  ]
  return { verdicts, tables: [{ title: 'Near vectors in memory', note, columns, rows }] }
}

function nameOf({ count, dimensions, shift }: Shape): string {
  return `${count.toLocaleString('en')} × ${dimensions}, ${shift === 0 ? 'clustered' : 'shifted'}`
}

/** The nearest, best first, as places in all. */
type Search = (query: Float32Array) => number[]

interface Found {
  /** The nearest of each query by whole vectors. */
  readonly wanted: readonly (readonly number[])[]
  readonly verdicts: readonly Verdict[]
  readonly row: readonly string[]
}

async function inMemory(shape: Shape, made: MadeVectors): Promise<Found> {
  const name = nameOf(shape)
  const centre = centreOf(made.samples)
  const wanted = exactly(made)
  const steps = inSteps(made, centre)
  const [recall, without] = [steps, inSteps(made, new Float32Array(shape.dimensions))].map(({ search }) =>
    recallOf(made.queries.map(search), wanted),
  )
  const scans = within(`vectors: bits of ${name}`, await timesOf(steps.bits, made), 10)
  const whole = subject('cosines of whole vectors', (query) => cosinesOf(made, query), made)
  const pair = [subject('bits, then bytes', steps.search, made), whole] as const
  const ratio = await against(`vectors: nearest of ${name}, over whole vectors`, pair, { limit: 0.5, runs: 20 })
  const atLeast = { unit: 'score', limit: 0.95, atLeast: true } as const
  const verdicts = [bound(`vectors: recall@${TOP} of ${name}`, recall ?? 0, atLeast), scans, ratio]
  const times = [scans.value, ratio.measured?.median, ratio.baseline?.median].map((value = 0) => value.toFixed(2))
  const recalls = [recall, without].map((value = 0) => value.toFixed(3))
  return { wanted, verdicts, row: [name, leanOf(made, shape).toFixed(2), ...times, ...recalls] }
}

/** As a search does it, without a store. */
function inSteps({ all }: MadeVectors, centre: Float32Array): { readonly bits: Search; readonly search: Search } {
  const { length: size } = centre
  const words = size >> 5
  const table = new Uint32Array((all.length / size) * words)
  const bytes = new Int8Array(all.length)
  const scales = new Float64Array(all.length / size)
  for (const at of scales.keys()) {
    const one = packVector(all.subarray(at * size, (at + 1) * size), centre)
    table.set(one.bits, at * words)
    bytes.set(one.bytes, at * size)
    scales[at] = one.scale
  }
  const bits: Search = (query) => nearestByBits({ bits: table }, sought(query, centre).bits, lookedAt(LIMIT))
  const search: Search = (query) => {
    const { cosineTo } = sought(query, centre)
    const found = bits(query).map((at) => {
      const own = bytes.subarray(at * size, (at + 1) * size)
      return { at, cosine: cosineTo({ bytes: own, scale: scales[at] ?? 0 }) }
    })
    return found.sort((a, b) => b.cosine - a.cosine).map(({ at }) => at)
  }
  return { bits, search }
}

/** By all numbers of all vectors; in four sums, which the processor adds side by side. */
function cosinesOf({ all }: MadeVectors, query: Float32Array): Float64Array {
  const { length: size } = query
  const cosines = new Float64Array(all.length / size)
  for (let at = 0; at < cosines.length; at++) {
    let [a, b, c, d] = [0, 0, 0, 0]
    for (let index = 0, from = at * size; index < size; index += 4, from += 4) {
      a += (all[from] ?? 0) * (query[index] ?? 0)
      b += (all[from + 1] ?? 0) * (query[index + 1] ?? 0)
      c += (all[from + 2] ?? 0) * (query[index + 2] ?? 0)
      d += (all[from + 3] ?? 0) * (query[index + 3] ?? 0)
    }
    cosines[at] = a + b + (c + d)
  }
  return cosines
}

function exactly(made: MadeVectors): number[][] {
  return made.queries.map((query) => {
    const cosines = cosinesOf(made, query)
    return [...cosines.keys()].sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0)).slice(0, TOP)
  })
}

function recallOf(found: readonly (readonly number[])[], wanted: readonly (readonly number[])[]): number {
  const shares = found.map((one, index) => {
    const exact = new Set(wanted[index])
    return one.slice(0, TOP).filter((at) => exact.has(at)).length / TOP
  })
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

/** Another query each time. */
function subject(name: string, search: (query: Float32Array) => unknown, { queries }: MadeVectors): Subject {
  let next = 0
  return { name, run: () => search(queries[next++ % queries.length] ?? new Float32Array()) }
}

async function timesOf(search: (query: Float32Array) => unknown, made: MadeVectors): Promise<number[]> {
  const [times = []] = await inTurn([subject('search', search, made)], { runs: made.queries.length, warmup: 10 })
  return times
}

/** How long the mean of all is. */
function leanOf({ all }: MadeVectors, { count, dimensions }: Shape): number {
  const sums = new Float64Array(dimensions)
  for (let at = 0; at < all.length; at++) sums[at % dimensions] = (sums[at % dimensions] ?? 0) + (all[at] ?? 0)
  return Math.hypot(...sums) / count
}

const MODEL = 'bench'

/** One vector for each document, so that as many documents as can be are read. */
async function inDatabase(shape: Shape, made: MadeVectors, wanted: readonly (readonly number[])[]): Promise<Verdict[]> {
  const root = scratch()
  const path = join(root, 'ambit.db')
  const bytes = await filled(path, shape, made)
  const name = `${nameOf(shape)}, in a database`
  const first = async (query: Float32Array) => {
    const store = openSqlite(path)
    await searchIn(store)(query)
    await store.close()
  }
  const [firsts = []] = await inTurn([subject('first', first, made)], { runs: 5, warmup: 1 })
  const store = openSqlite(path)
  const search = searchIn(store)
  const afterChange = async (query: Float32Array) => {
    await store.collections.update('docs', { indexedAt: new Date().toISOString() })
    await search(query)
  }
  const times = await timesOf(search, made)
  const changed = await timesOf(afterChange, made)
  const found: number[][] = []
  for (const query of made.queries) found.push((await search(query)).map(({ document }) => Number(document.path)))
  await store.close()
  rmSync(root, { recursive: true })
  const recall = recallOf(found, wanted)
  return [
    bound(`vectors: recall@${TOP} of ${name}`, recall, { unit: 'score', limit: 0.95, atLeast: true }),
    within(`vectors: a search of ${name}`, times, 30),
    within(`vectors: a search of ${name}, when something else has changed`, changed, 60),
    within(`vectors: the first search of ${name}`, firsts, 500),
    bound(`vectors: bytes of ${name}, over whole vectors`, bytes / (4 * made.all.length), { unit: '×', limit: 0.4 }),
  ]
}

function searchIn(store: Store) {
  const query = parseQuery('')
  return (vector: Float32Array) =>
    searchByVector(store, { query, vector, name: MODEL, filter: {}, limit: LIMIT }, SILENT)
}

/** Bytes that the vectors take in the file. */
async function filled(path: string, { count, dimensions }: Shape, { all, samples }: MadeVectors): Promise<number> {
  const store = openSqlite(path)
  await store.collections.add({ name: 'docs', root: '/srv/docs', patterns: [], exclude: [] })
  const db = new Database(path)
  const insert = db.prepare(`
    INSERT INTO documents (collection_id, path, hash, title, format, size, mtime, ctime, modified_at, metadata)
    VALUES (1, ?, unhex(?), 'Title', 'markdown', 1, '0', '0', '2026-01-01T00:00:00.000Z', '{}')`)
  const hashes = Array.from({ length: count }, (_, at) => createHash('sha256').update(`${at}`).digest('hex'))
  db.transaction(() => {
    for (const [at, hash] of hashes.entries()) insert.run(`${at}`, hash)
  })()
  db.pragma('wal_checkpoint(TRUNCATE)')
  const before = statSync(path).size
  const centre = centreOf(samples)
  const vector = (at: number) => packVector(all.subarray(at * dimensions, (at + 1) * dimensions), centre)
  for (let from = 0; from < count; from += 1000) {
    const some = hashes.slice(from, from + 1000)
    const contents = some.map((hash, at) => ({ hash, chunks: [{ start: 1, end: 9, ...vector(from + at) }] }))
    await store.vectors.put(MODEL, centre, contents)
  }
  await store.close()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  return statSync(path).size - before
}
