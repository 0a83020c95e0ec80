import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { ContextError } from './core/errors.ts'
import { systemHome } from './objects/home.ts'
import { statOf } from './objects/stat.ts'

/** What the program was told, from flags, environment and file, as one plain object. Read once, at the door. */
export interface Config {
  /** Where the user's own files are; undefined for the home directory of the system's user, `false` where it has none. */
  readonly home?: string | false
  /** Path of the database. Absolute; undefined where there is no place for one. */
  readonly db?: string
  /** The configuration file, whether it exists or not. Absolute; undefined where there is no place for one. */
  readonly file: string | undefined
  /** Names in the file that mean nothing. */
  readonly unknown: readonly string[]
}

/** Names that the configuration file may hold. */
const KNOWN = ['home', 'db', 'token']

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads environment and file; the environment wins.
 *
 * @throws ContextError `invalid-input` when the file is not what it should be.
 */
export async function readConfig(environment: Environment = process.env): Promise<Config> {
  const userHome = absolute(environment.HOME) ?? systemHome()
  const file = fileIn(absolute(environment.XDG_CONFIG_HOME) ?? (userHome && join(userHome, '.config')))
  const values = file !== undefined && statOf(file) ? await valuesIn(file) : {}
  const told = environment.AMBIT_HOME || pathIn(values, 'home', file)
  const home = told ?? (userHome === undefined ? false : undefined)
  const data = absolute(environment.XDG_DATA_HOME) ?? (userHome && join(userHome, '.local', 'share'))
  const db = databaseAt(environment.AMBIT_DB || pathIn(values, 'db', file), data)
  return {
    ...(home !== undefined && { home }),
    ...(db !== undefined && { db }),
    file,
    unknown: Object.keys(values).filter((name) => !KNOWN.includes(name)),
  }
}

/**
 * The token that the user chose for the server: `AMBIT_TOKEN`, or `token` in the file, which then only its owner may read.
 *
 * @throws ContextError `invalid-input` for what cannot be sent in a header; `denied` when others may read the file.
 */
export async function readToken(environment: Environment = process.env): Promise<string | undefined> {
  const { file = '' } = await readConfig(environment)
  const { token: written } = statOf(file) ? await valuesIn(file) : {}
  const token = environment.AMBIT_TOKEN || written
  if (token === undefined) return undefined
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    const hint = 'Use letters, digits and signs of ASCII, without spaces.'
    throw new ContextError('invalid-input', 'The token cannot be sent in a header.', { hint })
  }
  if (!environment.AMBIT_TOKEN && ((statOf(file)?.mode ?? 0) & 0o077) !== 0) {
    const hint = `Run "chmod 600 ${file}".`
    throw new ContextError('denied', `The configuration file ${file} holds a token, and others may read it.`, { hint })
  }
  return token
}

/** A relative folder would be seen from the current directory, and what lies there is not the user's. */
function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined
}

function fileIn(folder: string | undefined): string | undefined {
  return folder && join(folder, 'ambit', 'config.yaml')
}

function pathIn(values: Record<string, unknown>, name: string, file = ''): string | undefined {
  const value = values[name]
  if (value === undefined || typeof value === 'string') return value
  throw unreadable(file, `"${name}" is ${JSON.stringify(value)}, and must be a path.`)
}

/** `~` is written in files, where no shell replaces it. */
function databaseAt(told: string | undefined, data: string | undefined): string | undefined {
  if (told === ':memory:') return told
  if (told) return resolve(told.replace(/^~(?=\/|$)/, homedir()))
  return data && join(data, 'ambit', 'ambit.db')
}

async function valuesIn(file: string): Promise<Record<string, unknown>> {
  const { parse } = await import('yaml')
  try {
    const values: unknown = parse(readFileSync(file, 'utf8')) ?? {}
    if (typeof values === 'object' && !Array.isArray(values)) return { ...values }
  } catch (cause) {
    throw unreadable(file, cause instanceof Error ? firstLine(cause.message) : String(cause), cause)
  }
  throw unreadable(file, 'It is no list of names and values.')
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/[:.]?$/, '.')
}

function unreadable(file: string, problem: string, cause?: unknown): ContextError {
  const hint = 'Write one "name: value" a line, such as "home: /path/to/home".'
  return new ContextError('invalid-input', `The configuration file ${file} cannot be used: ${problem}`, { hint, cause })
}

/** Whether stack traces are wanted: `AMBIT_DEBUG=1`. */
export function isDebugging(environment: Environment = process.env): boolean {
  return environment.AMBIT_DEBUG === '1'
}

/** Whether colour is refused: `NO_COLOR`, or a terminal that has none. */
export function isPlain(environment: Environment = process.env): boolean {
  return Boolean(environment.NO_COLOR) || environment.TERM === 'dumb'
}
