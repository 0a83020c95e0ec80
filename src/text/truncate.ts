/** The last offset, on a code point boundary, up to which the text from `start` takes at most `maxBytes` of UTF-8. */
export function byteEnd(text: string, start: number, maxBytes: number): number {
  let [at, remaining] = [start, maxBytes]
  for (let code = text.codePointAt(at); code !== undefined; code = text.codePointAt(at)) {
    remaining -= utf8Length(code)
    if (remaining < 0) break
    at += code > 0xffff ? 2 : 1
  }
  return at
}

/** The first offset, on a code point boundary, from which the text up to `end` takes at most `maxBytes` of UTF-8. */
export function byteStart(text: string, end: number, maxBytes: number): number {
  let at = end
  for (let remaining = maxBytes; at > 0; ) {
    const pair = text.codePointAt(at - 2) ?? 0
    const code = pair > 0xffff ? pair : text.charCodeAt(at - 1)
    remaining -= utf8Length(code)
    if (remaining < 0) break
    at -= code > 0xffff ? 2 : 1
  }
  return at
}

function utf8Length(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

/** The longest prefix of at most `maxBytes` bytes of UTF-8, on a code point boundary; the text itself when it fits. */
export function clipBytes(text: string, maxBytes: number): string {
  const end = text.length * 3 <= maxBytes ? text.length : byteEnd(text, 0, maxBytes)
  return end === text.length ? text : text.slice(0, end)
}

const TRUNCATED = ' [truncated]'

/** The text, or a prefix of it and the mark `[truncated]`, in at most `maxBytes` bytes; `''` if the mark does not fit. */
export function clipMarked(text: string, maxBytes: number): string {
  const clipped = clipBytes(text, maxBytes)
  if (clipped === text) return text
  return maxBytes < TRUNCATED.length ? '' : `${clipBytes(text, maxBytes - TRUNCATED.length)}${TRUNCATED}`
}

/** Maximum characters of the metadata of a package, on any surface. */
const MAX_METADATA = 20_000

/** A value as indented JSON. A mark at the end reports a cut. */
export function metadataText(value: unknown): string {
  const text = JSON.stringify(value, null, 2)
  if (text.length <= MAX_METADATA) return text
  return `${text.slice(0, MAX_METADATA).toWellFormed()}\n[cut: ${MAX_METADATA} of ${text.length} characters are shown]`
}
