/**
 * CRC-64/NVME: reflected, started with and inverted by ones. In two halves of 32 bits, since numbers hold no 64, and eight
 * bytes at a time.
 */

/** The polynomial, reflected. */
const POLYNOMIAL = { high: 0x9a6c9329, low: 0xac4bc9b5 }

const SLICES = 8

/** What a byte `index` does to the sum when `slice` bytes follow it. */
const TABLE = tableOf()

export class Crc64 {
  #high = 0xffffffff
  #low = 0xffffffff

  update(bytes: Uint8Array): void {
    const { high: highs, low: lows } = TABLE
    let [high, low] = [this.#high, this.#low]
    let at = 0
    for (const end = bytes.length - (bytes.length % SLICES); at < end; at += SLICES) {
      let [nextHigh, nextLow] = [0, 0]
      for (let slice = 0; slice < SLICES; slice++) {
        const sum = slice < 4 ? low >>> (8 * slice) : high >>> (8 * (slice - 4))
        const index = ((SLICES - 1 - slice) << 8) | ((sum ^ (bytes[at + slice] ?? 0)) & 0xff)
        nextHigh ^= highs[index] ?? 0
        nextLow ^= lows[index] ?? 0
      }
      high = nextHigh
      low = nextLow
    }
    for (; at < bytes.length; at++) {
      const index = (low ^ (bytes[at] ?? 0)) & 0xff
      low = ((low >>> 8) | (high << 24)) ^ (lows[index] ?? 0)
      high = (high >>> 8) ^ (highs[index] ?? 0)
    }
    this.#high = high
    this.#low = low
  }

  /** Eight bytes, the highest first. */
  digest(): Buffer {
    const bytes = Buffer.alloc(8)
    bytes.writeUInt32BE(~this.#high >>> 0, 0)
    bytes.writeUInt32BE(~this.#low >>> 0, 4)
    return bytes
  }
}

function tableOf(): { readonly high: Uint32Array; readonly low: Uint32Array } {
  const high = new Uint32Array(SLICES * 256)
  const low = new Uint32Array(SLICES * 256)
  for (let byte = 0; byte < 256; byte++) {
    let sum = { high: 0, low: byte }
    for (let bit = 0; bit < 8; bit++) sum = shiftRight(sum)
    high[byte] = sum.high
    low[byte] = sum.low
  }
  for (let index = 256; index < SLICES * 256; index++) {
    const [before, under] = [high[index - 256] ?? 0, low[index - 256] ?? 0]
    high[index] = (before >>> 8) ^ (high[under & 0xff] ?? 0)
    low[index] = ((under >>> 8) | (before << 24)) ^ (low[under & 0xff] ?? 0)
  }
  return { high, low }
}

function shiftRight({ high, low }: { readonly high: number; readonly low: number }) {
  const next = { high: high >>> 1, low: (low >>> 1) | (high << 31) }
  return low & 1 ? { high: next.high ^ POLYNOMIAL.high, low: next.low ^ POLYNOMIAL.low } : next
}
