/** Parts of the configuration file, and what is said of those that are not as they should be. */

import { ContextError } from '../../core/errors.ts'

/** What stands in the file. */
export interface Written {
  readonly values: Readonly<Record<string, unknown>>
  readonly file: string | undefined
}

/** A part of the file that has names of its own. */
export interface ConfigSection {
  readonly name: string
  /** What it may hold. A key is not a part of it: files are copied and shared. */
  readonly fields: Readonly<Record<string, 'string' | 'number' | 'boolean'>>
}

/** @throws ContextError `invalid-input` for what is not text. It is not shown: it may be a key of digits. */
export function readTextSetting(values: Written['values'], name: string, file = ''): string | undefined {
  const value = values[name]
  if (value === undefined || typeof value === 'string') return value
  throw unreadableConfig(file, `"${name}" must be a text.`)
}

/** @throws ContextError `invalid-input` for names and kinds that the part does not have. */
export function writtenOf<Value>({ name: kind, fields }: ConfigSection, value: unknown, file: string): Partial<Value> {
  if (value === undefined) return {}
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [[kind, value] as const]
  for (const [name, one] of entries) {
    const wanted = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (typeof one === wanted && (wanted !== 'number' || Number.isInteger(one))) continue
    const allowed = Object.keys(fields).join(', ')
    throw unreadableConfig(file, `"${name}" of "${kind}" is not valid: it takes ${allowed}.`)
  }
  return Object.fromEntries(entries) as Partial<Value>
}

export function unreadableConfig(file: string, problem: string, cause?: unknown): ContextError {
  const hint = 'Write one "name: value" a line, such as "home: /path/to/home".'
  return new ContextError('invalid-input', `The configuration file ${file} cannot be used: ${problem}`, { hint, cause })
}
