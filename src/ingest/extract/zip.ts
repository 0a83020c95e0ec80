import { crc32, inflateRawSync } from 'node:zlib'
import { BOUNDS } from '../../core/bounds.ts'

/** Thrown for an archive over the limit. */
export class ZipTooLarge extends Error {}

/** Thrown for a malformed archive, and for features that documents do not use. */
export class ZipBroken extends Error {}

const END = { signature: 0x06054b50, size: 22, maxDistance: 22 + 0xffff }
const CENTRAL = { signature: 0x02014b50, size: 46 }
const LOCAL = { signature: 0x04034b50, size: 30 }
const STORED = 0
const DEFLATED = 8

interface ZipEntry {
  readonly name: string
  readonly method: number
  readonly isEncrypted: boolean
  /** Compressed bytes. */
  readonly packedSize: number
  /** Offset of its local header. */
  readonly headerOffset: number
}

/**
 * The wanted entries of a zip archive, by name. Declared sizes are ignored: the content is counted while it is inflated, up
 * to `most` bytes. Other entries are not read.
 * @throws ZipTooLarge, ZipBroken.
 */
export function readZip(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
  maxBytes: number,
): Map<string, Uint8Array> {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const contents = new Map<string, Uint8Array>()
  let remaining = maxBytes
  for (const entry of entriesOf(archive)) {
    if (!isWanted(entry.name)) continue
    const content = inflateEntry(archive, entry, remaining)
    remaining -= content.length
    contents.set(entry.name, content)
  }
  return contents
}

function* entriesOf(archive: Buffer): Generator<ZipEntry> {
  let offset = findCentralDirectory(archive)
  for (let count = 0; readNumber(archive, offset, 4) === CENTRAL.signature; count++) {
    if (count === BOUNDS.archiveEntries) throw new ZipTooLarge(`It has more than ${BOUNDS.archiveEntries} entries.`)
    const nameLength = readNumber(archive, offset + 28, 2)
    yield {
      name: archive.subarray(offset + CENTRAL.size, offset + CENTRAL.size + nameLength).toString(),
      method: readNumber(archive, offset + 10, 2),
      isEncrypted: (readNumber(archive, offset + 8, 2) & 1) === 1,
      packedSize: readNumber(archive, offset + 20, 4),
      headerOffset: readNumber(archive, offset + 42, 4),
    }
    offset += CENTRAL.size + nameLength + readNumber(archive, offset + 30, 2) + readNumber(archive, offset + 32, 2)
  }
}

/** Offset of the central directory, from the last record of the archive. */
function findCentralDirectory(archive: Buffer): number {
  const last = archive.length - END.size
  for (let at = last; at >= 0 && at >= archive.length - END.maxDistance; at--) {
    if (archive.readUInt32LE(at) === END.signature) return archive.readUInt32LE(at + 16)
  }
  throw new ZipBroken('It is not a zip archive, or is cut off.')
}

function inflateEntry(
  archive: Buffer,
  { name, method, isEncrypted, packedSize, headerOffset }: ZipEntry,
  remaining: number,
): Uint8Array {
  if (isEncrypted) throw new ZipBroken(`Its part ${name} is encrypted.`)
  if (readNumber(archive, headerOffset, 4) !== LOCAL.signature)
    throw new ZipBroken(`Its part ${name} is not where it should be.`)
  const start =
    headerOffset + LOCAL.size + readNumber(archive, headerOffset + 26, 2) + readNumber(archive, headerOffset + 28, 2)
  const data = archive.subarray(start, start + packedSize)
  if (method === STORED) return data.length > remaining ? zipTooLarge() : data
  if (method !== DEFLATED)
    throw new ZipBroken(`Its part ${name} is compressed by a method that is not known (${method}).`)
  try {
    return remaining === 0 ? zipTooLarge() : inflateRawSync(data, { maxOutputLength: remaining })
  } catch (error) {
    if (error instanceof ZipTooLarge || Object(error).code === 'ERR_BUFFER_TOO_LARGE') return zipTooLarge()
    throw new ZipBroken(`Its part ${name} cannot be decompressed.`, { cause: error })
  }
}

function zipTooLarge(): never {
  throw new ZipTooLarge('Its parts are too large when they are decompressed.')
}

/** A little-endian number; -1 past the end. */
function readNumber(archive: Buffer, at: number, size: 2 | 4): number {
  return at + size <= archive.length ? archive.readUIntLE(at, size) : -1
}

/** An uncompressed archive of these contents. */
export function storedZip(contents: ReadonlyMap<string, Uint8Array>): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of contents) {
    const common = commonHeader(name, content)
    const local = Buffer.concat([encodeNumber(LOCAL.signature, 4), common, Buffer.from(name), content])
    const tail = Buffer.concat([Buffer.alloc(10), encodeNumber(offset, 4), Buffer.from(name)])
    directory.push(Buffer.concat([encodeNumber(CENTRAL.signature, 4), encodeNumber(20, 2), common, tail]))
    files.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const counts = Buffer.concat([Buffer.alloc(4), encodeNumber(contents.size, 2), encodeNumber(contents.size, 2)])
  const end = Buffer.concat([
    encodeNumber(END.signature, 4),
    counts,
    encodeNumber(central.length, 4),
    encodeNumber(offset, 4),
    encodeNumber(0, 2),
  ])
  return Buffer.concat([...files, central, end])
}

/** The common part of the local and central headers of an entry: version, flags (UTF-8), method, time, checksum, lengths. */
function commonHeader(name: string, content: Uint8Array): Buffer {
  const fixed = [
    encodeNumber(20, 2),
    encodeNumber(0x0800, 2),
    encodeNumber(STORED, 2),
    Buffer.alloc(4),
    encodeNumber(crc32(content), 4),
  ]
  const sizes = [encodeNumber(content.length, 4), encodeNumber(content.length, 4)]
  return Buffer.concat([...fixed, ...sizes, encodeNumber(Buffer.byteLength(name), 2), encodeNumber(0, 2)])
}

function encodeNumber(value: number, size: 2 | 4): Buffer {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntLE(value, 0, size)
  return bytes
}
