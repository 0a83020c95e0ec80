/** The package under test: created as quilt3 writes one, and checked after each kill. */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listPages, type Objects } from '../../src/files/objects.ts'
import { ambitInTurnBeside } from '../../test/support/program.ts'
import type { Store } from './package-stores.ts'
import type { Proving } from './proving.ts'

export interface RoundContext {
  readonly random: () => number
  readonly index: number
  readonly proving: Proving
}

export const NAME = 'team/data'
const MANIFESTS = '.quilt/packages/'
const POINTERS = `.quilt/named_packages/${NAME}/`

/** An entry that nobody can fetch. */
export const FAR = 'far.txt'

/** Entries that every home (a directory with a copy of the package) fetches, and other entries. */
export const KEYS = Array.from({ length: 24 }, (_, at) => `data/${String(at).padStart(2, '0')}.csv`)
const OTHERS = ['raw/a.txt', 'raw/b.txt']

/** Stores the first revision as quilt3 writes one, with hashes of the older type, and numbers that JavaScript does not have. */
export async function plant(store: Store): Promise<void> {
  const head = [
    '{"version": "v0", "message": "first", "user_meta": {"qc": NaN, "big": 123456789012345678901234567890, "1": 1.50}}',
    '{"logical_key": "raw/", "meta": {"user_meta": {"of": "a directory"}}}',
  ]
  const rows = [entryLine(FAR, 's3://ambit-of-somebody-else/far.txt?versionId=x', { bytes: Buffer.from('far'), at: 0 })]
  for (const [at, key] of [...KEYS, ...OTHERS].entries()) {
    const bytes = Buffer.from(`${key}\n`.repeat(2000))
    const { version } = await store.objects.put(`old/${key}`, bytes)
    rows.push(entryLine(key, `${store.objects.uri}/old/${key}${version ? `?versionId=${version}` : ''}`, { bytes, at }))
  }
  // Each row begins with its key.
  store.at.plant({ 'kept/first': `${[...head, ...rows.sort()].join('\n')}\n` })
  const hash = String(runReference('hash', { path: store.at.at('kept/first') }))
  await store.objects.put(`${MANIFESTS}${hash}`, readFileSync(store.at.at('kept/first')))
  for (const pointer of ['latest', '1680720300']) await store.objects.put(`${POINTERS}${pointer}`, Buffer.from(hash))
}

interface Planted {
  readonly bytes: Buffer
  readonly at: number
}

function entryLine(key: string, place: string, { bytes, at }: Planted): string {
  const hash = createHash('sha256').update(bytes).digest('hex')
  const number = ['NaN', '-Infinity', '1E5', '12345678901234567890'][at % 4]
  return `{"logical_key": "${key}", "physical_keys": ["${place}"], "size": ${bytes.length}, "hash": {"type": "SHA256", "value": "${hash}"}, "meta": {"user_meta": {"n": ${number}, "sample": "S${at}"}}}`
}

/** Runs the reference in Python. */
function runReference(what: string, values: object): unknown {
  const script = join(import.meta.dirname, 'packages.py')
  return JSON.parse(execFileSync('python3', [script, what, JSON.stringify(values)], { encoding: 'utf8' }))
}

export function compare(
  what: 'revised' | 'fetched',
  values: object,
  { store, context }: { store: Store; context: RoundContext },
): void {
  for (const sentence of runReference(what, values) as string[])
    context.proving.lose(`${store.name}, round ${context.index}, ${what}: ${sentence}`)
  context.proving.add('comparisons with the reference')
}

export interface Revision {
  readonly hash: string
  /** Path of a file with the manifest. The name of the file is the hash. */
  readonly manifest: string
}

export async function latestIn({ objects, at }: Store): Promise<Revision> {
  const hash = await textAt(objects, `${POINTERS}latest`)
  const manifest = at.at('kept', hash)
  mkdirSync(dirname(manifest), { recursive: true })
  writeFileSync(manifest, await textAt(objects, `${MANIFESTS}${hash}`))
  return { hash, manifest }
}

async function textAt(objects: Objects, key: string): Promise<string> {
  const read = await objects.read(key)
  return read === 'unchanged' ? '' : Buffer.from(read.bytes).toString()
}

async function keysBelow(objects: Objects, prefix: string): Promise<string[]> {
  const pages = await Array.fromAsync(listPages(objects, { prefix }))
  return pages.flatMap((page) => page.objects.map(({ key }) => key.slice(prefix.length)))
}

/** Verifies the latest revision, and each revision that is new since the last call. */
export async function verifyStates(store: Store, { proving, index }: RoundContext): Promise<void> {
  const { hash: latest } = await latestIn(store)
  const hashes = (await keysBelow(store.objects, MANIFESTS)).filter((hash) => !store.verified.has(hash))
  const wanted = [...new Set([...hashes, latest])]
  const { base: cwd } = store.at
  const lines = wanted.map((hash) => ['package', 'verify', `${store.address}@${hash}`])
  for (const [at, { status, stdout, stderr }] of (await ambitInTurnBeside(lines, { cwd, env: store.env })).entries()) {
    const hash = wanted[at] ?? ''
    if (status !== 0) proving.lose(`${store.name}, round ${index}: ${hash} does not verify: ${stdout}${stderr}`)
    else store.verified.add(hash)
    proving.add('revisions verified')
  }
}

/** Checks that nothing of a killed run is left when the next run has ended. */
export async function expectNothingLeft(store: Store, what: string, { proving, index }: RoundContext): Promise<void> {
  const files = readdirSync(store.at.base, { recursive: true }).map(String)
  const left = [...files.filter((file) => /\.ambit-put/.test(file)), ...(await store.uploads())]
  if (left.length > 0) proving.lose(`${store.name}, round ${index}, after ${what}: left behind: ${left.join(', ')}`)
}
