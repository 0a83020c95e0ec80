/** Reads the settings files of other tools, as data. */

import { join } from 'node:path'
import { ContextError, tryToRead } from '../../core/errors.ts'
import { openRoot, type RootOptions } from '../../files/disk.ts'
import { byCodeUnit } from '../../text/paths.ts'

/** Directories that may contain settings of a tool. Absolute. */
export interface SettingsPlaces {
  readonly root: string
  readonly home: string | undefined
  /** Start directory of the tool. Default: the root. */
  readonly cwd?: string | undefined
  /** The root of the system's files, such as `etc`. Default: `/`. */
  readonly system?: string | undefined
}

/** Matches a command line that runs Ambit's hook. */
export const HOOK_COMMAND = /\bambit(?:\.cmd)?(?:\\?["'])?\s+hook\b/

/** Maximum bytes of a file of settings. */
const MAX_BYTES = 256 * 1024

/** The settings in the project's files, then in the user's files. `folder`: directory of the user's files. Default: the home directory. */
export async function toolSettings({ root, home }: SettingsPlaces, names: readonly string[], folder = '') {
  return [...(await settingsFiles(root, names)), ...(await settingsFiles(home && join(home, folder), names))]
}

/** The settings in the existing files; undefined for a file that cannot be parsed. */
export async function settingsFiles(directory: string | undefined, names: readonly string[]) {
  const files = names.flatMap((name) => {
    const text = settingsText(directory, name)
    return text === undefined ? [] : [parseFile(name, text)]
  })
  return Promise.all(files)
}

/** The text of a file of settings; undefined if it cannot be read. */
export function settingsText(
  directory: string | undefined,
  name: string,
  { maxBytes = MAX_BYTES, ...options }: RootOptions & { readonly maxBytes?: number } = {},
): string | undefined {
  const read =
    directory === undefined ? undefined : unlessRefused(() => openRoot(directory, options).read(name, { maxBytes }))
  return read?.ok ? new TextDecoder().decode(read.bytes) : undefined
}

/** The visible `.json` files of a directory, by name. */
export function settingsNames(directory: string, options: RootOptions): readonly string[] {
  const listed = unlessRefused(() => openRoot(directory, options).list('.'))
  const names = listed?.ok ? listed.entries.map(({ name }) => name) : []
  return names.filter((name) => /^[^.].*\.json$/.test(name)).sort(byCodeUnit)
}

function unlessRefused<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof ContextError) return undefined
    throw error
  }
}

/** Parses settings. Loads a parser only for YAML, and for TOML that has settings of Codex about instruction files. */
async function parseFile(name: string, text: string): Promise<unknown> {
  const [, type] = /\.(ya?ml|toml)$/.exec(name) ?? []
  if (type === undefined) return parseSettings(text)
  if (type === 'toml' && !/project_(?:doc|root)_/.test(text)) return undefined
  const [toml, yaml] = type === 'toml' ? [await import('smol-toml')] : [undefined, await import('yaml')]
  // The check for duplicate keys takes quadratic time.
  return tryToRead(() => (toml ? toml.parse(text) : yaml?.parse(text, { uniqueKeys: false })))
}

/** Matches strings and comments, which some tools allow. */
const STRING_OR_COMMENT = /"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

/** Parses JSON with comments; undefined for anything else. */
export function parseSettings(text: string): unknown {
  return tryToRead(() => JSON.parse(text.replace(STRING_OR_COMMENT, (found) => (found.startsWith('"') ? found : ' '))))
}

/** The value under a key of an object, or under nested keys. */
export function settingAt(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce((at, key) => Object.entries(Object(at)).find(([name]) => name === key)?.[1], value)
}

/** The string, or the strings of a list, under these keys. */
export function stringsAt(value: unknown, ...keys: readonly string[]): readonly string[] {
  const setting = settingAt(value, ...keys)
  const values: readonly unknown[] = Array.isArray(setting) ? setting : [setting]
  return values.filter((one) => typeof one === 'string').filter((one) => one !== '')
}

/** Whether a path in settings stays below its directory. */
export function isInTree(path: string): boolean {
  return path !== '' && !/^[/~]|^[a-z]+:|(^|\/)\.\.(\/|$)/i.test(path)
}
