import { createHash, type Hash } from 'node:crypto'
import { Crc64 } from './packages/crc64.ts'

/** A hash over bytes as they come. */
export interface EntryHasher {
  update(bytes: Uint8Array): void
  /** As a manifest has it. To be asked for once, at the end. */
  digest(): string
}

/** The hash of a type; undefined when the type is not known. `size`: bytes of the whole object. */
export function hasherOf(type: string, size: number): EntryHasher | undefined {
  if (type === 'SHA256') return sha256()
  if (type === 'sha2-256-chunked') return new Chunked(chunkSize(size))
  return type === 'CRC64NVME' ? crc64() : undefined
}

const MIN_CHUNK = 8 << 20
const MAX_CHUNKS = 10_000

/** Bytes of the chunks an object is hashed in: 8 MiB, doubled for as long as there are more than 10,000 of them. */
export function chunkSize(size: number): number {
  let chunk = MIN_CHUNK
  while (Math.ceil(size / chunk) > MAX_CHUNKS) chunk *= 2
  return chunk
}

function sha256(): EntryHasher {
  const hash = createHash('sha256')
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') }
}

function crc64(): EntryHasher {
  const sum = new Crc64()
  return { update: (bytes) => sum.update(bytes), digest: () => sum.digest().toString('base64') }
}

/** The SHA-256 of the SHA-256 of each chunk. One chunk is hashed twice too, and no bytes have no chunk. */
class Chunked implements EntryHasher {
  readonly #size: number
  readonly #whole = createHash('sha256')
  #chunk: Hash | undefined
  #room = 0

  constructor(size: number) {
    this.#size = size
  }

  update(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const chunk = this.#chunk ?? this.#begin()
      const part = bytes.subarray(at, at + this.#room)
      chunk.update(part)
      at += part.length
      this.#room -= part.length
      if (this.#room === 0) this.#end()
    }
  }

  digest(): string {
    this.#end()
    return this.#whole.digest('base64')
  }

  #begin(): Hash {
    this.#room = this.#size
    this.#chunk = createHash('sha256')
    return this.#chunk
  }

  #end(): void {
    if (this.#chunk) this.#whole.update(this.#chunk.digest())
    this.#chunk = undefined
  }
}
