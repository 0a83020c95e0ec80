/** The file that vectors of units are kept in: which files they are of, and each vector once for all units of its text. */

import { readCachePart, writeCacheFile } from '../../files/cache-file.ts'
import type { PackedVector } from '../../retrieval/packed-vectors.ts'

/** A vector in one byte for each dimension. */
export type UnitVector = Pick<PackedVector, 'bytes' | 'scale'>

/** What is known of a file: the digest of its content, and the keys of its units in their order. */
export interface EmbeddedFile {
  readonly digest: number
  readonly keys: readonly string[]
}

/** What is kept of a tree. */
export interface StoredVectors {
  /** Real path. */
  readonly root: string
  /** Of the model: vectors of another one are not to be compared. */
  readonly fingerprint: string
  readonly files: ReadonlyMap<string, EmbeddedFile>
  /** By the key of the text that was sent. */
  readonly vectors: ReadonlyMap<string, UnitVector>
}

/** Another number for whatever changes what is sent to the model, or how it is kept. */
const FORMAT = 'ambit code vectors 1\n'
/** Format, length of the head, check sum of all that follows. */
const START = FORMAT.length + 8
/** Bytes of a key: the first of a digest of the text. */
export const KEY_BYTES = 8

interface Head {
  readonly root: string
  readonly fingerprint: string
  readonly dimensions: number
  readonly vectors: number
  readonly files: readonly (readonly [path: string, digest: number, units: readonly number[]])[]
}

/** Writes those vectors that a file has; what no file has any more goes. Returns whether it is written. */
export function writeVectors(cacheFile: string, { root, fingerprint, files, vectors }: StoredVectors): boolean {
  const numbers = new Map<string, number>()
  const numberOf = (key: string) => {
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  }
  const listed = [...files].map(([path, { digest, keys }]) => [path, digest, keys.map(numberOf)] as const)
  const wanted = [...numbers.keys()].flatMap((key) => vectors.get(key) ?? [])
  const dimensions = wanted[0]?.bytes.length ?? 0
  const head = Buffer.from(
    JSON.stringify({ root, fingerprint, dimensions, vectors: wanted.length, files: listed } satisfies Head),
  )
  const keys = Buffer.from([...numbers.keys()].join(''), 'hex')
  const scales = Buffer.from(Float64Array.from(wanted, ({ scale }) => scale).buffer)
  const parts = [
    head,
    keys,
    scales,
    ...wanted.map(({ bytes }) => new Uint8Array(bytes.buffer, bytes.byteOffset, dimensions)),
  ]
  const start = Buffer.alloc(START)
  start.write(FORMAT, 'latin1')
  start.writeUInt32LE(head.length, FORMAT.length)
  start.writeUInt32LE(checkSumOf(parts), FORMAT.length + 4)
  return writeCacheFile(cacheFile, [start, ...parts])
}

/** What was kept of the tree of that root for that model; undefined for whatever is none of it. */
export function readVectors(
  cacheFile: string,
  { root, fingerprint }: Pick<StoredVectors, 'root' | 'fingerprint'>,
): StoredVectors | undefined {
  const bytes = readCachePart(cacheFile, 0, Number.POSITIVE_INFINITY)
  if (!bytes || bytes.length < START || bytes.toString('latin1', 0, FORMAT.length) !== FORMAT) return undefined
  const body = bytes.subarray(START)
  if (checkSumOf([body]) !== bytes.readUInt32LE(FORMAT.length + 4)) return undefined
  const length = bytes.readUInt32LE(FORMAT.length)
  const head: Head = JSON.parse(body.toString('utf8', 0, length))
  if (head.root !== root || head.fingerprint !== fingerprint) return undefined
  const { keys, vectors } = vectorsIn(body.subarray(length), head)
  const files = head.files.map(
    ([path, digest, units]) => [path, { digest, keys: units.map((unit) => keys[unit] ?? '') }] as const,
  )
  return { root, fingerprint, files: new Map(files), vectors }
}

function vectorsIn(body: Buffer, { dimensions, vectors: count }: Head) {
  const keys: string[] = []
  const vectors = new Map<string, UnitVector>()
  const [scales, numbers] = [count * KEY_BYTES, count * (KEY_BYTES + 8)]
  for (let at = 0; at < count; at++) {
    const key = body.toString('hex', at * KEY_BYTES, (at + 1) * KEY_BYTES)
    const bytes = new Int8Array(body.buffer, body.byteOffset + numbers + at * dimensions, dimensions)
    keys.push(key)
    vectors.set(key, { bytes, scale: body.readDoubleLE(scales + at * 8) })
  }
  return { keys, vectors }
}

function checkSumOf(parts: readonly Uint8Array[]): number {
  const { crc32 } = process.getBuiltinModule('node:zlib')
  return parts.reduce((sum, part) => crc32(part, sum), 0)
}
