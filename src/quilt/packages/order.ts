/** The orders of the format: by code point, as Python sorts; and the order of a tree, depth first. */

const HIGH = [0xd800, 0xdbff] as const
const LOW = [0xdc00, 0xdfff] as const
const SLASH = 0x2f

/** By code point. Differs from the order of code units where one character is beyond U+FFFF. */
export function byCodePoint(a: string, b: string): number {
  const at = firstDifference(a, b)
  return at < 0 ? a.length - b.length : codePoint(a, b, at) - codePoint(b, a, at)
}

/**
 * Keys as a walk through their tree meets them, each directory sorted by code point: `a/z` before `a.b`, `b/x` before
 * `b-c`. A key comes right before those below it.
 */
export function byTree(a: string, b: string): number {
  const at = firstDifference(a, b)
  if (at < 0) return a.length - b.length
  if (a.charCodeAt(at) === SLASH) return -1
  if (b.charCodeAt(at) === SLASH) return 1
  return codePoint(a, b, at) - codePoint(b, a, at)
}

/** Where they first differ; -1 when one begins the other. */
function firstDifference(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  for (let at = 0; at < end; at++) if (a.charCodeAt(at) !== b.charCodeAt(at)) return at
  return -1
}

/** The character of `text` at the first difference. It begins one unit before where either text ends a pair there. */
function codePoint(text: string, other: string, at: number): number {
  const inPair =
    isIn(text.charCodeAt(at - 1), HIGH) && (isIn(text.charCodeAt(at), LOW) || isIn(other.charCodeAt(at), LOW))
  return text.codePointAt(inPair ? at - 1 : at) ?? 0
}

function isIn(code: number, [first, last]: readonly [number, number]): boolean {
  return code >= first && code <= last
}
