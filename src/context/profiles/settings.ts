/**
 * What tools are told in their own settings about the instruction files that they load. Data: nothing in it makes Ambit read or run
 * anything but what it would otherwise; it tells what the tool has read already.
 */

import { ContextError } from '../../core/errors.ts'
import { openRoot } from '../../files/disk.ts'
import { globs } from '../../text/globs.ts'
import type { Profile } from './profile.ts'

/** Where a tool's settings may lie. Absolute. */
export interface SettingsPlaces {
  readonly root: string
  readonly home: string | undefined
}

/** A tool as it is set up. */
export interface ToolSetUp {
  readonly profile: Profile
  /** Patterns, seen from the root, of files that the tool leaves out. */
  readonly exclude: readonly string[]
  /** Absolute; absent where the project's root is the tool's, too. */
  readonly root?: string
}

/** Bytes of the longest file of settings that is read. */
const MOST_BYTES = 256 * 1024

/** The tool of a profile with its settings; what cannot be read says nothing. */
export function withSettings(profile: Profile, places: SettingsPlaces): ToolSetUp {
  const adapted = SETTINGS[profile.name]?.(profile, places) ?? profile
  return { profile: adapted, exclude: profile.name === 'claude' ? excludesIn(places) : [] }
}

const SETTINGS: Readonly<Record<string, (profile: Profile, places: SettingsPlaces) => Profile>> = {
  gemini: (profile, places) => withFileNames(profile, places, '.gemini/settings.json'),
  qwen: (profile, places) => withFileNames(profile, places, '.qwen/settings.json'),
  codex: withFallbacks,
  vscode: withWorkspaceSettings,
  opencode: withInstructions,
  crush: withContextPaths,
  goose: withHintNames,
  kodelet: withPatternNames,
  aider: withReadFiles,
}

/** `context.fileName`: a name or several, of which all are read; the project's setting wins. */
function withFileNames(profile: Profile, places: SettingsPlaces, file: string): Profile {
  const told = settingsFiles(places, [file]).map((text) => stringsOf(field(field(jsonIn(text), 'context'), 'fileName')))
  return withNames(
    profile,
    told.find(({ length }) => length > 0)?.map((name) => [name]),
  )
}

/** The names everywhere, the home directory's folders included; undefined changes nothing. */
function withNames(profile: Profile, names: Profile['names'] | undefined): Profile {
  return names ? { ...profile, names, home: profile.home.map((home) => ({ ...home, names })) } : profile
}

