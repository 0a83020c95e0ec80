/** The file that a code index is kept in: a head as JSON, and the records one after the other. */

import type { Stamp, WalkedDirectory } from './tree-walk.ts'

/** A file of the index. */
export interface IndexedFile {
  /** Relative to the root. */
  readonly path: string
  readonly stamp: Stamp
  /** What its score is multiplied by. */
  readonly factor: number
  /** Of its content. */
  readonly digest: number
  /** See `file-record.ts`; empty for a file that was looked at and is none to index. */
  readonly record: Uint8Array
}

/** What is kept of a tree. */
export interface StoredIndex {
  /** Real path. */
  readonly root: string
  readonly directories: readonly WalkedDirectory[]
  readonly files: readonly IndexedFile[]
}

/** Another number for whatever changes what a record holds: an index with an older one is made anew. */
const FORMAT = 'ambit code index 3\n\0'
/** Format, check sum, length of the head. A multiple of four, as every part's length is. */
const START = FORMAT.length + 8
/** Numbers of each file: its stamp, its factor, its digest, the length of its record. */
const COLUMNS = 7

interface Head {
  readonly root: string
  readonly directories: readonly WalkedDirectory[]
  readonly paths: readonly string[]
}

/** The bytes of an index, in parts: its start, its head, the numbers of its files, their records. */
export function encodeIndex({ root, directories, files }: StoredIndex): Uint8Array[] {
  const json = Buffer.from(JSON.stringify({ root, directories, paths: files.map(({ path }) => path) } satisfies Head))
  const numbers = new Float64Array(files.length * COLUMNS)
  for (const [at, { stamp, factor, digest, record }] of files.entries()) {
    numbers.set([...stamp, factor, digest, record.length], at * COLUMNS)
  }
  const parts = [json, paddingOf(json.length), Buffer.from(numbers.buffer)]
  for (const { record } of files) if (record.length > 0) parts.push(record as Buffer, paddingOf(record.length))
  const start = Buffer.alloc(START)
  start.write(FORMAT, 'latin1')
  start.writeUInt32LE(
    parts.reduce((sum, part) => crc32(part, sum), 0),
    FORMAT.length,
  )
  start.writeUInt32LE(json.length, FORMAT.length + 4)
  return [start, ...parts]
}

/** Undefined for bytes that are no whole index of that root. */
export function decodeIndex(bytes: Buffer, root: string): StoredIndex | undefined {
  if (bytes.length < START || bytes.toString('latin1', 0, FORMAT.length) !== FORMAT) return undefined
  if (bytes.readUInt32LE(FORMAT.length) !== crc32(bytes.subarray(START), 0)) return undefined
  const length = bytes.readUInt32LE(FORMAT.length + 4)
  const head: Head = JSON.parse(bytes.toString('utf8', START, START + length))
  if (head.root !== root) return undefined
  const from = START + length + paddingOf(length).length
  const numbers = new Float64Array(head.paths.length * COLUMNS)
  bytes.copy(Buffer.from(numbers.buffer), 0, from)
  let at = from + numbers.byteLength
  const files = head.paths.map((path, file): IndexedFile => {
    const number = (column: number) => numbers[file * COLUMNS + column] ?? 0
    const start = at
    const end = start + number(6)
    at = end + paddingOf(end - start).length
    return {
      path,
      stamp: [number(0), number(1), number(2), number(3)],
      factor: number(4),
      digest: number(5),
      record: bytes.subarray(start, end),
    }
  })
  return { root, directories: head.directories, files }
}

const PADDING = [0, 3, 2, 1].map((length) => Buffer.alloc(length))

/** What makes a length a multiple of four. */
function paddingOf(length: number): Buffer {
  return PADDING[length % 4] ?? Buffer.alloc(0)
}

/** Of bytes that follow those whose check sum is given. */
function crc32(bytes: Uint8Array, before: number): number {
  return process.getBuiltinModule('node:zlib').crc32(bytes, before)
}
