import { crc32, inflateRawSync } from 'node:zlib'
import { BOUNDS } from '../../core/bounds.ts'

/** Thrown for an archive over the limit. */
export class ZipTooLarge extends Error {}

/** Thrown for a malformed archive, and for features that documents do not use. */
export class ZipBroken extends Error {}

const END = { signature: 0x06054b50, size: 22, furthest: 22 + 0xffff }
const CENTRAL = { signature: 0x02014b50, size: 46 }
const LOCAL = { signature: 0x04034b50, size: 30 }
const STORED = 0
const DEFLATED = 8

interface Entry {
  readonly name: string
  readonly method: number
  readonly encrypted: boolean
  /** Compressed bytes. */
  readonly packed: number
  /** Offset of its local header. */
  readonly at: number
}

/**
 * The wanted entries of a zip archive, by name. Declared sizes are ignored: the content is counted while it is inflated, up
 * to `most` bytes. Other entries are not read.
 * @throws ZipTooLarge, ZipBroken.
 */
export function readZip(bytes: Uint8Array, wanted: (name: string) => boolean, most: number): Map<string, Uint8Array> {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const contents = new Map<string, Uint8Array>()
  let left = most
  for (const entry of entriesOf(archive)) {
    if (!wanted(entry.name)) continue
    const content = inflateEntry(archive, entry, left)
    left -= content.length
    contents.set(entry.name, content)
  }
  return contents
}

function* entriesOf(archive: Buffer): Generator<Entry> {
  let at = findCentralDirectory(archive)
  for (let count = 0; field(archive, at, 4) === CENTRAL.signature; count++) {
    if (count === BOUNDS.archiveEntries) throw new ZipTooLarge(`It has more than ${BOUNDS.archiveEntries} entries.`)
    const nameLength = field(archive, at + 28, 2)
    yield {
      name: archive.subarray(at + CENTRAL.size, at + CENTRAL.size + nameLength).toString(),
      method: field(archive, at + 10, 2),
      encrypted: (field(archive, at + 8, 2) & 1) === 1,
      packed: field(archive, at + 20, 4),
      at: field(archive, at + 42, 4),
    }
    at += CENTRAL.size + nameLength + field(archive, at + 30, 2) + field(archive, at + 32, 2)
  }
}

/** Offset of the central directory, from the last record of the archive. */
function findCentralDirectory(archive: Buffer): number {
  const last = archive.length - END.size
  for (let at = last; at >= 0 && at >= archive.length - END.furthest; at--) {
    if (archive.readUInt32LE(at) === END.signature) return archive.readUInt32LE(at + 16)
  }
  throw new ZipBroken('It is not a zip archive, or is cut off.')
}

function inflateEntry(archive: Buffer, { name, method, encrypted, packed, at }: Entry, left: number): Uint8Array {
  if (encrypted) throw new ZipBroken(`Its part ${name} is encrypted.`)
  if (field(archive, at, 4) !== LOCAL.signature) throw new ZipBroken(`Its part ${name} is not where it should be.`)
  const start = at + LOCAL.size + field(archive, at + 26, 2) + field(archive, at + 28, 2)
  const data = archive.subarray(start, start + packed)
  if (method === STORED) return data.length > left ? zipTooLarge() : data
  if (method !== DEFLATED)
    throw new ZipBroken(`Its part ${name} is compressed by a method that is not known (${method}).`)
  try {
    return left === 0 ? zipTooLarge() : inflateRawSync(data, { maxOutputLength: left })
  } catch (error) {
    if (error instanceof ZipTooLarge || Object(error).code === 'ERR_BUFFER_TOO_LARGE') return zipTooLarge()
    throw new ZipBroken(`Its part ${name} cannot be decompressed.`, { cause: error })
  }
}

function zipTooLarge(): never {
  throw new ZipTooLarge('Its parts are too large when they are decompressed.')
}

/** A little-endian number; -1 past the end. */
function field(archive: Buffer, at: number, size: 2 | 4): number {
  return at + size <= archive.length ? archive.readUIntLE(at, size) : -1
}

/** An uncompressed archive of these contents. */
export function storedZip(contents: ReadonlyMap<string, Uint8Array>): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of contents) {
    const common = commonHeader(name, content)
    const local = Buffer.concat([number(LOCAL.signature, 4), common, Buffer.from(name), content])
    const tail = Buffer.concat([Buffer.alloc(10), number(at, 4), Buffer.from(name)])
    directory.push(Buffer.concat([number(CENTRAL.signature, 4), number(20, 2), common, tail]))
    files.push(local)
    at += local.length
  }
  const central = Buffer.concat(directory)
  const counts = Buffer.concat([Buffer.alloc(4), number(contents.size, 2), number(contents.size, 2)])
  const end = Buffer.concat([number(END.signature, 4), counts, number(central.length, 4), number(at, 4), number(0, 2)])
  return Buffer.concat([...files, central, end])
}

/** The common part of the local and central headers of an entry: version, flags (UTF-8), method, time, checksum, lengths. */
function commonHeader(name: string, content: Uint8Array): Buffer {
  const fixed = [number(20, 2), number(0x0800, 2), number(STORED, 2), Buffer.alloc(4), number(crc32(content), 4)]
  const sizes = [number(content.length, 4), number(content.length, 4)]
  return Buffer.concat([...fixed, ...sizes, number(Buffer.byteLength(name), 2), number(0, 2)])
}

function number(value: number, size: 2 | 4): Buffer {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntLE(value, 0, size)
  return bytes
}
