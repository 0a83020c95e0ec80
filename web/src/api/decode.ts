/** Text of bytes without a declared encoding. */

export interface DecodedText {
  readonly text: string
  /** `UTF-8`, `UTF-16 LE`, `UTF-16 BE` or `Latin-1`. */
  readonly encoding: string
}

const MARKS: readonly (readonly [mark: readonly number[], label: string, encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8', 'UTF-8'],
  [[0xff, 0xfe], 'utf-16le', 'UTF-16 LE'],
  [[0xfe, 0xff], 'utf-16be', 'UTF-16 BE'],
]

/** Number of bytes from which the encoding is guessed if there is no byte order mark. */
const SAMPLE = 8_192

/** Decodes text; undefined if the bytes are not text. `isCut`: the bytes may end within a character. */
export function decodeBytes(bytes: Uint8Array, isCut = false): DecodedText | undefined {
  const marked = MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))
  const utf16 = marked ? undefined : utf16Encoding(bytes.subarray(0, SAMPLE))
  const [, label = 'utf-8', encoding = 'UTF-8'] = marked ?? utf16 ?? []
  if (label === 'utf-8' && bytes.includes(0)) return undefined
  const text = strictText(bytes, label, isCut)
  if (text !== undefined) return text.includes('\0') ? undefined : { text, encoding }
  return label === 'utf-8' ? latin1Text(bytes) : undefined
}

function strictText(bytes: Uint8Array, label: string, isCut: boolean): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return undefined
  }
}

/** Guesses UTF-16 without a byte order mark: in most scripts nearly every second byte is 0, and the others are not. */
function utf16Encoding(sample: Uint8Array): (typeof MARKS)[number] | undefined {
  const pairs = Math.floor(sample.length / 2)
  if (pairs < 4) return undefined
  let [even, odd] = [0, 0]
  for (let at = 0; at < pairs * 2; at += 2) {
    if (sample[at] === 0) even++
    if (sample[at + 1] === 0) odd++
  }
  if (even === 0 && odd > pairs * 0.6) return MARKS[1]
  return odd === 0 && even > pairs * 0.6 ? MARKS[2] : undefined
}

/** Control characters that texts may contain: tab, line breaks, form feed, escape. */
const USUAL_CONTROLS = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b])

/** Decodes Windows-1252, a superset of Latin-1; undefined if the bytes are not text. */
function latin1Text(bytes: Uint8Array): DecodedText | undefined {
  const isBinary = (byte: number) => (byte < 0x20 && !USUAL_CONTROLS.has(byte)) || byte === 0x7f || UNASSIGNED.has(byte)
  if (bytes.subarray(0, SAMPLE * 8).some(isBinary)) return undefined
  return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Latin-1' }
}

/** Bytes that are not characters in Windows-1252. */
const UNASSIGNED = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])
