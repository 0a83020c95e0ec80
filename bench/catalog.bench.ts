import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { SILENT } from '../src/core/flow.ts'
import { createEngine, type Engine } from '../src/engine/engine.ts'
import type { Objects } from '../src/files/objects.ts'
import { openS3 } from '../src/files/s3/s3.ts'
import { openSqlite } from '../src/stores/sqlite/sqlite.ts'
import { packageOf, registryV1 } from '../test/quilt/packages/fixtures.ts'
import { adminOf, type Endpoint } from '../test/support/s3/admin.ts'
import { S3_ENDPOINT } from '../test/support/s3-endpoint.ts'
import { delayed } from './catalog/delay.ts'
import { htmlFigures, OBJECTS, objectsFigures, placesFigures } from './catalog/many.ts'
import { Traffic, watched } from './catalog/watched.ts'
import { type BenchOptions, bound, type Findings, type Table, type Verdict, within } from './harness.ts'
import { packagesFigures } from './packages.bench.ts'

const ROUND_TRIP_MS = 50
const RUNS = 7

/** As deep as files are looked for. */
const LEVELS = Array.from({ length: 25 }, (_, index) => `d${String(index).padStart(2, '0')}`)
const PLACE = LEVELS.join('/')

/** Of 52 files that are asked for eight are there: these and an AGENTS.md. */
const PRESENT = [0, 1, 4, 9, 13, 20, 25].map((depth) => [...LEVELS.slice(0, depth), 'README.md'].join('/'))
/** Of which each can be measured alone. */
const PARTS: Readonly<Record<string, (local: Endpoint, objects: number) => Promise<Findings>>> = {
  wave: waveFigures,
  places: async (local) => ({ verdicts: await placesFigures(local) }),
  html: async () => ({ verdicts: htmlFigures() }),
  objects: async (local, objects) => ({ verdicts: await objectsFigures(local, objects) }),
  entries: packagesFigures,
}

/** Places of a bucket, its objects in an index, pages of HTML, and packages: all of it, or the parts that are named. */
export async function catalogFigures({ parts = Object.keys(PARTS), files }: BenchOptions): Promise<Findings> {
  const unknown = parts.find((part) => !Object.hasOwn(PARTS, part))
  if (unknown !== undefined)
    throw new Error(`No part is called ${unknown}: there are ${Object.keys(PARTS).join(', ')}.`)
  const objects = parts.includes('objects') ? (files ?? OBJECTS) : 0
  await using local = await localS3(objects)
  const verdicts: Verdict[] = []
  const tables: Table[] = []
  for (const part of parts) {
    const found = await PARTS[part]?.(local.endpoint, objects)
    verdicts.push(...(found?.verdicts ?? []))
    tables.push(...(found?.tables ?? []))
  }
  return { verdicts, tables, ...(S3_ENDPOINT && { name: 'catalog-s3' }) }
}

/** The context of a place in a bucket that is 50 ms away: requests, round trips and time. */
async function waveFigures(local: Endpoint): Promise<Findings> {
  const services = [{ name: 'in process', endpoint: local }]
  if (S3_ENDPOINT) services.push({ name: 'a real S3', endpoint: S3_ENDPOINT })
  const verdicts: Verdict[] = []
  for (const { name, endpoint } of services) verdicts.push(...(await measured(name, endpoint)))
  return { verdicts }
}

