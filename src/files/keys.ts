import { ContextError } from '../core/errors.ts'
import { oneLine } from '../text/controls.ts'

/** Bytes of the longest key. */
export const MAX_KEY = 1024

/** Characters of a key shown in a message. */
const SHOWN = 200

/** Whether any driver can hold it: 1 to `MAX_KEY` bytes of UTF-8. */
export function isKey(key: string): boolean {
  return key !== '' && key.length <= MAX_KEY && key.isWellFormed() && Buffer.byteLength(key) <= MAX_KEY
}

/** The order of two texts by their bytes of UTF-8, which is not that of JavaScript: it puts emoji before `ﬀ`. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** Half of a character beyond the first 65,536 stands behind all that are not. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/** An object as messages name it: without its controls, and cut when very long. */
export function placeOf(uri: string, key = ''): string {
  const short = key.length > SHOWN ? `${key.slice(0, SHOWN)}…` : key
  return key === '' ? uri : `${uri}/${oneLine(short)}`
}

export function absent(place: string, why = 'does not exist.', hint?: string): ContextError {
  return new ContextError('not-found', `${place} ${why}`, hint === undefined ? {} : { hint })
}
