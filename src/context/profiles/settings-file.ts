/** Files of settings of other tools, read as data. */

import { ContextError } from '../../core/errors.ts'
import { openRoot, type RootOptions } from '../../files/disk.ts'
import { byCodeUnit } from '../../text/paths.ts'

/** Where a tool's settings may lie. Absolute. */
export interface SettingsPlaces {
  readonly root: string
  readonly home: string | undefined
  /** Where the tool was started. Default: the root. */
  readonly cwd?: string | undefined
  /** The directory that holds the system's own, such as `etc`. Default: `/`. */
  readonly system?: string | undefined
}

/** Bytes of the longest file of settings that is read. */
const MOST_BYTES = 256 * 1024

/** The texts of the project's files, then of the user's. */
export function settingsFiles({ root, home }: SettingsPlaces, names: readonly string[]): readonly string[] {
  return [root, ...(home === undefined ? [] : [home])].flatMap((at) =>
    names.flatMap((name) => settingsText(at, name) ?? []),
  )
}

/** One file of settings; undefined where it cannot be read. */
export function settingsText(
  directory: string,
  name: string,
  { maxBytes = MOST_BYTES, ...options }: RootOptions & { readonly maxBytes?: number } = {},
): string | undefined {
  const read = ifPossible(() => openRoot(directory, options).read(name, { maxBytes }))
  return read?.ok ? new TextDecoder().decode(read.bytes) : undefined
}

/** The visible `.json` files of a directory, by name. */
export function settingsNames(directory: string, options: RootOptions = {}): readonly string[] {
  const listed = ifPossible(() => openRoot(directory, options).list('.'))
  const names = listed?.ok ? listed.entries.map(({ name }) => name) : []
  return names.filter((name) => /^[^.].*\.json$/.test(name)).sort(byCodeUnit)
}

function ifPossible<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof ContextError) return undefined
    throw error
  }
}

/** Strings, and comments, of which these tools allow some. */
const STRING_OR_COMMENT = /"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

/** Parses JSON with comments; undefined for anything else. */
export function parseSettings(text: string): unknown {
  try {
    return JSON.parse(text.replace(STRING_OR_COMMENT, (found) => (found.startsWith('"') ? found : ' ')))
  } catch {
    return undefined
  }
}

/** What an object holds under a name. */
export function settingsField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}

/** Whether a path that settings name stays below the directory that it is seen from. */
export function isInTree(path: string): boolean {
  return path !== '' && !/^[/~]|^[a-z]+:|(^|\/)\.\.(\/|$)/i.test(path)
}

/** How a file of the root counts that settings name, and those of a folder. */
export const EVERY_FILE = { at: 'root', keys: [], bare: 'here', unscoped: 'always' } as const

/** A string, or a list of them. */
export function settingsStrings(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((one) => typeof one === 'string').filter((one) => one !== '')
}