async function localS3(objects: number): Promise<AsyncDisposable & { readonly endpoint: Endpoint }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'catalog', 's3-process.ts'), String(objects)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return {
    endpoint: JSON.parse(line),
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** One way to have what is wanted, over connections of its own. */
interface Way {
  readonly name: string
  prepare(objects: Objects): Promise<{ run(): Promise<unknown>; end(): Promise<void> }>
}

interface Taken {
  readonly cold: number[]
  readonly warm: number[]
  requests: number
  roundTrips: number
}

async function measured(service: string, endpoint: Endpoint): Promise<Verdict[]> {
  const admin = adminOf(endpoint)
  const bucket = await admin.bucket()
  await admin.put(bucket, held(bucket))
  await using far = await delayed(endpoint.url, ROUND_TRIP_MS)
  try {
    const taken = await allTaken(WAYS, () => openS3(settingsOf(far.url, bucket, endpoint)))
    return verdictsOf(service, taken)
  } finally {
    await admin.remove(bucket)
    admin.close()
  }
}

function settingsOf(url: string, bucket: string, { key, secret, region }: Endpoint) {
  return { endpoint: url, bucket, region, pathStyle: true, credentials: { accessKeyId: key, secretAccessKey: secret } }
}

/** The files of the place, and a package of the same depth. */
function held(bucket: string): [string, Uint8Array][] {
  const made = packageOf(
    Object.fromEntries(PRESENT.map((key) => [key, { text: `# ${key}\n${'word '.repeat(200)}`, key: `store/${key}` }])),
  )
  const registry = registryV1({ 'team/data': { '1600000000': made, '1700000000': made } })
  const files = PRESENT.map((key) => [key, `# ${key}\n${'word '.repeat(200)}`] as const)
  return [...Object.entries(registry), ...files, ['AGENTS.md', 'Be kind.'] as const].map(([key, value]) => [
    key,
    Buffer.from(String(value).replaceAll('s3://bucket/', `s3://${bucket}/`)),
  ])
}

/** In turn, so that a machine that drifts drifts for all. */
async function allTaken(ways: readonly Way[], open: () => Promise<Objects>): Promise<ReadonlyMap<string, Taken>> {
  const taken = new Map(
    ways.map(({ name }): [string, Taken] => [name, { cold: [], warm: [], requests: 0, roundTrips: 0 }]),
  )
  for (let run = -1; run < RUNS; run++) {
    for (const { name, prepare } of ways) {
      const traffic = new Traffic()
      const objects = await open()
      const way = await prepare(watched(objects, traffic))
      const cold = await timed(way.run)
      const seen = { requests: traffic.requests, roundTrips: traffic.roundTrips }
      const warm = await timed(way.run)
      await way.end()
      await objects.close()
      if (run < 0) continue
      const row = taken.get(name)
      row?.cold.push(cold)
      row?.warm.push(warm)
      Object.assign(row ?? {}, seen)
    }
  }
  return taken
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

const OURS = 'files'
const OURS_PACKAGE = 'a package'

const WAYS: readonly Way[] = [
  { name: OURS, prepare: (objects) => loading(objects, `lab/${PLACE}`) },
  { name: OURS_PACKAGE, prepare: (objects) => loading(objects, `lab/team/data:latest/${PLACE}`) },
]

async function loading(objects: Objects, place: string) {
  const engine: Engine = createEngine(
    { file: undefined, unknown: [], home: false },
    { store: async () => openSqlite(':memory:'), objects: async () => objects },
  )
  await (await engine.library()).collections.add({ name: 'lab', root: 's3://bucket' })
  const run = async () => {
    const { contexts } = await engine.load({ place }, SILENT)
    if (contexts.length < 8) throw new Error(`Only ${contexts.length} files were found.`)
  }
  return { run, end: () => engine.close() }
}

function verdictsOf(service: string, taken: ReadonlyMap<string, Taken>): Verdict[] {
  const ours = taken.get(OURS)
  const inPackage = taken.get(OURS_PACKAGE)
  const figure = (what: string) => `catalog, ${service}: ${what}`
  return [
    bound(figure('requests for a place 25 directories deep'), ours?.requests ?? 0, { unit: 'count', limit: 52 }),
    bound(figure('round trips for it'), ours?.roundTrips ?? 0, { unit: 'count', limit: 1 }),
    within(figure(`it, ${ROUND_TRIP_MS} ms away, cold`), ours?.cold ?? [], 250),
    within(figure(`it, ${ROUND_TRIP_MS} ms away, the second time`), ours?.warm ?? [], 250),
    bound(figure('round trips for a place in a package'), inPackage?.roundTrips ?? 0, { unit: 'count', limit: 4 }),
    within(figure(`it, ${ROUND_TRIP_MS} ms away, cold (package)`), inPackage?.cold ?? [], 500),
  ]
}