/** `project_doc_fallback_filenames` and `project_doc_max_bytes`, above the first table. */
function withFallbacks(profile: Profile, places: SettingsPlaces): Profile {
  const [text = ''] = settingsFiles(places, ['.codex/config.toml']).map((toml) => toml.split(/^\s*\[/m)[0] ?? '')
  const fallbacks = tomlStrings(text, 'project_doc_fallback_filenames')
  const most = /^\s*project_doc_max_bytes\s*=\s*([\d_]+)/m.exec(text)?.[1]?.replaceAll('_', '')
  return {
    ...profile,
    names: profile.names.map((group) => [...group, ...fallbacks]),
    ...(most !== undefined && { cap: Number(most) }),
  }
}

function tomlStrings(text: string, key: string): readonly string[] {
  const list = new RegExp(`^\\s*${key}\\s*=\\s*\\[([^\\]]*)\\]`, 'm').exec(text)?.[1] ?? ''
  return [...list.matchAll(/"([^"\\\n]+)"|'([^'\n]+)'/g)].map(([, double, single]) => double ?? single ?? '')
}

/** The root that a tool takes by its own markers: the nearest directory at or above the working directory that has one. */
export function markersFor({ name }: Profile, home: string | undefined): readonly string[] | undefined {
  if (name !== 'codex' || home === undefined) return undefined
  const [text] = settingsFiles({ root: home, home: undefined }, ['.codex/config.toml'])
  const top = text?.split(/^\s*\[/m)[0] ?? ''
  return /^\s*project_root_markers\s*=/m.test(top) ? tomlStrings(top, 'project_root_markers') : undefined
}

/** Which conventions count, and `chat.instructionsFilesLocations`; with nested AGENTS.md those of touched files. */
function withWorkspaceSettings(profile: Profile, places: SettingsPlaces): Profile {
  const settings = settingsFiles({ ...places, home: places.home && `${places.home}/.config/Code/User` }, [
    '.vscode/settings.json',
    'settings.json',
  ]).map(jsonIn)
  const told = (key: string) => settings.map((one) => field(one, key)).find((value) => value !== undefined)
  const off = [
    ...(told('chat.useAgentsMdFile') === false ? ['AGENTS.md'] : []),
    ...(told('github.copilot.chat.codeGeneration.useInstructionFiles') === false
      ? ['.github/copilot-instructions.md']
      : []),
  ]
  const names = profile.names.map((group) => group.filter((name) => !off.includes(name)))
  const claude =
    told('chat.useClaudeMdFile') === true ? [['CLAUDE.md'], ['.claude/CLAUDE.md'], ['CLAUDE.local.md']] : []
  const [rule, ...rules] = profile.rules ?? []
  const locations = Object.entries(Object(told('chat.instructionsFilesLocations')))
  const folders = locations.filter(([, is]) => is === true).map(([folder]) => folder)
  const excluded = locations.filter(([, is]) => is === false).map(([folder]) => folder)
  const more = rule ? folders.filter(isInTree).map((folder) => ({ ...rule, folder })) : []
  const all = [...(rule ? [rule] : []), ...rules, ...more].filter(({ folder }) => !excluded.includes(folder))
  return {
    ...profile,
    names: [...names.filter(({ length }) => length > 0), ...claude],
    rules: [...new Map(all.map((one) => [one.folder, one])).values()],
    ...(told('chat.useNestedAgentsMdFiles') === true && { reach: 'touched' as const }),
  }
}

/** `instructions` of opencode.json: files, and `FOLDER/*.md`. Addresses on the internet, and wider patterns, are not looked at. */
function withInstructions(profile: Profile, places: SettingsPlaces): Profile {
  const files = settingsFiles({ ...places, home: places.home && `${places.home}/.config/opencode` }, [
    'opencode.json',
    'opencode.jsonc',
  ])
  return withFilesAndFolders(
    profile,
    files.flatMap((text) => stringsOf(field(jsonIn(text), 'instructions'))),
  )
}

/** `options.context_paths` of crush.json: files, and folders with a slash behind them. */
function withContextPaths(profile: Profile, places: SettingsPlaces): Profile {
  const files = settingsFiles({ ...places, home: places.home && `${places.home}/.config/crush` }, [
    '.crush.json',
    'crush.json',
  ])
  const told = files.flatMap((text) => stringsOf(field(field(jsonIn(text), 'options'), 'context_paths')))
  return withFilesAndFolders(
    profile,
    told.map((path) => (path.endsWith('/') ? `${path}*.md` : path)),
  )
}

/** Files of the root, and folders of which all files of one ending are read. */
function withFilesAndFolders(profile: Profile, paths: readonly string[]): Profile {
  const own = paths.map((path) => path.replace(/^\.\//, '')).filter(isInTree)
  const rules = own.flatMap((path) => {
    const [, folder = '', suffix = ''] = /^([^*?{[]+)\/(?:\*\*\/)?\*(\.[\w.]+)$/.exec(path) ?? []
    if (folder !== '') return [{ ...EVERY_FILE, folder, suffix }]
    return /[*?{[]/.test(path) ? [] : [{ ...EVERY_FILE, folder: path, suffix: '' }]
  })
  return rules.length > 0 ? { ...profile, rules: [...(profile.rules ?? []), ...rules] } : profile
}

const EVERY_FILE = { at: 'root', keys: [], bare: 'here', unscoped: 'always' } as const

function isInTree(path: string): boolean {
  return path !== '' && !/^[/~]|^[a-z]+:|(^|\/)\.\.(\/|$)/i.test(path)
}

/** `CONTEXT_FILE_NAMES` of its configuration: a JSON list in a string, or a list. */
function withHintNames(profile: Profile, { home }: SettingsPlaces): Profile {
  const files =
    home === undefined ? [] : settingsFiles({ root: `${home}/.config/goose`, home: undefined }, ['config.yaml'])
  const [names = []] = files.map((text) => yamlList(text, 'CONTEXT_FILE_NAMES'))
  return withNames(profile, names.length > 0 ? names.map((name) => [name]) : undefined)
}

/** `context.patterns`: the first that exists in a directory is taken. */
function withPatternNames(profile: Profile, places: SettingsPlaces): Profile {
  const files = settingsFiles({ ...places, home: places.home && `${places.home}/.kodelet` }, [
    'kodelet-config.yaml',
    'config.yaml',
  ])
  const told = files.map((text) => yamlList(text.replace(/^[\s\S]*?^context:\s*$/m, ''), 'patterns'))
  const names = told.find(({ length }) => length > 0)
  return withNames(profile, names && [names])
}

/** `read` of `.aider.conf.yml`: a file or several. */
function withReadFiles(profile: Profile, places: SettingsPlaces): Profile {
  const [paths = []] = settingsFiles(places, ['.aider.conf.yml']).map((text) => yamlList(text, 'read'))
  return withFilesAndFolders(profile, paths)
}

/** A key of YAML as people write it: a word, a list in brackets, or one line for each item. */
function yamlList(text: string, key: string): readonly string[] {
  const found = new RegExp(`^[ \\t]*${key}:[ \\t]*(.*)((?:\\r?\\n[ \\t]*-[ \\t]+.*)*)`, 'm').exec(text)
  const [, line = '', items = ''] = found ?? []
  const told = line.replace(/(^|\s)#.*$/, '').trim()
  if (told === '') return items.split(/\r?\n/).flatMap((item) => trimQuotes(item.replace(/^[ \t]*-[ \t]+/, '')))
  const list = /^['"]?\[(.*)\]['"]?$/.exec(told)?.[1]
  return list === undefined ? trimQuotes(told) : list.split(',').flatMap((item) => trimQuotes(item))
}

function trimQuotes(word: string): readonly string[] {
  const bare = word
    .replace(/(^|\s)#.*$/, '')
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
  return bare === '' ? [] : [bare]
}

/** `claudeMdExcludes`: patterns of absolute paths; of all files together. */
function excludesIn(places: SettingsPlaces): readonly string[] {
  const files = settingsFiles(places, ['.claude/settings.local.json', '.claude/settings.json'])
  const patterns = files.flatMap((text) => stringsOf(field(jsonIn(text), 'claudeMdExcludes')))
  return patterns
    .filter((pattern) => globs([pattern]).refused.length === 0)
    .flatMap((pattern) => {
      if (pattern.startsWith(`${places.root}/`)) return [pattern.slice(places.root.length + 1)]
      return pattern.startsWith('**/') ? [pattern] : []
    })
}

/** The texts of the project's files, then of the user's. */
function settingsFiles({ root, home }: SettingsPlaces, names: readonly string[]): readonly string[] {
  return [root, ...(home === undefined ? [] : [home])].flatMap((at) => names.flatMap((name) => textAt(at, name) ?? []))
}

function textAt(directory: string, name: string): string | undefined {
  try {
    const read = openRoot(directory).read(name, { maxBytes: MOST_BYTES })
    return read.ok ? new TextDecoder().decode(read.bytes) : undefined
  } catch (error) {
    if (error instanceof ContextError) return undefined
    throw error
  }
}

/** Strings, and comments, of which these tools allow some. */
const STRING_OR_COMMENT = /"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.replace(STRING_OR_COMMENT, (found) => (found.startsWith('"') ? found : ' ')))
  } catch {
    return undefined
  }
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}

function stringsOf(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((one) => typeof one === 'string').filter((one) => one !== '')
}
