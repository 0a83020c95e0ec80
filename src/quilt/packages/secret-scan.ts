import { decode } from '../../text/decode.ts'
import { findSecret } from '../../text/secrets.ts'

/** Bytes of a window. */
const WINDOW = 1 << 20

/** Overlap of two windows, so that a secret on the border is complete in one of them. */
const OVERLAP = 16 << 10

const NEWLINE = 0x0a

/** Looks for a secret in a file that comes in parts, however large it is: a window of it is in memory. */
export class SecretScan {
  #parts: Uint8Array[] = []
  #size = 0
  /** Lines before the window. */
  #lines = 0
  #isFirst = true
  #isOver = false
  #found: string | undefined

  /** The bytes are copied: a stream may use them again. */
  add(bytes: Uint8Array): void {
    if (this.#isOver) return
    this.#parts.push(Uint8Array.from(bytes))
    this.#size += bytes.length
    if (this.#size >= WINDOW + OVERLAP) this.#look()
  }

  /** The first secret and its line; undefined without one, and for a file that begins like no text. */
  end(): string | undefined {
    if (!this.#isOver) this.#look()
    return this.#found
  }

  #look(): void {
    const window = Buffer.concat(this.#parts)
    const decoded = decode(window)
    const isText = !('binary' in decoded)
    const found = isText ? findSecret(decoded.text) : undefined
    this.#found = found && `${found.what}, line ${this.#lines + found.line}`
    this.#isOver = found !== undefined || (this.#isFirst && !isText)
    this.#isFirst = false
    this.#keep(window)
  }

  /** The end of a window is the beginning of the next; behind the mark of its encoding, where it has one. */
  #keep(window: Buffer): void {
    const mark = isWide(window) ? window.subarray(0, 2) : window.subarray(0, 0)
    const cut = mark.length > 0 ? Math.max(2, (window.length - OVERLAP) & ~1) : cutOf(window)
    this.#lines += countLines(window.subarray(0, cut))
    this.#parts = [mark, window.subarray(cut)]
    this.#size = this.#parts.reduce((sum, { length }) => sum + length, 0)
  }
}

/** Whether the bytes begin with the mark of UTF-16. */
function isWide(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
}

/** Where a line begins, if the lines there are not too long. */
function cutOf(window: Buffer): number {
  const most = Math.max(0, window.length - OVERLAP)
  const line = window.lastIndexOf(NEWLINE, most) + 1
  return line > 0 && most - line < OVERLAP ? line : most
}

/** Line ends. Of UTF-16 as many as its text has: its bytes have others that look alike. */
function countLines(bytes: Buffer): number {
  const decoded = isWide(bytes) ? decode(bytes) : undefined
  const counted = decoded && 'text' in decoded ? Buffer.from(decoded.text) : bytes
  let count = 0
  for (let at = counted.indexOf(NEWLINE); at >= 0; at = counted.indexOf(NEWLINE, at + 1)) count++
  return count
}
