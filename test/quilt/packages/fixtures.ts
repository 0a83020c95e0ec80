/** Look-alikes of registries, written from the description of the format. Their hashes come by another way than ours. */

import { createHash } from 'node:crypto'
import { type Manifest, manifestAt } from '../../../src/quilt/packages/manifest.ts'
import { type Held, memoryObjects } from '../../support/memory-objects.ts'

/** An object of a package: where it is in the bucket, and what it holds. */
export interface Planted {
  readonly text: string
  /** Default: `data/` and the logical key. */
  readonly key?: string
  readonly version?: string
  readonly meta?: Readonly<Record<string, unknown>>
}

export interface Made {
  readonly hash: string
  readonly manifest: string
  /** The objects of its entries. */
  readonly objects: Held
}

/** Plain ASCII and no floats: then sorted keys and `JSON.stringify` are all there is to a top hash. */
export function packageOf(entries: Readonly<Record<string, Planted>>, header: object = {}): Made {
  const head = { version: 'v0', message: null, ...header }
  const rows = Object.entries(entries).map(([logicalKey, planted]) => rowOf(logicalKey, planted))
  const hash = createHash('sha256').update(naive(head))
  for (const { logical_key, hash: value, meta, size } of [...rows].sort(bySegments))
    hash.update(naive({ hash: value, logical_key, meta, size }))
  const manifest = [head, ...rows].map((row) => `${JSON.stringify(row)}\n`).join('')
  return { hash: hash.digest('hex'), manifest, objects: Object.fromEntries(Object.entries(entries).map(objectOf)) }
}

function rowOf(logicalKey: string, planted: Planted) {
  const { text, key = `data/${logicalKey}`, version, meta = {} } = planted
  return {
    logical_key: logicalKey,
    physical_keys: [
      `s3://bucket/${key.split('/').map(encodeURIComponent).join('/')}${version === undefined ? '' : `?versionId=${version}`}`,
    ],
    size: Buffer.byteLength(text),
    hash: { type: 'SHA256', value: createHash('sha256').update(text).digest('hex') },
    meta,
  }
}

function objectOf([logicalKey, { text, key = `data/${logicalKey}`, version }]: [string, Planted]): [string, string] {
  return [version === undefined ? key : `${key}?${version}`, text]
}

function bySegments(a: { logical_key: string }, b: { logical_key: string }): number {
  const [left, right] = [a.logical_key.split('/'), b.logical_key.split('/')]
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const [one = '', other = ''] = [left[at], right[at]]
    if (one !== other) return one < other ? -1 : 1
  }
  return left.length - right.length
}

function naive(value: unknown): string {
  return JSON.stringify(value, (_, found) =>
    found && typeof found === 'object' && !Array.isArray(found)
      ? Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)))
      : found,
  )
}

/** A registry: the packages' revisions by time, the last of each being `latest`. */
export function registryV1(packages: Readonly<Record<string, Readonly<Record<string, Made>>>>): Held {
  const held: Record<string, Held[string]> = {}
  for (const [name, revisions] of Object.entries(packages)) {
    for (const [time, made] of Object.entries(revisions)) {
      held[`.quilt/packages/${made.hash}`] = made.manifest
      for (const pointer of [time, 'latest']) held[`.quilt/named_packages/${name}/${pointer}`] = made.hash
      Object.assign(held, made.objects)
    }
  }
  return held
}

/** A manifest of these lines. `chunk`: bytes that come at a time. */
export function manifestOf(lines: readonly string[] | string, chunk = 1 << 16): Manifest {
  const text = typeof lines === 'string' ? lines : lines.map((line) => `${line}\n`).join('')
  return manifestAt(memoryObjects({ m: text }, { chunk }), 'm')
}

export const HEADER = '{"version": "v0"}'

/** The line of an entry, as the format's tools write it. */
export function entryLine(logicalKey: string, fields: object = {}): string {
  const hash = { type: 'SHA256', value: '00' }
  return JSON.stringify({
    logical_key: logicalKey,
    physical_keys: [`s3://bucket/${encodeURI(logicalKey)}`],
    size: 1,
    hash,
    meta: {},
    ...fields,
  })
}

/** What a promise failed with, as a person reads it. */
export async function failure(promise: Promise<unknown>): Promise<{ code: unknown; message: string; hint: unknown }> {
  try {
    await promise
  } catch (error) {
    const { code, message, hint } = error as Error & { code: unknown; hint: unknown }
    return { code, message, hint }
  }
  throw new Error('It did not fail.')
}
