import { isUtf8 } from 'node:buffer'

/** The text of a file, or the reason why it is not text. `replaced`: number of invalid sequences, now U+FFFD. */
export type DecodedText =
  | { readonly text: string; readonly replaced: number }
  | { readonly binary: true; readonly detail: string }

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark, and drops the mark. Invalid sequences become U+FFFD. UTF-16 is
 * binary if it contains the character NUL; other bytes are binary if they contain a zero byte. Never throws.
 */
export function decode(bytes: Uint8Array): DecodedText {
  const utf16 = utf16EncodingOf(bytes)
  if (utf16) return decodeUtf16(bytes, utf16)
  if (bytes.includes(0)) return { binary: true, detail: 'It holds NUL bytes.' }
  return decodeUtf8(bytes)
}

/** The encoding that the byte order mark names; undefined without a mark. */
export function utf16EncodingOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

function decodeUtf16(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): DecodedText {
  const text = new TextDecoder(encoding).decode(bytes)
  if (text.includes('\0')) return { binary: true, detail: 'It holds NUL characters.' }
  return { text, replaced: countReplacements(text) - countUtf16Replacements(bytes, encoding) }
}

function decodeUtf8(bytes: Uint8Array): DecodedText {
  // A Buffer decodes, because a TextDecoder takes a millisecond to load.
  const decoded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
  const text = decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded
  if (isUtf8(bytes)) return { text, replaced: 0 }
  return { text, replaced: countReplacements(text) - countUtf8Replacements(bytes) }
}

function countReplacements(text: string): number {
  let count = 0
  for (let at = text.indexOf('\uFFFD'); at >= 0; at = text.indexOf('\uFFFD', at + 1)) count++
  return count
}

/** The number of U+FFFD that the file itself contains. EF is a lead byte, so EF BF BD is never a part of another character. */
function countUtf8Replacements(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(0xef); at >= 0; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) count++
  }
  return count
}

function countUtf16Replacements(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): number {
  const [low, high] = encoding === 'utf-16le' ? [0, 1] : [1, 0]
  let count = 0
  for (let at = 2; at + 1 < bytes.length; at += 2) {
    if (bytes[at + low] === 0xfd && bytes[at + high] === 0xff) count++
  }
  return count
}
