/**
 * What the settings of tools say about the instruction files that they load. Data: nothing in it makes Ambit read or run
 * anything but what it would otherwise; it tells what the tool has read already.
 */

import { claudeExcludes, withClaudeSettings } from './claude-settings.ts'
import { boundaryMarkers, withFileNames, withGeminiSettings, withNames } from './gemini-settings.ts'
import type { Profile } from './profile.ts'
import {
  EVERY_FILE,
  isInTree,
  parseSettings,
  type SettingsPlaces,
  settingsField,
  settingsFiles,
  settingsStrings,
  settingsText,
} from './settings-file.ts'

/** A tool as it is set up. */
export interface ToolSetUp {
  readonly profile: Profile
  /** Patterns of absolute paths of files that the tool leaves out. */
  readonly excludePaths: readonly string[]
  /** Absolute; absent where the project's root is the tool's, too. */
  readonly root?: string
}

/** The tool of a profile with its settings; what cannot be read says nothing. */
export async function withSettings(profile: Profile, places: SettingsPlaces): Promise<ToolSetUp> {
  const adapted = (await SETTINGS[profile.name]?.(profile, places)) ?? profile
  return { profile: adapted, excludePaths: profile.name === 'claude' ? claudeExcludes(places) : [] }
}

/** Those that are not JSON load their parser, which the other hooks do without. */
const SETTINGS: Readonly<Record<string, (profile: Profile, places: SettingsPlaces) => Profile | Promise<Profile>>> = {
  claude: withClaudeSettings,
  gemini: withGeminiSettings,
  qwen: (profile, places) => withFileNames(profile, places, '.qwen/settings.json'),
  codex: withFallbacks,
  vscode: withWorkspaceSettings,
  opencode: (profile, places) => withInstructions(profile, places, OPENCODE_FILES),
  kilo: (profile, places) => withInstructions(profile, places, KILO_FILES),
  crush: withContextPaths,
  goose: withHintNames,
  kodelet: withPatternNames,
  aider: withReadFiles,
}

/** `project_doc_fallback_filenames` and `project_doc_max_bytes`. */
async function withFallbacks(profile: Profile, places: SettingsPlaces): Promise<Profile> {
  const [settings] = await Promise.all(settingsFiles(places, [CODEX_FILE]).slice(0, 1).map(parseCodexSettings))
  const fallbacks = settingsStrings(settingsField(settings, 'project_doc_fallback_filenames'))
  const most = settingsField(settings, 'project_doc_max_bytes')
  return {
    ...profile,
    names: profile.names.map((group) => [...group, ...fallbacks]),
    ...(typeof most === 'number' && { cap: most }),
  }
}

const CODEX_FILE = '.codex/config.toml'

