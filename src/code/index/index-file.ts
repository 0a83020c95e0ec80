/** The file that a code index is kept in: what is known of the tree, which is read at once, and behind it the records. */

import { readCachePart, removeCacheFile } from '../../files/cache-file.ts'
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
  /** Bytes of its record; 0 for a file that was looked at and is none to index. */
  readonly size: number
  /** See `file-record.ts`. Read from the disk when the first one is asked for. */
  readonly record: Uint8Array
}

/** What is kept of a tree. */
export interface StoredIndex {
  /** Real path. */
  readonly root: string
  readonly directories: readonly WalkedDirectory[]
  /** Those of the directories, in their order; of a tree that is cut, the first of them. */
  readonly files: readonly IndexedFile[]
}

/** Another number for whatever changes what a record holds: an index with an older one is made anew. */
const FORMAT = 'ambit code index 7\n\0'
/** Format; length of the head, bytes of the paths, number of the files, check sums of these parts and of the records. */
const START = FORMAT.length + 20
/** Numbers of each file: its stamp, its factor, its digest, the length of its record. */
const COLUMNS = 7

interface Head {
  readonly root: string
  readonly directories: readonly (Omit<WalkedDirectory, 'files'> & { readonly files: number })[]
}

/** The bytes of an index, in parts. */
export function encodeIndex({ root, directories, files }: StoredIndex): Uint8Array[] {
  const counted = directories.map((directory) => ({ ...directory, files: directory.files.length }))
  const head = padToEight(JSON.stringify({ root, directories: counted } satisfies Head), ' ')
  const paths = padToEight(directories.flatMap((directory) => directory.files).join('\0'), '\0')
  const numbers = new Float64Array(files.length * COLUMNS)
  const records: Uint8Array[] = []
  for (const [at, { stamp, factor, digest, record }] of files.entries()) {
    numbers.set([...stamp, factor, digest, record.length], at * COLUMNS)
    if (record.length > 0) records.push(record, paddingOf(record.length))
  }
  const known = [head, paths, Buffer.from(numbers.buffer)]
  const start = Buffer.alloc(START)
  start.write(FORMAT, 'latin1')
  const about = [head.length, paths.length, files.length, checkSum(known), checkSum(records)]
  for (const [at, number] of about.entries()) start.writeUInt32LE(number, FORMAT.length + at * 4)
  return [start, ...known, ...records]
}

/**
 * What a file says of the tree of that root; undefined for one that says nothing of it. `remake`: makes the record of a file
 * anew, for when its records turn out to be damaged, or others by then.
 */
export function readIndex(
  cacheFile: string,
  root: string,
  remake: (path: string) => Uint8Array,
): StoredIndex | undefined {
  const start = readCachePart(cacheFile, 0, START)
  if (start?.length !== START || start.toString('latin1', 0, FORMAT.length) !== FORMAT) return undefined
  const about = (at: number) => start.readUInt32LE(FORMAT.length + at * 4)
  const [ofHead, ofPaths, count] = [about(0), about(1), about(2)]
  const length = ofHead + ofPaths + count * COLUMNS * 8
  const known = readCachePart(cacheFile, START, length)
  if (known?.length !== length || checkSum([known]) !== about(3)) return undefined
  const head: Head = JSON.parse(known.toString('utf8', 0, ofHead))
  if (head.root !== root) return undefined
  const numbers = new Float64Array(known.buffer, known.byteOffset + ofHead + ofPaths, count * COLUMNS)
  const paths = known.toString('utf8', ofHead, ofHead + ofPaths).split('\0')
  const records = new RecordPart(cacheFile, { start, from: START + length, remake })
  return { root, directories: directoriesOf(head, paths), files: storedFiles(paths, numbers, records) }
}

function directoriesOf({ directories }: Head, paths: readonly string[]): WalkedDirectory[] {
  let end = 0
  return directories.map((directory) => {
    const start = end
    end += directory.files
    return { ...directory, files: paths.slice(start, end) }
  })
}

function storedFiles(paths: readonly string[], numbers: Float64Array, records: RecordPart): IndexedFile[] {
  const files: IndexedFile[] = []
  let start = 0
  for (let at = 0; at < numbers.length; at += COLUMNS) {
    const file = new StoredFile(paths[at / COLUMNS] ?? '', { numbers, at, start, records })
    files.push(file)
    start += file.size + (-file.size & 3)
  }
  return files
}

interface StoredPlace {
  readonly numbers: Float64Array
  /** Where the numbers of the file begin. */
  readonly at: number
  /** Where its record begins. */
  readonly start: number
  readonly records: RecordPart
}

class StoredFile implements IndexedFile {
  readonly path: string
  readonly stamp: Stamp
  readonly factor: number
  readonly digest: number
  readonly size: number
  readonly #start: number
  readonly #records: RecordPart

  constructor(path: string, { numbers, at, start, records }: StoredPlace) {
    this.path = path
    this.stamp = [numbers[at] ?? 0, numbers[at + 1] ?? 0, numbers[at + 2] ?? 0, numbers[at + 3] ?? 0]
    this.factor = numbers[at + 4] ?? 0
    this.digest = numbers[at + 5] ?? 0
    this.size = numbers[at + 6] ?? 0
    this.#start = start
    this.#records = records
  }

  get record(): Uint8Array {
    return this.size === 0 ? NO_RECORD : this.#records.recordOf(this.path, this.#start, this.size)
  }
}

interface RecordPlace {
  /** The first bytes of the file that the rest was read from. */
  readonly start: Buffer
  /** Where the records begin. */
  readonly from: number
  remake(path: string): Uint8Array
}

/** The records in a file, read when the first one is asked for. */
class RecordPart {
  readonly #cacheFile: string
  readonly #place: RecordPlace
  /** Undefined before it is read; `damaged` where it cannot be. */
  #bytes: Buffer | 'damaged' | undefined

  constructor(cacheFile: string, place: RecordPlace) {
    this.#cacheFile = cacheFile
    this.#place = place
  }

  recordOf(path: string, start: number, size: number): Uint8Array {
    this.#bytes ??= this.#read()
    return this.#bytes === 'damaged' ? this.#place.remake(path) : this.#bytes.subarray(start, start + size)
  }

  #read(): Buffer | 'damaged' {
    const { start, from } = this.#place
    const bytes = readCachePart(this.#cacheFile, 0, Number.POSITIVE_INFINITY)
    // Another process has written it meanwhile: its records are those of its own look.
    if (!bytes?.subarray(0, START).equals(start)) return 'damaged'
    const records = bytes.subarray(from)
    if (checkSum([records]) === start.readUInt32LE(FORMAT.length + 16)) return records
    removeCacheFile(this.#cacheFile)
    return 'damaged'
  }
}

export const NO_RECORD = new Uint8Array(0)

const PADDING = [0, 3, 2, 1].map((length) => Buffer.alloc(length))

/** What makes a length a multiple of four. */
function paddingOf(length: number): Buffer {
  return PADDING[length % 4] ?? Buffer.alloc(0)
}

/** A text filled up to a multiple of eight bytes. */
function padToEight(text: string, filler: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 7, filler)])
}

/** CRC-32 of parts one after the other. */
function checkSum(parts: readonly Uint8Array[]): number {
  const { crc32 } = process.getBuiltinModule('node:zlib')
  return parts.reduce((sum, part) => crc32(part, sum), 0)
}
