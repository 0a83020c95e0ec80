import { readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { ContextError } from './core/errors.ts'
import { systemHome } from './objects/home.ts'
import { statOf } from './objects/stat.ts'

/** What the program was told, from flags, environment and file, as one plain object. Read once, at the door. */
export interface Config {
  /** Where the user's own files are; undefined for the home directory of the system's user, `false` where it has none. */
  readonly home?: string | false
  /** The configuration file, whether it exists or not. Absolute; undefined where there is no place for one. */
  readonly file: string | undefined
  /** Names in the file that mean nothing. */
  readonly unknown: readonly string[]
}

/** Names that the configuration file may hold. */
const KNOWN = ['home']

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
  const told = environment.AMBIT_HOME || homeIn(values, file)
  const home = told ?? (userHome === undefined ? false : undefined)
  return {
    ...(home !== undefined && { home }),
    file,
    unknown: Object.keys(values).filter((name) => !KNOWN.includes(name)),
  }
}

/** A relative folder would be seen from the current directory, and what lies there is not the user's. */
function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined
}

function fileIn(folder: string | undefined): string | undefined {
  return folder && join(folder, 'ambit', 'config.yaml')
}

function homeIn({ home }: Record<string, unknown>, file = ''): string | undefined {
  if (home === undefined || typeof home === 'string') return home
  throw unreadable(file, `"home" is ${JSON.stringify(home)}, and must be a path.`)
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
