/** Readers of the environment and the configuration file, and their errors. */

import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { ContextError, invalidInput } from '../../core/errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>
export type Values = Readonly<Record<string, unknown>>

/** Values of the environment and of the file, by their names. */
export interface ConfigSources {
  readonly environment: Environment
  readonly values: Values
  /** The configuration file. */
  readonly file: string | undefined
  /** Whether users other than its owner may read the file. */
  readonly isExposed: boolean
}

/** A section of the file with fields. */
export interface ConfigSection {
  readonly name: string
  /** The types of its fields. No field holds an API key, because people copy and share these files. */
  readonly fields: Readonly<Record<string, 'string' | 'number' | 'boolean'>>
}

export const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** A text of the file. @throws ContextError `invalid-input` for another type; hides the value, which may be a key. */
export function readTextSetting({ values, file = '' }: ConfigSources, name: string): string | undefined {
  const value = values[name]
  if (value === undefined || typeof value === 'string') return value
  throw invalidConfig(file, `"${name}" must be a text.`)
}

/** The text of the environment variable. If it is not set, the text in the file. */
export function readSetting(sources: ConfigSources, variable: string, name: string): string | undefined {
  return sources.environment[variable] || readTextSetting(sources, name)
}

/** The fields of a section; `{}` without it. @throws ContextError `invalid-input` for an unknown field or bad type. */
export function readSection<Value>(section: ConfigSection, value: unknown, file: string): Partial<Value> {
  if (value === undefined) return {}
  const { name: kind, fields } = section
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [[kind, value] as const]
  for (const [name, fieldValue] of entries) {
    const type = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (typeof fieldValue === type && (type !== 'number' || Number.isInteger(fieldValue))) continue
    throw invalidConfig(file, `"${name}" of "${kind}" is not valid: the fields are ${Object.keys(fields).join(', ')}.`)
  }
  return Object.fromEntries(entries) as Partial<Value>
}

const EXAMPLE = 'Write one "name: value" a line, such as "home: /path/to/home".'

export function invalidConfig(file: string, problem: string, hint = EXAMPLE, cause?: unknown): ContextError {
  return new ContextError('invalid-input', `The configuration file ${file} cannot be used: ${problem}`, { hint, cause })
}

/** The error for a secret in a file that others may read. `secret`: such as `a token`. `otherRemedy`: the end of the hint, such as `, or set VARIABLE`. */
export function exposedFileError(file = '', secret: string, otherRemedy = ''): ContextError {
  const hint = `Run "chmod 600 ${file}"${otherRemedy}.`
  return new ContextError('denied', `The configuration file ${file} holds ${secret}, and others may read it.`, { hint })
}

/** Makes the error for a setting. `problem`: the end of a sentence that begins with the name of the setting. */
type ErrorFactory = (problem: string, hint: string) => ContextError

export function errorFactoryFor(setting: string): ErrorFactory {
  return (problem, hint) => invalidInput(`The ${setting} ${problem}.`, hint)
}

/** Whether a header can contain a text. */
export function fitsInHeader(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

export const HEADER_HINT = 'Use letters, digits and signs of ASCII, without spaces.'

/** A variable that is `1`, `true`, `0` or `false`; undefined without a value. */
export function readSwitchVariable(environment: Environment, name: string): boolean | undefined {
  const value = environment[name]
  if (!value) return undefined
  if (/^(1|true|0|false)$/.test(value)) return value === '1' || value === 'true'
  throw invalidInput(`${name} is ${JSON.stringify(value)}.`, 'Set it to 1 or to 0.')
}

/** An absolute path. `~` becomes the home directory, because no shell replaces it in a value of a file. */
export function resolveHome(path: string): string {
  return resolve(path.replace(/^~(?=\/|$)/, homedir()))
}

/**
 * @throws ContextError unless the URL is an HTTP URL without a password. The error hides the text before an `@`, which may be a
 * password.
 */
export function assertServiceUrl(url: string | undefined, refuse: ErrorFactory, hint: string): void {
  if (url === undefined) return
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw refuse(`has ${JSON.stringify(url.replace(/^.*@/s, '…@'))} as its URL`, hint)
  }
  const { username, password } = new URL(url)
  if (username + password !== '') throw refuse('has a URL with a password in it', 'Set its key instead.')
}

/** The first key that is set. @throws ContextError for a key that a header cannot contain. */
export function firstKey(keys: readonly (string | undefined)[], refuse: ErrorFactory): string | undefined {
  const key = keys.find((one) => one)
  if (key === undefined || fitsInHeader(key)) return key
  throw refuse('has a key that cannot be sent in a header', HEADER_HINT)
}
