/** JSON as it was written: what a JavaScript number cannot give back digit by digit stays as its source text. */

import { readJson } from './json-reader.ts'
import { depthOf, type Json, MAX_DEPTH } from './json-value.ts'

/** Numbers that print otherwise than they are written, or may: with point or exponent, of 16 digits or more, and -0. */
const INEXACT = /[\s:,[](?:-0|-?\d+[.eE]|-?\d{16})/

/**
 * The value of a text. The last of equal keys wins, as in Python, and `__proto__` is a key like others.
 *
 * @throws SyntaxError when it is not JSON, or nested too deep.
 */
export function parseJson(text: string): Json {
  if (isSubtle(text)) return readJson(text)
  const value = parsed(text)
  // Each level takes a bracket at either end.
  if (text.length > 2 * MAX_DEPTH && depthOf(value) > MAX_DEPTH)
    throw new SyntaxError(`more than ${MAX_DEPTH} arrays and objects are within each other`)
  return value
}

/** What is wrong is told in our own words: those of the engines differ, and count the lines of this text alone. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return readJson(text)
  }
}

/**
 * Whether `JSON.parse` may read it wrong. Of what is escaped, the engines this runs on give some keys a wrong name
 * (nodejs/node#63785); and a number that is all of a text has nothing before it to tell it by.
 */
function isSubtle(text: string): boolean {
  return !/^[{[]/.test(text) || text.includes('\\') || INEXACT.test(text)
}
