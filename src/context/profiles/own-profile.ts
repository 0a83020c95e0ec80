import { basename, dirname, join, resolve } from 'node:path'
import { namesProfileFile } from '../../core/choices.ts'
import { ContextError, quoteValue } from '../../core/errors.ts'
import { openRoot } from '../../files/disk.ts'
import { statOf } from '../../files/file-version.ts'
import { directoriesAbove, projectRootOf } from '../../files/roots.ts'
import { looksSecret } from '../../text/secrets.ts'
import { homeOrDefault } from '../load/place.ts'
import { BASE_PROFILE, findProfile } from '../profiles.ts'
import type { Profile, RuleFolder } from './profile.ts'
import { rootMarkersFor, type ToolSetUp, withSettings } from './settings.ts'

export interface ProfilePlace {
  /** Absolute path of the working directory. */
  readonly cwd: string
  /** The user's home directory; `false` leaves it out. Default: the system's. */
  readonly home?: string | false | undefined
  /** The root of the system's files, such as `etc`. Default: `/`. */
  readonly system?: string | undefined
}

/**
 * Finds a profile. If `word` is the path of a file, the profile in the file; else the built-in profile of this name,
 * adapted to the settings of its tool.
 *
 * @throws ContextError `invalid-input` for a name or a file that is not a profile; `not-found`; `denied`.
 */
export async function profileFor(word: string, { cwd, home, system }: ProfilePlace): Promise<ToolSetUp> {
  if (namesProfileFile(word)) return { profile: await readProfile(resolve(word)), excludePaths: [] }
  const homePath = homeOrDefault(home)
  const profile = findProfile(word)
  const markers = await rootMarkersFor(profile, cwd, homePath)
  const holdsMarker = (at: string) => markers?.some((marker) => statOf(join(at, marker)))
  const root = markers && (directoriesAbove(cwd).find(holdsMarker) ?? cwd)
  const setUp = await withSettings(profile, { root: root ?? projectRootOf(cwd), home: homePath, cwd, system })
  return { ...setUp, ...(root !== undefined && { root }) }
}

/** Reads a profile from YAML or JSON. `like` names its base. Default: a profile that reads AGENTS.md. */
async function readProfile(path: string): Promise<Profile> {
  const raw = openRoot(dirname(path)).read(basename(path))
  if (!raw.ok) throw new ContextError(raw.why === 'missing' ? 'not-found' : 'invalid-input', `${path}: ${raw.detail}`)
  const { parseFrontMatter } = await import('../../text/metadata.ts')
  const { values, warnings } = parseFrontMatter(new TextDecoder().decode(raw.bytes))
  const [warning] = warnings
  if (warning !== undefined) throw invalidProfile(path, warning)
  const baseName = values.get('like')
  const base = typeof baseName === 'string' ? findProfile(baseName) : BASE_PROFILE
  const fields = Object.entries(Object.fromEntries(values)).filter(([key]) => key !== 'like')
  const name = basename(path).replace(/\.[^.]*$/, '')
  return { ...base, name, ...Object.fromEntries(fields.map(([key, value]) => [key, readField(path, key, value)])) }
}

/** Reads the value of each key. `home` is not a key: a file of a project must not open folders of a home directory. */
const FIELDS: Readonly<Record<string, (value: unknown) => unknown>> = {
  name: (value) => (typeof value === 'string' && /^[\w .-]{1,40}$/.test(value) ? value : undefined),
  names: (value) => readList(value, (group) => readList(group, readFileName)),
  fallback: (value) => readList(value, readFileName),
  reach: (value) => readWord(value, ['touched', 'ancestors', 'working-directory']),
  order: (value) => readWord(value, ['specific-first', 'general-first']),
  imports: readFlag,
  pointers: readFlag,
  importDepth: readNumber,
  cap: readNumber,
  rules: (value) => readList(value, readRuleFolder),
}

function readField(path: string, key: string, value: unknown): unknown {
  const read = Object.hasOwn(FIELDS, key) ? FIELDS[key]?.(value) : undefined
  if (read === undefined)
    throw invalidProfile(path, `${quoteValue(key)} is not one of its keys, or has an invalid value.`)
  return read
}

function invalidProfile(path: string, detail: string): ContextError {
  const hint = `Its keys: like, ${Object.keys(FIELDS).join(', ')}. See the guide on profiles.`
  return new ContextError('invalid-input', `${path} is not a profile: ${detail}`, { hint })
}

/** The items of a list, or a single item as a list; undefined if an item is invalid. */
function readList<Item>(value: unknown, read: (item: unknown) => Item | undefined): readonly Item[] | undefined {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const items = values.map(read)
  return items.every((item) => item !== undefined) ? items : undefined
}

/** A name below a directory that is not the name of a secret. */
function readFileName(value: unknown): string | undefined {
  const isPlain = typeof value === 'string' && /^[^/\\~][^\\]*$/.test(value) && !value.split('/').includes('..')
  return isPlain && !looksSecret(value) ? value : undefined
}

function readWord(value: unknown, words: readonly string[]): string | undefined {
  return words.find((word) => word === value)
}

function readFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function readNumber(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined
}

function readRuleFolder(value: unknown): RuleFolder | undefined {
  const { folder, suffix = '.md', at = 'root', unscoped = 'always', keys = [], bare = 'here', ...rest } = Object(value)
  const rule = {
    folder: readFileName(folder),
    suffix: typeof suffix === 'string' && /\.(md|mdc|txt)$/.test(suffix) ? suffix : undefined,
    at: readWord(at, ['root', 'every-directory']),
    unscoped: readWord(unscoped, ['always', 'never']),
    keys: readList(keys, (key) => (typeof key === 'string' ? key : undefined)),
    bare: readWord(bare, ['here', 'anywhere']),
  }
  const isValid = Object.keys(rest).length === 0 && Object.values(rule).every((field) => field !== undefined)
  return isValid ? (rule as RuleFolder) : undefined
}
