import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of an archive, and what the archive says of it that is not so. */
export interface ZipEntry {
  readonly name: string
  readonly content: string | Uint8Array
  /** Without compression. */
  readonly stored?: boolean
  /** The decompressed size that is declared. */
  readonly declared?: number
  /** The compressed bytes, instead of those of the content. */
  readonly packed?: Uint8Array
  /** Flags of the entry: 1 says that it is encrypted. */
  readonly flags?: number
  /** The compression method that is declared. */
  readonly method?: number
  /** Where the archive says it is: with this, its own bytes are left out. */
  readonly at?: number
}

/** A zip archive, byte by byte. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name)
    const content = Buffer.from(entry.content)
    const packed = Buffer.from(entry.packed ?? (entry.stored ? content : deflateRawSync(content)))
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(entry.flags ?? 0, 2)
    header.writeUInt16LE(entry.method ?? (entry.stored ? 0 : 8), 4)
    header.writeUInt32LE(crc32(content), 10)
    header.writeUInt32LE(packed.length, 14)
    header.writeUInt32LE(entry.declared ?? content.length, 18)
    header.writeUInt16LE(name.length, 22)
    const central = Buffer.alloc(46)
    central.write('PK\x01\x02', 'latin1')
    central.writeUInt16LE(20, 4)
    header.copy(central, 6)
    central.writeUInt32LE(entry.at ?? offset, 42)
    directory.push(central, name)
    if (entry.at !== undefined) continue
    const file = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), header, name, packed])
    files.push(file)
    offset += file.length
  }
  return Buffer.concat([...files, ...directory, endOf(entries.length, offset, Buffer.concat(directory).length)])
}

function endOf(count: number, offset: number, size: number): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Math.min(count, 0xffff), 8)
  end.writeUInt16LE(Math.min(count, 0xffff), 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return end
}
