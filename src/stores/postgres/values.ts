/** Values as the client sends them, and as it gives them. */

import type { CustomTypesConfig } from 'pg'

type Scalar = string | number | Uint8Array | null
export type Value = Scalar | readonly Scalar[]

/** As SQLite keeps it, and PostgreSQL does not: the character 0. Written so that texts stay in their order. */
export function encoded(value: Value): unknown {
  if (typeof value === 'string') return textOf(value)
  return Array.isArray(value) ? value.map((one: Value) => (typeof one === 'string' ? textOf(one) : one)) : value
}

function textOf(text: string): string {
  if (!text.includes('\u0000') && !text.includes('\u0001')) return text
  return text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\u0000', '\u0001\u0001')
}

function decoded(text: string): string {
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
    [TEXT]: decoded,
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
