/** Writes and reads the file of a code index. */

import { readCacheFile } from '../../files/cache-file.ts'
import type { Stamp, WalkedDirectory } from './tree-walk.ts'

export interface IndexedFile {
  /** Relative to the root, with slashes. */
  readonly path: string
  readonly stamp: Stamp
  /** The factor by which the score of the file is multiplied: more than 0, at most 1; 0 for a file without a record. */
  readonly factor: number
  /** The digest of the content: 48 bits. */
  readonly digest: number
  /** Bytes of the record; 0 for a file that is not worth indexing. */
  readonly size: number
  /** The terms of the file, as bytes: see `file-record.ts`. */
  readonly record: Uint8Array
}

/** A stored index of a tree. */
export interface StoredIndex {
  /** The real path of the root. */
  readonly root: string
  readonly directories: readonly WalkedDirectory[]
  /** The files in the order of the directories; only the first files if the tree is cut. */
  readonly files: readonly IndexedFile[]
}

/** The version of the format. An index of another version is rebuilt. */
const FORMAT = Buffer.from('ambit code index 8\n\0')
/** Bytes before the body: the format, and the checksum of the body. */
const BODY_OFFSET = FORMAT.length + 4
/** Numbers that are stored for each file: four of its stamp, its factor, its digest, and the length of its record. */
const NUMBERS_PER_FILE = 7

interface SerializedIndex extends Omit<StoredIndex, 'files'> {
  readonly numbers: Float64Array
  /** The bytes of all records in one array. Each record starts at a multiple of four bytes. */
  readonly records: Uint32Array
}

/** The bytes of an index file, as parts in order. */
export function encodeIndex({ root, directories, files }: StoredIndex): Uint8Array[] {
  const numbers = new Float64Array(files.length * NUMBERS_PER_FILE)
  const records = new Uint8Array(files.reduce((sum, { record }) => sum + paddedLength(record.length), 0))
  let offset = 0
  for (const [at, { stamp, factor, digest, record }] of files.entries()) {
    numbers.set([...stamp, factor, digest, record.length], at * NUMBERS_PER_FILE)
    records.set(record, offset)
    offset += paddedLength(record.length)
  }
  const { serialize } = process.getBuiltinModule('node:v8')
  const serialized: SerializedIndex = { root, directories, numbers, records: new Uint32Array(records.buffer) }
  const body = serialize(serialized)
  const checksumBytes = Buffer.alloc(4)
  checksumBytes.writeUInt32LE(checksum(body))
  return [FORMAT, checksumBytes, body]
}

/** The stored index of the tree at a root. Undefined for an invalid file or another root. */
export function readIndex(cacheFile: string, root: string): StoredIndex | undefined {
  const bytes = readCacheFile(cacheFile)
  const body = bytes?.subarray(BODY_OFFSET)
  const isWhole = body && bytes?.subarray(0, FORMAT.length).equals(FORMAT) && body.length > 0
  if (!isWhole || checksum(body) !== bytes?.readUInt32LE(FORMAT.length)) return undefined
  const { deserialize } = process.getBuiltinModule('node:v8')
  const serialized: SerializedIndex = deserialize(body)
  if (serialized.root !== root) return undefined
  return { root, directories: serialized.directories, files: storedFiles(serialized) }
}

function storedFiles({ directories, numbers, records }: SerializedIndex): IndexedFile[] {
  const paths = directories.flatMap(({ files }) => files)
  let offset = records.byteOffset
  return Array.from({ length: numbers.length / NUMBERS_PER_FILE }, (_, at) => {
    const numberAt = (column: number) => numbers[at * NUMBERS_PER_FILE + column] ?? 0
    const stamp = [numberAt(0), numberAt(1), numberAt(2), numberAt(3)] as const
    const size = numberAt(6)
    const record = size === 0 ? NO_RECORD : new Uint8Array(records.buffer, offset, size)
    offset += paddedLength(size)
    return { path: paths[at] ?? '', stamp, factor: numberAt(4), digest: numberAt(5), size, record }
  })
}

export const NO_RECORD = new Uint8Array(0)

/** Rounds up to a multiple of four. */
function paddedLength(length: number): number {
  return length + (-length & 3)
}

function checksum(bytes: Uint8Array): number {
  return process.getBuiltinModule('node:zlib').crc32(bytes)
}
