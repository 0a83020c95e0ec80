/** Measures search by meaning: its time, its size on disk, and its recall compared with whole vectors. */

import { createHash } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { searchByVector } from '../src/collections/search/vectors.ts'
import { SILENT } from '../src/core/flow.ts'
import { centreOf, packVector } from '../src/retrieval/packed-vectors.ts'
import { parseQuery } from '../src/retrieval/query.ts'
import { openSqlite } from '../src/stores/sqlite/sqlite.ts'
import type { Store } from '../src/stores/store.ts'
import { scratch } from './fixtures.ts'
import { bound, inTurn, type Subject, type Verdict, within } from './harness.ts'
import { randomOf } from './random.ts'

/** One of the larger sizes of models' vectors. Most of a vector's length is common to all. */
const SHAPE: Shape = { count: 100_000, dimensions: 768, shift: 2 }

/** Number of hits that a search combines with the hits by words. */
const LIMIT = 100

/** Number of first hits that are compared with those by whole vectors. */
const TOP = 10

/** Cosines with all vectors, computed from all their numbers, in four sums that the processor adds in parallel. */
function cosinesOf({ all }: GeneratedVectors, query: Float32Array): Float64Array {
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

function exactHits(vectors: GeneratedVectors): number[][] {
  return vectors.queries.map((query) => {
    const cosines = cosinesOf(vectors, query)
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

/** Runs a search with another query each time. */
function subject(name: string, search: (query: Float32Array) => unknown, { queries }: GeneratedVectors): Subject {
  let next = 0
  return { name, run: () => search(queries[next++ % queries.length] ?? new Float32Array()) }
}

async function timesOf(search: (query: Float32Array) => unknown, vectors: GeneratedVectors): Promise<number[]> {
  const [times = []] = await inTurn([subject('search', search, vectors)], { runs: vectors.queries.length, warmup: 10 })
  return times
}

const MODEL = 'bench'

/** Measures with one vector for each document, so that a search reads as many documents as possible. */
export async function vectorsFigures(): Promise<Verdict[]> {
  const vectors = generateVectors(SHAPE)
  const root = scratch()
  const path = join(root, 'ambit.db')
  const bytes = await fillDatabase(path, SHAPE, vectors)
  const name = `${SHAPE.count.toLocaleString('en')} × ${SHAPE.dimensions}, shifted, in a database`
  const first = async (query: Float32Array) => {
    const store = openSqlite(path)
    await searchIn(store)(query)
    await store.close()
  }
  const [firsts = []] = await inTurn([subject('first', first, vectors)], { runs: 5, warmup: 1 })
  const store = openSqlite(path)
  const search = searchIn(store)
  const afterChange = async (query: Float32Array) => {
    await store.collections.update('docs', { indexedAt: new Date().toISOString() })
    await search(query)
  }
  const times = await timesOf(search, vectors)
  const changed = await timesOf(afterChange, vectors)
  const found: number[][] = []
  for (const query of vectors.queries) found.push((await search(query)).map(({ document }) => Number(document.path)))
  await store.close()
  rmSync(root, { recursive: true })
  return [
    bound(`vectors: recall@${TOP} of ${name}`, recallOf(found, exactHits(vectors)), {
      unit: 'score',
      limit: 0.95,
      atLeast: true,
    }),
    within(`vectors: a search of ${name}`, times, 30),
    within(`vectors: a search of ${name}, when something else has changed`, changed, 60),
    within(`vectors: the first search of ${name}`, firsts, 500),
    bound(`vectors: bytes of ${name}, over whole vectors`, bytes / (4 * vectors.all.length), { unit: '×', limit: 0.4 }),
  ]
}

function searchIn(store: Store) {
  const query = parseQuery('')
  return (vector: Float32Array) =>
    searchByVector(store, { query, vector, name: MODEL, filter: {}, limit: LIMIT }, SILENT)
}

/** Fills a database. Returns the bytes that the vectors take in the file. */
async function fillDatabase(
  path: string,
  { count, dimensions }: Shape,
  { all, samples }: GeneratedVectors,
): Promise<number> {
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

/** Describes vectors like those of a model. */
interface Shape {
  readonly count: number
  readonly dimensions: number
  /** The length of the part that all vectors have in common. The rest has a length of about 1.3. */
  readonly shift: number
}

/** Generated vectors of length 1. */
interface GeneratedVectors {
  /** All vectors, one after the other. */
  readonly all: Float32Array
  /** Queries on the same topics. */
  readonly queries: readonly Float32Array[]
  /** Vectors on other topics, like a model's vectors for texts that are unrelated to a collection. */
  readonly samples: readonly Float32Array[]
}

/** Number of directions that vectors mostly consist of. The vectors of models use few of their dimensions. */
const LATENT = 64
/** Number of topics. Each has more vectors than a search compares exactly, so that finding the topic is not enough. */
const TOPICS = 20
const QUERIES = 50
const SAMPLES = 24

/**
 * Generates vectors, the same for the same shape. Each is the sum of its topic, its own part, a little noise, and the common
 * part.
 */
function generateVectors({ count, dimensions, shift }: Shape): GeneratedVectors {
  const random = randomOf(7)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const drawn = (size: number, length: number) =>
    Float32Array.from({ length: size }, () => (normal() * length) / Math.sqrt(size))
  const basis = Array.from({ length: LATENT }, () => drawn(dimensions, 1))
  // The first directions are larger than the last, like principal components; together about `length`.
  const latent = (length: number) => drawn(LATENT, length).map((value, at) => value * 3 * (at + 1) ** -0.4)
  const common = drawn(dimensions, shift)
  // A few numbers are large in every vector of many models.
  if (shift > 0) for (const at of [3, 77, 190]) common[at] = shift / 4

  const around = (topic: Float32Array) => {
    const parts = latent(0.8).map((own, at) => own + (topic[at] ?? 0))
    const vector = common.map((value) => value + ((random() - 0.5) * 0.5) / Math.sqrt(dimensions))
    for (const [at, direction] of basis.entries()) {
      const part = parts[at] ?? 0
      for (let index = 0; index < dimensions; index++)
        vector[index] = (vector[index] ?? 0) + part * (direction[index] ?? 0)
    }
    const length = Math.hypot(...vector)
    return vector.map((value) => value / length)
  }
  const topics = Array.from({ length: TOPICS }, () => latent(1))
  const any = () => around(topics[Math.floor(random() * TOPICS)] ?? new Float32Array())
  const samples = Array.from({ length: SAMPLES }, () => around(latent(1)))
  const queries = Array.from({ length: QUERIES }, any)
  const all = new Float32Array(count * dimensions)
  for (let at = 0; at < count; at++) all.set(any(), at * dimensions)
  return { all, queries, samples }
}
