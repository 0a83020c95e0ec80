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
const FORMAT = 'ambit code index 2\n'
/** Format, check sum, length of the head. */
const START = FORMAT.length + 8

type FileRow = readonly [path: string, ...stamp: Stamp, factor: number, digest: number, length: number]

interface Head {
  readonly root: string
  readonly directories: readonly WalkedDirectory[]
  readonly files: readonly FileRow[]
}

/** The bytes of an index, in parts. */
export function encodeIndex({ root, directories, files }: StoredIndex): Uint8Array[] {
  const rows = files.map(({ path, stamp, factor, digest, record }): FileRow => {
    return [path, ...stamp, factor, digest, record.length]
  })
  const head = Buffer.from(JSON.stringify({ root, directories, files: rows } satisfies Head))
  const records = files.flatMap(({ record }) => [record, Buffer.alloc(paddingOf(record.length))])
  const start = Buffer.alloc(START)
  start.write(FORMAT)
  start.writeUInt32LE(head.length, FORMAT.length + 4)
  const padding = Buffer.alloc(paddingOf(START + head.length))
  const body = Buffer.concat([head, padding, ...records])
  start.writeUInt32LE(checkSum(body), FORMAT.length)
  return [start, body]
}

/** Undefined for bytes that are no whole index of that root. */
export function decodeIndex(bytes: Buffer, root: string): StoredIndex | undefined {
  if (bytes.length < START || bytes.toString('latin1', 0, FORMAT.length) !== FORMAT) return undefined
  if (bytes.readUInt32LE(FORMAT.length) !== checkSum(bytes.subarray(START))) return undefined
  const length = bytes.readUInt32LE(FORMAT.length + 4)
  const head: Head = JSON.parse(bytes.toString('utf8', START, START + length))
  if (head.root !== root) return undefined
  // Records are read four bytes at a time, from where the memory has them so.
  const own = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(new Uint8Array(bytes))
  let at = START + length + paddingOf(START + length)
  const files = head.files.map(([path, size, mtime, ctime, inode, factor, digest, recordLength]): IndexedFile => {
    const record = own.subarray(at, at + recordLength)
    at += recordLength + paddingOf(recordLength)
    return { path, stamp: [size, mtime, ctime, inode], factor, digest, record }
  })
  return { root, directories: head.directories, files }
}

function paddingOf(length: number): number {
  return (4 - (length % 4)) % 4
}

function checkSum(bytes: Uint8Array): number {
  return process.getBuiltinModule('node:zlib').crc32(bytes)
}
