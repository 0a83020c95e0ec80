import { createHash } from 'node:crypto'
import { ContextError } from '../core/errors.ts'
import { type RegistryReach, streamEntry } from './located.ts'
import { checkLogicalKey, quoteForeign } from './names.ts'
import type { EntryHash, ManifestEntry } from './records.ts'

/** Computes the hash of an entry (a file of a package) while the bytes arrive. */
interface EntryHasher {
  update(bytes: Uint8Array): void
  /** The hash as in a manifest. Call it once, at the end. */
  digest(): string
}

/** The hasher for a type of hash; undefined for an unknown type. `size`: bytes of the whole object. */
export function hasherOf(type: string, size: number): EntryHasher | undefined {
  if (type === 'SHA256') {
    const hash = createHash('sha256')
    return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') }
  }
  if (type === 'sha2-256-chunked') return chunkedHasher(chunkSize(size))
  return type === 'CRC64NVME' ? new Crc64Hasher() : undefined
}

const MIN_CHUNK_BYTES = 8 << 20
const MAX_CHUNKS = 10_000

/** Bytes of a chunk of the chunked hash: 8 MiB, doubled until an object of `size` bytes has at most 10,000 chunks. */
export function chunkSize(size: number): number {
  let bytes = MIN_CHUNK_BYTES
  while (Math.ceil(size / bytes) > MAX_CHUNKS) bytes *= 2
  return bytes
}

/**
 * Whether two hashes prove that contents of the same size have the same bytes. A chunked hash of one chunk can be
 * compared with the SHA-256 that older programs wrote, because it is the SHA-256 of that SHA-256.
 */
export function haveSameBytes(a: EntryHash | null, b: EntryHash | null, size: number | null): boolean {
  if (a?.type === b?.type) return a?.value === b?.value
  const plainHash = [a, b].find((one) => one?.type === 'SHA256')?.value
  const chunkedHash = [a, b].find((one) => one?.type === 'sha2-256-chunked')?.value
  if (plainHash === undefined || chunkedHash === undefined || size === null || size > MIN_CHUNK_BYTES) return false
  // Empty content has no chunk.
  const chunkHashes = size === 0 ? '' : plainHash
  return createHash('sha256').update(Buffer.from(chunkHashes, 'hex')).digest('base64') === chunkedHash
}

/** Computes the SHA-256 of the joined SHA-256 of all chunks, also for a single chunk. Empty content has no chunk. */
function chunkedHasher(chunkBytes: number): EntryHasher {
  const wholeHash = createHash('sha256')
  let [chunkHash, filledBytes] = [createHash('sha256'), 0]
  const endChunk = () => {
    if (filledBytes > 0) wholeHash.update(chunkHash.digest())
    chunkHash = createHash('sha256')
    filledBytes = 0
  }
  return {
    update(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const part = bytes.subarray(at, at + chunkBytes - filledBytes)
        chunkHash.update(part)
        at += part.length
        filledBytes += part.length
        if (filledBytes === chunkBytes) endChunk()
      }
    },
    digest() {
      endChunk()
      return wholeHash.digest('base64')
    },
  }
}

/** Whether the bytes of an entry can be checked: the manifest has their size, and a hash of a known type. */
export function isCheckable({ hash, size }: ManifestEntry): boolean {
  return hash !== null && size !== null && hasherOf(hash.type, size) !== undefined
}

/**
 * The bytes of an entry as they arrive, checked against the size and hash in the manifest, if any.
 *
 * @throws ContextError as `streamEntry` and `checkBytes`.
 */
export async function* checkedStream(entry: ManifestEntry, reach: RegistryReach, signal?: AbortSignal | undefined) {
  checkLogicalKey(entry.logicalKey)
  yield* checkBytes(entry, streamEntry(entry, reach, signal))
}

/** Passes on the bytes of an entry. @throws AlteredEntry at once for too many bytes; at the end for too few, or another hash. */
export async function* checkBytes(entry: ManifestEntry, stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { hash, size } = entry
  const hasher = hash === null || size === null ? undefined : hasherOf(hash.type, size)
  let readBytes = 0
  for await (const bytes of stream) {
    readBytes += bytes.length
    if (size !== null && readBytes > size) throw new AlteredEntry(entry, 'size', `it has more than ${size} bytes`)
    hasher?.update(bytes)
    yield bytes
  }
  if (size !== null && readBytes < size) throw new AlteredEntry(entry, 'size', `it has ${readBytes} bytes, not ${size}`)
  const digest = hasher?.digest()
  if (digest !== undefined && digest !== hash?.value)
    throw new AlteredEntry(entry, 'hash', `its hash is ${digest}, not ${quoteForeign(hash?.value ?? '')}`)
}

/** Thrown when the size or hash of an entry's bytes differs from its manifest. */
export class AlteredEntry extends ContextError {
  readonly alteredField: 'size' | 'hash'
  readonly problem: string

  constructor({ logicalKey }: ManifestEntry, alteredField: 'size' | 'hash', problem: string) {
    super('untrusted', `${quoteForeign(logicalKey)} differs from the package: ${problem}.`, {
      hint: 'The object was replaced or damaged after the package was created.',
    })
    this.alteredField = alteredField
    this.problem = problem
  }
}

/**
 * Computes CRC-64/NVME: reflected, begins with ones, and is inverted at the end. Uses two halves of 32 bits, because a
 * number cannot hold 64 bits.
 */
class Crc64Hasher implements EntryHasher {
  #high = -1
  #low = -1

  update(bytes: Uint8Array): void {
    let [high, low] = [this.#high, this.#low]
    for (let at = 0; at < bytes.length; at++) {
      const index = (low ^ (bytes[at] ?? 0)) & 0xff
      low = ((low >>> 8) | (high << 24)) ^ (LOW_HALVES[index] ?? 0)
      high = (high >>> 8) ^ (HIGH_HALVES[index] ?? 0)
    }
    this.#high = high
    this.#low = low
  }

  digest(): string {
    const bytes = Buffer.alloc(8)
    bytes.writeInt32BE(~this.#high, 0)
    bytes.writeInt32BE(~this.#low, 4)
    return bytes.toString('base64')
  }
}

/** The effect of each byte on the checksum. */
const CRC_TABLE = Array.from({ length: 256 }, (_, byte) => {
  let sum = BigInt(byte)
  for (let bit = 0; bit < 8; bit++) sum = sum & 1n ? (sum >> 1n) ^ 0x9a6c9329ac4bc9b5n : sum >> 1n
  return sum
})
const HIGH_HALVES = Int32Array.from(CRC_TABLE, (sum) => Number(sum >> 32n))
const LOW_HALVES = Int32Array.from(CRC_TABLE, (sum) => Number(sum & 0xffffffffn))