/** Undefined for what is not TOML. Most settings say nothing of instruction files: for those, no parser is loaded. */
async function parseCodexSettings(text: string): Promise<unknown> {
  if (!/project_(?:doc|root)_/.test(text)) return undefined
  const { parse } = await import('smol-toml')
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/**
 * The names by which a tool knows its root: the nearest directory at or above the working directory that holds one of them.
 * Undefined where its settings say nothing.
 */
export async function markersFor(
  { name }: Profile,
  cwd: string,
  home: string | undefined,
): Promise<readonly string[] | undefined> {
  if (name === 'gemini') return boundaryMarkers(cwd, home)
  const text = name === 'codex' && home !== undefined ? settingsText(home, CODEX_FILE) : undefined
  const markers = settingsField(await parseCodexSettings(text ?? ''), 'project_root_markers')
  return markers === undefined ? undefined : settingsStrings(markers)
}

/** Which conventions count, and `chat.instructionsFilesLocations`; with nested AGENTS.md those of touched files. */
function withWorkspaceSettings(profile: Profile, places: SettingsPlaces): Profile {
  const settings = settingsFiles({ ...places, home: places.home && `${places.home}/.config/Code/User` }, [
    '.vscode/settings.json',
    'settings.json',
  ]).map(parseSettings)
  const values = (key: string) => settings.map((one) => settingsField(one, key)).find((value) => value !== undefined)
  const off = [
    ...(values('chat.useAgentsMdFile') === false ? ['AGENTS.md'] : []),
    ...(values('github.copilot.chat.codeGeneration.useInstructionFiles') === false
      ? ['.github/copilot-instructions.md']
      : []),
  ]
  const names = profile.names.map((group) => group.filter((name) => !off.includes(name)))
  const claude =
    values('chat.useClaudeMdFile') === true ? [['CLAUDE.md'], ['.claude/CLAUDE.md'], ['CLAUDE.local.md']] : []
  const [rule, ...rules] = profile.rules ?? []
  const locations = Object.entries(Object(values('chat.instructionsFilesLocations')))
  const folders = locations.filter(([, is]) => is === true).map(([folder]) => folder)
  const excluded = locations.filter(([, is]) => is === false).map(([folder]) => folder)
  const more = rule ? folders.filter(isInTree).map((folder) => ({ ...rule, folder })) : []
  const all = [...(rule ? [rule] : []), ...rules, ...more].filter(({ folder }) => !excluded.includes(folder))
  return {
    ...profile,
    names: [...names.filter(({ length }) => length > 0), ...claude],
    rules: [...new Map(all.map((one) => [one.folder, one])).values()],
    ...(values('chat.useNestedAgentsMdFiles') === true && { reach: 'touched' as const }),
  }
}

/** The folder of the user's settings, and the names of files of settings there and in the project. */
interface InstructionSettings {
  readonly folder: string
  readonly names: readonly string[]
}

const OPENCODE_FILES: InstructionSettings = { folder: '.config/opencode', names: ['opencode.json', 'opencode.jsonc'] }

const KILO_NAMES = ['kilo.json', 'kilo.jsonc', ...OPENCODE_FILES.names]

const KILO_FILES: InstructionSettings = {
  folder: '.config/kilo',
  names: ['', '.kilo/', '.kilocode/'].flatMap((folder) => KILO_NAMES.map((name) => `${folder}${name}`)),
}

/** `instructions` of all settings: files, and `FOLDER/*.md`. Addresses on the internet, and wider patterns, are not looked at. */
function withInstructions(
  profile: Profile,
  { home, ...places }: SettingsPlaces,
  { folder, names }: InstructionSettings,
): Profile {
  const files = settingsFiles({ ...places, home: home && `${home}/${folder}` }, names)
  return withFilesAndFolders(
    profile,
    files.flatMap((text) => settingsStrings(settingsField(parseSettings(text), 'instructions'))),
  )
}

/** `options.context_paths` of crush.json: files, and folders with a slash behind them. */
function withContextPaths(profile: Profile, places: SettingsPlaces): Profile {
  const files = settingsFiles({ ...places, home: places.home && `${places.home}/.config/crush` }, [
    '.crush.json',
    'crush.json',
  ])
  const values = files.flatMap((text) =>
    settingsStrings(settingsField(settingsField(parseSettings(text), 'options'), 'context_paths')),
  )
  return withFilesAndFolders(
    profile,
    values.map((path) => (path.endsWith('/') ? `${path}*.md` : path)),
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

/** `CONTEXT_FILE_NAMES` of its configuration: a JSON list in a string, or a list. */
async function withHintNames(profile: Profile, { home }: SettingsPlaces): Promise<Profile> {
  const stringsAt = await loadYamlReader()
  const files =
    home === undefined ? [] : settingsFiles({ root: `${home}/.config/goose`, home: undefined }, ['config.yaml'])
  const [names = []] = files.map((text) =>
    stringsAt(text, 'CONTEXT_FILE_NAMES').flatMap((one) =>
      one.startsWith('[') ? settingsStrings(parseSettings(one)) : [one],
    ),
  )
  return withNames(profile, names.length > 0 ? names.map((name) => [name]) : undefined)
}

/** `context.patterns`: the first that exists in a directory is taken. */
async function withPatternNames(profile: Profile, places: SettingsPlaces): Promise<Profile> {
  const stringsAt = await loadYamlReader()
  const files = settingsFiles({ ...places, home: places.home && `${places.home}/.kodelet` }, [
    'kodelet-config.yaml',
    'config.yaml',
  ])
  const names = files.map((text) => stringsAt(text, 'context', 'patterns')).find(({ length }) => length > 0)
  return withNames(profile, names && [names])
}

/** `read` of `.aider.conf.yml`: a file or several. */
async function withReadFiles(profile: Profile, places: SettingsPlaces): Promise<Profile> {
  const stringsAt = await loadYamlReader()
  const [paths = []] = settingsFiles(places, ['.aider.conf.yml']).map((text) => stringsAt(text, 'read'))
  return withFilesAndFolders(profile, paths)
}

/** Reads the text or the texts under a key, or under keys within each other. */
async function loadYamlReader() {
  const { parse } = await import('yaml')
  return (yaml: string, ...keys: readonly string[]): readonly string[] => {
    try {
      // The check for keys that are there twice compares each with each.
      return settingsStrings(keys.reduce(settingsField, parse(yaml, { uniqueKeys: false })))
    } catch {
      return []
    }
  }
}
