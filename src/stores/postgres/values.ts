/** Statements and values as the client sends them, and values as it gives them. */

import type { CustomTypesConfig } from 'pg'
import { translateWords } from '../statements/statement.ts'

type Scalar = string | number | Uint8Array | null
export type Value = Scalar | readonly Scalar[]

/** As SQLite keeps it, and PostgreSQL does not: the character 0. Written so that texts stay in their order. */
export function encodeValue(value: Value): unknown {
  if (typeof value === 'string') return textOf(value)
  return Array.isArray(value) ? value.map((one: Value) => (typeof one === 'string' ? textOf(one) : one)) : value
}

function textOf(text: string): string {
  if (!text.includes('\u0000') && !text.includes('\u0001')) return text
  return text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\u0000', '\u0001\u0001')
}

function decodeText(text: string): string {
  if (!text.includes('\u0001')) return text
  return text.replaceAll('\u0001\u0001', '\u0000').replaceAll('\u0001\u0002', '\u0001')
}

const INT8 = 20
const TEXT = 25
const BYTEA = 17

/** Whole numbers as numbers: none that is kept is beyond 2^53. */
export function typesOver(types: CustomTypesConfig): CustomTypesConfig {
  const own: Readonly<Record<number, (text: string) => unknown>> = {
    [INT8]: Number,
    [TEXT]: decodeText,
    [BYTEA]: bytesIn,
  }
  return {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      (format !== 'binary' && own[oid]) || types.getTypeParser(oid, format as 'text'),
  }
}

/** `\\x0a…` as bytes of their own: a Buffer is a part of what others have, too. */
function bytesIn(text: string): Uint8Array {
  const bytes = new Uint8Array((text.length - 2) / 2)
  Buffer.from(bytes.buffer).write(text.slice(2), 'hex')
  return bytes
}

/** Bytes of many rows, one after the other: a parameter of each is sent as it is, and a list of bytes would be sent as digits. */
export interface Packed {
  readonly data: Uint8Array
  /** From 1, as `substring` counts. */
  readonly offsets: readonly number[]
  /** Null where there are no bytes, as `substring` gives none then. */
  readonly lengths: readonly (number | null)[]
}

export function packBytes(parts: readonly (Uint8Array | null)[]): Packed {
  const offsets: number[] = []
  let end = 1
  for (const part of parts) {
    offsets.push(end)
    end += part?.length ?? 0
  }
  const data = Buffer.concat(parts.filter((part) => part !== null))
  return { data, offsets, lengths: parts.map((part) => part?.length ?? null) }
}

/** Bytes that one statement takes. */
const MOST_BYTES = 8_000_000
const MOST_ROWS = 4000

/** Rows in groups that one statement takes each. */
export function* groupRows<Row>(rows: Iterable<Row>, sizeOf: (row: Row) => number): Generator<Row[]> {
  let group: Row[] = []
  let bytes = 0
  for (const row of rows) {
    group.push(row)
    bytes += sizeOf(row)
    if (group.length < MOST_ROWS && bytes < MOST_BYTES) continue
    yield group
    group = []
    bytes = 0
  }
  if (group.length > 0) yield group
}

const WORDS = {
  now: () => '(extract(epoch FROM clock_timestamp()) * 1000)::bigint',
  isoNow: () => `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  anyOf: (kind: string) => `= ANY(?::${kind === 'number' ? 'bigint' : kind}[])`,
  each: (kind: string) => `unnest(?::${kind === 'number' ? 'bigint' : kind}[]) WITH ORDINALITY AS a (value, key)`,
  hex: (bytes: string) => `encode(${bytes}, 'hex')`,
  least: () => 'least',
  position: () => 'strpos',
  forUpdate: (table: string) => (table === '' ? 'FOR UPDATE' : `FOR UPDATE OF ${table}`),
  forShare: () => 'FOR SHARE',
}

const translations = new Map<string, string>()

/** Each text is translated once. One whose values are numbered already keeps its numbers. */
export function translateText(text: string): string {
  const known = translations.get(text)
  if (known !== undefined) return known
  let count = 0
  const translated = translateWords(text, WORDS).replace(/\?/g, () => `$${++count}`)
  translations.set(text, translated)
  return translated
}
