import { CompressionType, setCompressionCodec, tableFromIPC } from '@uwdata/flechette'
import { type Cell, MOST_COLUMNS, type RawTable } from './table-data.ts'

/** Maximum number of rows to show. */
const MOST_ROWS = 1_000_000

/** Reads buffers in LZ4 frames, the default compression of pandas and R. */
setCompressionCodec(CompressionType.LZ4_FRAME, { decode: unpackLz4, encode: (bytes) => bytes })

/** Reads Arrow's stream and file formats. @throws Error that says what is wrong. */
export function readArrow(bytes: Uint8Array<ArrayBuffer>): RawTable {
  const table = tableFromIPC(bytes, { useDate: true, useBigInt: true })
  const rows = Math.min(table.numRows, MOST_ROWS)
  const columns = table.schema.fields.slice(0, MOST_COLUMNS).map((_, at) => table.getChildAt(at))
  return {
    names: table.schema.fields.map(({ name }) => name),
    rows,
    cell: (row, column) => columns[column]?.at(row) as Cell,
    ...(rows < table.numRows && { total: table.numRows }),
  }
}

/** The first four bytes of an LZ4 frame, as a little-endian number. */

const MAGIC = 0x184d2204

/** Maximum decompressed bytes of an LZ4 frame. */
const MAX_BYTES = 256 * 1024 * 1024

/** Decompresses an LZ4 frame. @throws Error for bytes that are not an LZ4 frame, or a frame that is too large. */
export function unpackLz4(frame: Uint8Array): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  if (frame.length < 7 || view.getUint32(0, true) !== MAGIC) throw new Error('The data is not an LZ4 frame.')
  const flags = frame[4] ?? 0
  const [hasSize, hasBlockSums, hasDictionary] = [(flags & 8) > 0, (flags & 16) > 0, (flags & 1) > 0]
  let at = 7 + (hasSize ? 8 : 0) + (hasDictionary ? 4 : 0)
  const output = new Output()
  for (;;) {
    const head = view.getUint32(at, true)
    at += 4
    if (head === 0) return output.bytes()
    const size = head & 0x7fffffff
    if (at + size > frame.length) throw new Error('The end of the LZ4 frame is missing.')
    const block = frame.subarray(at, at + size)
    if (head >>> 31 === 1) output.append(block)
    else unpackBlock(block, output)
    at += size + (hasBlockSums ? 4 : 0)
  }
}

class Output {
  #bytes = new Uint8Array(65_536)
  #size = 0

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#size)
    this.#size += bytes.length
  }

  /** Repeats the bytes that begin `offset` bytes before the end. */
  repeat(offset: number, length: number): void {
    if (offset === 0 || offset > this.#size) throw new Error('The LZ4 frame is damaged.')
    this.#reserve(length)
    for (let left = length; left > 0; left--) {
      this.#bytes[this.#size] = this.#bytes[this.#size - offset] ?? 0
      this.#size++
    }
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size)
  }

  #reserve(more: number): void {
    const size = this.#size + more
    if (size > MAX_BYTES) throw new Error('The data has more than 256 MB when it is unpacked.')
    if (size <= this.#bytes.length) return
    const larger = new Uint8Array(Math.min(MAX_BYTES, Math.max(size, this.#bytes.length * 2)))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** Decompresses a block: runs of literal bytes, each but the last followed by a repetition of earlier bytes. */
function unpackBlock(block: Uint8Array, output: Output): void {
  let at = 0
  const length = (nibble: number): number => {
    let sum = nibble
    for (let more = nibble === 15 ? 255 : 0; more === 255; sum += more) more = block[at++] ?? 0
    return sum
  }
  while (at < block.length) {
    const token = block[at++] ?? 0
    const literals = length(token >> 4)
    output.append(block.subarray(at, at + literals))
    at += literals
    if (at >= block.length) return
    const offset = (block[at++] ?? 0) | ((block[at++] ?? 0) << 8)
    output.repeat(offset, length(token & 15) + 4)
  }
}
