/** Files of settings of other tools, read as data. */

import { join } from 'node:path'
import { ContextError } from '../../core/errors.ts'
import { openRoot, type RootOptions } from '../../files/disk.ts'
import { byCodeUnit } from '../../text/paths.ts'

/** Directories that may hold settings of a tool. Absolute. */
export interface SettingsPlaces {
  readonly root: string
  readonly home: string | undefined
  /** Start directory of the tool. Default: the root. */
  readonly cwd?: string | undefined
  /** The directory that holds the system's own, such as `etc`. Default: `/`. */
  readonly system?: string | undefined
}

/** Matches the command of Ambit's hook. */
export const HOOK_COMMAND = /\bambit(?:\.cmd)?(?:\\?["'])?\s+hook\b/

/** Bytes of the longest file of settings that is read. */
const MOST_BYTES = 256 * 1024

/** The settings in the project's files, then in the user's. `folder`: of the user's, seen from the home directory. Default: that itself. */
export async function toolSettings(
  { root, home }: Pick<SettingsPlaces, 'root' | 'home'>,
  names: readonly string[],
  folder = '',
): Promise<readonly unknown[]> {
  return [...(await settingsFiles(root, names)), ...(await settingsFiles(home && join(home, folder), names))]
}

/** The settings in those of the files that are there: undefined for one that cannot be parsed. */
export async function settingsFiles(
  directory: string | undefined,
  names: readonly string[],
): Promise<readonly unknown[]> {
  const files = names.flatMap((name) => {
    const text = settingsText(directory, name)
    return text === undefined ? [] : [parseFile(name, text)]
  })
  return Promise.all(files)
}

/** One file of settings; undefined where it cannot be read. */
export function settingsText(
  directory: string | undefined,
  name: string,
  { maxBytes = MOST_BYTES, ...options }: RootOptions & { readonly maxBytes?: number } = {},
): string | undefined {
  const read =
    directory === undefined ? undefined : ifPossible(() => openRoot(directory, options).read(name, { maxBytes }))
  return read?.ok ? new TextDecoder().decode(read.bytes) : undefined
}

/** The visible `.json` files of a directory, by name. */
export function settingsNames(directory: string, options: RootOptions): readonly string[] {
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

/** Only for what is not JSON a parser is loaded, and not for the TOML of Codex that says nothing of instruction files. */
async function parseFile(name: string, text: string): Promise<unknown> {
  const [, type] = /\.(ya?ml|toml)$/.exec(name) ?? []
  if (type === undefined) return parseSettings(text)
  if (type === 'toml' && !/project_(?:doc|root)_/.test(text)) return undefined
  const [toml, yaml] = type === 'toml' ? [await import('smol-toml')] : [undefined, await import('yaml')]
  try {
    // The check for keys that are there twice compares each with each.
    return toml ? toml.parse(text) : yaml?.parse(text, { uniqueKeys: false })
  } catch {
    return undefined
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

/** The value under a key of an object, or under nested keys. */
export function settingAt(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce((at, key) => Object.entries(Object(at)).find(([name]) => name === key)?.[1], value)
}

/** A string there, or a list of them. */
export function stringsAt(value: unknown, ...keys: readonly string[]): readonly string[] {
  const found = settingAt(value, ...keys)
  const values: readonly unknown[] = Array.isArray(found) ? found : [found]
  return values.filter((one) => typeof one === 'string').filter((one) => one !== '')
}

/** Whether a path that settings name stays below the directory that it is seen from. */
export function isInTree(path: string): boolean {
  return path !== '' && !/^[/~]|^[a-z]+:|(^|\/)\.\.(\/|$)/i.test(path)
}
