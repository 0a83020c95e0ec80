import type { Count } from './flow.ts'

/** Bytes of a text in UTF-8; a lone surrogate counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    if (unit < 0x800) bytes += 1
    else if (isPair(text, index)) {
      bytes += 2
      index++
    } else bytes += 2
  }
  return bytes
}

function isPair(text: string, index: number): boolean {
  const high = text.charCodeAt(index)
  const low = text.charCodeAt(index + 1)
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000
}

/**
 * The default estimate: a token for every four bytes of UTF-8, rounded up.
 * Four characters of English, and safe for scripts whose characters take three bytes.
 */
export const bytes4: Count = (text) => Math.ceil(utf8Length(text) / 4)
