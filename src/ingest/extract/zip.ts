import { crc32, inflateRawSync } from 'node:zlib'
import { BOUNDS } from '../../core/bounds.ts'

/** Thrown for an archive with too many entries, or too large contents. */
export class ZipTooLarge extends Error {}

/** Thrown for a malformed archive, and for features that documents do not use. */
export class InvalidZip extends Error {}

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
 * The contents of the wanted entries of a zip archive, by name. Counts the bytes while it inflates them, and ignores
 * the size that an entry declares. `maxBytes`: maximum bytes of all contents together.
 *
 * @throws ZipTooLarge, InvalidZip.
 */
export function readZip(bytes: Uint8Array, isWanted: (name: string) => boolean, maxBytes: number) {
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

/** Offset of the central directory (the list of entries), from the last record of the archive. */
function findCentralDirectory(archive: Buffer): number {
  const lastEnd = archive.length - END.size
  for (let at = lastEnd; at >= 0 && at >= archive.length - END.maxDistance; at--) {
    if (archive.readUInt32LE(at) === END.signature) return archive.readUInt32LE(at + 16)
  }
  throw new InvalidZip('It is not a zip archive, or is cut off.')
}

function inflateEntry(archive: Buffer, entry: ZipEntry, remaining: number): Uint8Array {
  const { name, method, headerOffset: at } = entry
  if (entry.isEncrypted) throw new InvalidZip(`Its part ${name} is encrypted.`)
  if (readNumber(archive, at, 4) !== LOCAL.signature)
    throw new InvalidZip(`Its part ${name} is not where it should be.`)
  const start = at + LOCAL.size + readNumber(archive, at + 26, 2) + readNumber(archive, at + 28, 2)
  const data = archive.subarray(start, start + entry.packedSize)
  if (method === STORED) return data.length > remaining ? zipTooLarge() : data
  if (method !== DEFLATED)
    throw new InvalidZip(`Its part ${name} is compressed by a method that is not known (${method}).`)
  try {
    return remaining === 0 ? zipTooLarge() : inflateRawSync(data, { maxOutputLength: remaining })
  } catch (error) {
    if (error instanceof ZipTooLarge || Object(error).code === 'ERR_BUFFER_TOO_LARGE') return zipTooLarge()
    throw new InvalidZip(`Its part ${name} cannot be decompressed.`, { cause: error })
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
  for (const [path, content] of contents) {
    const name = Buffer.from(path)
    const size = splitLong(content.length)
    // Version, flags (UTF-8), method, time, date, checksum, sizes, length of the name, length of extra fields.
    const fields = [20, 0x0800, STORED, 0, 0, ...splitLong(crc32(content)), ...size, ...size, name.length, 0]
    const localFile = Buffer.concat([encodeWords(...splitLong(LOCAL.signature), ...fields), name, content])
    // Comment, disk, two attributes (the second is long), offset.
    const lastFields = [0, 0, 0, 0, 0, ...splitLong(offset)]
    directory.push(encodeWords(...splitLong(CENTRAL.signature), 20, ...fields, ...lastFields), name)
    files.push(localFile)
    offset += localFile.length
  }
  const central = Buffer.concat(directory)
  const [start, length, { size: count }] = [splitLong(offset), splitLong(central.length), contents]
  const end = encodeWords(...splitLong(END.signature), 0, 0, count, count, ...length, ...start, 0)
  return Buffer.concat([...files, central, end])
}

/** A number of 32 bits as two of 16, the lower first. */
function splitLong(value: number): [lower: number, upper: number] {
  return [value & 0xffff, Math.floor(value / 0x10000)]
}

/** Numbers of 16 bits as little-endian bytes. */
function encodeWords(...words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * words.length)
  for (const [index, word] of words.entries()) bytes.writeUInt16LE(word, 2 * index)
  return bytes
}
