/** JSON as it was written: what a JavaScript number cannot give back digit by digit stays as its source text. */

import { readJson } from './json-reader.ts'
import { depthOf, type Json, MAX_DEPTH } from './json-value.ts'

/**
 * Numbers that print otherwise than they are written, or may: with point or exponent, of 16 digits or more, and -0. And
 * any escape: `JSON.parse` of the engines this runs on gives a wrong name to some keys that are escaped (nodejs/node#63785).
 */
const INEXACT = /\\|(?:^|[\s:,[])-?(?:\d+[.eE]|\d{16}|0(?<=-0))/

/**
 * The value of a text. The last of equal keys wins, as in Python, and `__proto__` is a key like others.
 *
 * @throws SyntaxError when it is not JSON, or nested too deep.
 */
export function parseJson(text: string): Json {
  if (INEXACT.test(text)) return readJson(text)
  const value: Json = JSON.parse(text)
  // Each level takes a bracket at either end.
  if (text.length > 2 * MAX_DEPTH && depthOf(value) > MAX_DEPTH)
    throw new SyntaxError(`more than ${MAX_DEPTH} arrays and objects are within each other`)
  return value
}
