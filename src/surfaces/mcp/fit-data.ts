/** Cuts structured answers to a maximum size. A cut answer reports what is missing. */

import { largestThatFits } from '../../text/bisect.ts'
import { clipMarked } from '../../text/truncate.ts'

/**
 * Maximum number of items of a list or nested object. A bisection finds the largest number of items that fits, up to this
 * maximum.
 */
const MAX_ITEMS = 1000
/** Minimum number of items to keep of each list, as long as texts can be shortened further. */
const MIN_ITEMS = 5
/** Maximum bytes of a text: the first of these limits that leaves room for `MIN_ITEMS` is used. */
const TEXT_LIMITS = [Number.POSITIVE_INFINITY, 32_000, 8000, 2000, 500, 200]
/** Maximum depth of nesting. */
const MAX_DEPTH = 12
/** Maximum number of paths in `cut`. */
const MAX_CUT_ENTRIES = 20

type Data = Readonly<Record<string, unknown>>

/**
 * Cuts an answer to `maxBytes` of JSON. The property `cut` reports what is missing, by path: for a list or object the number of
 * removed items, for a shortened text 1.
 */
export function fitData(data: Data, maxBytes: number): Data {
  const fits = (candidate: Data) => Buffer.byteLength(JSON.stringify(candidate)) <= maxBytes
  if (fits(data)) return data
  for (const text of TEXT_LIMITS) {
    const withItems = (items: number) => shortenData(data, { items, text })
    const items = largestThatFits(MAX_ITEMS, (most) => fits(withItems(most)))
    if (items >= (text === TEXT_LIMITS.at(-1) ? 0 : MIN_ITEMS)) return withItems(items)
  }
  return { cut: { everything: 1 } }
}

function shortenData(data: Data, limits: { readonly items: number; readonly text: number }): Data {
  const cut = new Map<string, number>()
  const shorten = (value: unknown, path: string, depth: number): unknown => {
    const count = (number: number) => {
      if (number > 0) cut.set(path, (cut.get(path) ?? 0) + number)
    }
    if (typeof value === 'string') {
      const text = clipMarked(value, limits.text)
      count(Number(text !== value))
      return text
    }
    if (typeof value !== 'object' || value === null) return value
    const maximumOf = (all: number) => (depth > MAX_DEPTH ? 0 : depth === 0 ? all : limits.items)
    if (Array.isArray(value)) {
      count(value.length - maximumOf(value.length))
      return value.slice(0, maximumOf(value.length)).map((item) => shorten(item, path, depth + 1))
    }
    const entries = Object.entries(value)
    count(entries.length - maximumOf(entries.length))
    const shortenedEntries = entries.slice(0, maximumOf(entries.length)).map(([name, item]) => {
      const itemPath = `${path}${path === '' ? '' : '.'}${clipMarked(name, 40)}`
      return [clipMarked(name, limits.text), shorten(item, itemPath, depth + 1)] as const
    })
    return Object.fromEntries(shortenedEntries)
  }
  const shortened = Object(shorten(data, '', 0))
  return cut.size === 0 ? shortened : { ...shortened, cut: Object.fromEntries([...cut].slice(0, MAX_CUT_ENTRIES)) }
}
