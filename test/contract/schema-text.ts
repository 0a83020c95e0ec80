/** JSON Schema as lines that a person reads in a diff. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../source-files.ts'

type Value = Readonly<Record<string, unknown>>

/** `  limit: {"type":"integer",…}`, a line for each property; what must be given has an exclamation mark. */
export function propertyLines({ properties = {}, required = [], ...rest }: Value): string[] {
  const names: readonly unknown[] = Array.isArray(required) ? required : []
  const lines = Object.entries(Object(properties)).map(
    ([name, schema]) => `  ${name}${names.includes(name) ? '!' : ''}: ${JSON.stringify(schema)}`,
  )
  return [`  ${JSON.stringify(rest)}`, ...lines]
}

/** The schema that docs/schemas/ has of an operation's answer, as it is sent: without its head. */
export function committedSchema(operation: string): Value {
  const text = readFileSync(join(ROOT, `docs/schemas/${operation}.schema.json`), 'utf8')
  const { $schema: _, $id: __, title: ___, description: ____, ...schema } = JSON.parse(text)
  return schema
}

/** Tells whether any byte of a text is another one: sha256, in hexadecimal. */
export function sha256(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
