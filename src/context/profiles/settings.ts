/** Adapts profiles to the settings of their tools. Settings are data: they name files that the tool reads, and never start a program. */

import { resolve } from 'node:path'
import { projectRootOf } from '../../files/roots.ts'
import { ancestors, relativeTo } from '../../text/paths.ts'
import { claudeExcludes, withClaudeSettings } from './claude-settings.ts'
import type { HomeFolder, Profile, RuleFolder } from './profile.ts'
import {
  HOOK_COMMAND,
  isInTree,
  parseSettings,
  type SettingsPlaces,
  settingAt,
  settingsFiles,
  settingsText,
  stringsAt,
  toolSettings,
} from './settings-file.ts'

/** A tool on this machine: its profile after its settings were applied. */
export interface ToolSetUp {
  readonly profile: Profile
  /** Patterns of absolute paths that the tool excludes. */
  readonly excludePaths: readonly string[]
  /** Absolute path of the tool's root; absent if it is the project's root. */
  readonly root?: string
  /** Maximum bytes of an answer of Ambit's hook, if the tool's settings limit it. */
  readonly hookBytes?: number
}

/** Applies the settings of a tool to its profile. Unreadable settings are ignored. */
export async function withSettings(profile: Profile, places: SettingsPlaces): Promise<ToolSetUp> {
  const adapted = (await ADAPTERS[profile.name]?.(profile, places)) ?? profile
  const excludePaths = profile.name === 'claude' ? await claudeExcludes(places) : []
  const hookBytes = profile.name === 'codex' ? await codexHookBytes(places) : undefined
  return { profile: adapted, excludePaths, ...(hookBytes !== undefined && { hookBytes }) }
}

const ADAPTERS: Readonly<Record<string, (profile: Profile, places: SettingsPlaces) => Promise<Profile>>> = {
  claude: withClaudeSettings,
  gemini: withGeminiSettings,
  qwen: (profile, places) => withFileNames(profile, places, '.qwen/settings.json'),
  codex: withCodexSettings,
  vscode: withVscodeSettings,
  // Internet addresses, and patterns other than `FOLDER/*.md` and `FOLDER/**/*.md`, are ignored.
  opencode: (profile, places) => withInstructions(profile, toolSettings(places, OPENCODE_NAMES, '.config/opencode')),
  kilo: (profile, places) => {
    const names = ['', '.kilo/', '.kilocode/'].flatMap((folder) => KILO_NAMES.map((name) => `${folder}${name}`))
    return withInstructions(profile, toolSettings(places, names, '.config/kilo'))
  },
  // Folders end with a slash.
  crush: async (profile, places) => {
    const settings = await toolSettings(places, ['.crush.json', 'crush.json'], '.config/crush')
    const paths = settings.flatMap((one) => stringsAt(one, 'options', 'context_paths'))
    const patterns = paths.map((path) => (path.endsWith('/') ? `${path}*.md` : path))
    return withFilesAndFolders(profile, patterns)
  },
  // The setting is a list, or a string with a JSON list.
  goose: async (profile, { home }) => {
    const [settings] = await settingsFiles(home && `${home}/.config/goose`, ['config.yaml'])
    const names = stringsAt(settings, 'CONTEXT_FILE_NAMES').flatMap((one) =>
      one.startsWith('[') ? stringsAt(parseSettings(one)) : [one],
    )
    return withNames(profile, names.length > 0 ? names.map((name) => [name]) : undefined)
  },
  // The first existing name in a directory counts.
  kodelet: async (profile, places) => {
    const settings = await toolSettings(places, ['kodelet-config.yaml', 'config.yaml'], '.kodelet')
    const names = settings.map((one) => stringsAt(one, 'context', 'patterns')).find(({ length }) => length > 0)
    return withNames(profile, names && [names])
  },
  aider: async (profile, places) => {
    const [settings] = await toolSettings(places, ['.aider.conf.yml'])
    return withFilesAndFolders(profile, stringsAt(settings, 'read'))
  },
}

const OPENCODE_NAMES = ['opencode.json', 'opencode.jsonc']
const KILO_NAMES = ['kilo.json', 'kilo.jsonc', ...OPENCODE_NAMES]

async function withInstructions(profile: Profile, settings: Promise<readonly unknown[]>): Promise<Profile> {
  const paths = (await settings).flatMap((one) => stringsAt(one, 'instructions'))
  return withFilesAndFolders(profile, paths)
}

const CODEX_CONFIG = '.codex/config.toml'

/** Maximum bytes of an answer of Ambit's hook in Codex, regardless of settings. */
const MAX_HOOK_BYTES = 32_000

/** Codex estimates tokens, so a text of exactly the limit may be too long. */
const MARGIN_BYTES = 100

/** Applies settings of Codex: `project_doc_fallback_filenames` adds names, and `project_doc_max_bytes` limits the files. */
async function withCodexSettings(profile: Profile, places: SettingsPlaces): Promise<Profile> {
  const [settings] = await toolSettings(places, [CODEX_CONFIG])
  const fallbacks = stringsAt(settings, 'project_doc_fallback_filenames')
  const maxBytes = settingAt(settings, 'project_doc_max_bytes')
  return {
    ...profile,
    names: profile.names.map((group) => [...group, ...fallbacks]),
    ...(typeof maxBytes === 'number' && { cap: maxBytes }),
  }
}

/**
 * The lowest `additionalContextLimit` of the entries of Ambit's hook, in bytes: four for each token. Undefined if an entry has no positive limit, or
 * without entries.
 */
async function codexHookBytes(places: SettingsPlaces): Promise<number | undefined> {
  const settings = await toolSettings(places, ['.codex/hooks.json'])
  const groups = settings.flatMap((one) => Object.values(Object(settingAt(one, 'hooks'))).flat())
  const entries = groups.flatMap((group) => settingAt(group, 'hooks') ?? [])
  const hookEntries = entries.filter((entry) => HOOK_COMMAND.test(stringsAt(entry, 'command').join()))
  const limits = hookEntries.map((entry) => settingAt(entry, 'additionalContextLimit'))
  const tokens = limits.filter((limit): limit is number => typeof limit === 'number' && limit > 0)
  if (tokens.length === 0 || tokens.length < limits.length) return undefined
  return Math.min(MAX_HOOK_BYTES, ...tokens.map((limit) => Math.floor(limit) * 4)) - MARGIN_BYTES
}

/**
 * The names of files that mark a directory as the tool's root. The root is the first directory with such a file, from the working directory upwards.
 * Undefined without such a setting. An empty list of Gemini CLI makes the working directory the root.
 */
export async function rootMarkersFor({ name }: Profile, cwd: string, home: string | undefined) {
  if (name === 'gemini') {
    const settings = await toolSettings({ root: cwd, home }, [GEMINI_FILE])
    const values = settings.map((one) => settingAt(one, 'context', 'memoryBoundaryMarkers'))
    const markers = values.find((value) => Array.isArray(value))
    return markers && stringsAt(markers).filter(isInTree)
  }
  const [settings] = name === 'codex' ? await settingsFiles(home, [CODEX_CONFIG]) : []
  const markers = settingAt(settings, 'project_root_markers')
  return markers === undefined ? undefined : stringsAt(markers)
}

/** Applies settings of VS Code: the names that count, added and excluded folders of rules, and AGENTS.md in touched directories. */
async function withVscodeSettings(profile: Profile, places: SettingsPlaces): Promise<Profile> {
  const settings = await toolSettings(places, ['.vscode/settings.json', 'settings.json'], '.config/Code/User')
  const settingOf = (key: string) => settings.map((one) => settingAt(one, key)).find((value) => value !== undefined)
  const isEnabled = (name: string) => settingOf(NAME_SETTINGS[name] ?? '') !== false
  const names = profile.names.map((group) => group.filter(isEnabled))
  const claudeNames =
    settingOf('chat.useClaudeMdFile') === true ? [['CLAUDE.md'], ['.claude/CLAUDE.md'], ['CLAUDE.local.md']] : []
  const { rules = [] } = profile
  const locations = Object.entries(Object(settingOf('chat.instructionsFilesLocations')))
  const folders = locations.filter(([, is]) => is === true).map(([folder]) => folder)
  const excluded = locations.filter(([, is]) => is === false).map(([folder]) => folder)
  const added = rules.slice(0, 1).flatMap((rule) => folders.filter(isInTree).map((folder) => ({ ...rule, folder })))
  const allRules = [...rules, ...added].filter(({ folder }) => !excluded.includes(folder))
  return {
    ...profile,
    names: [...names.filter(({ length }) => length > 0), ...claudeNames],
    rules: [...new Map(allRules.map((one) => [one.folder, one])).values()],
    ...(settingOf('chat.useNestedAgentsMdFiles') === true && { reach: 'touched' as const }),
  }
}

/** The settings of VS Code that turn off a name. */
const NAME_SETTINGS: Readonly<Record<string, string>> = {
  'AGENTS.md': 'chat.useAgentsMdFile',
  '.github/copilot-instructions.md': 'github.copilot.chat.codeGeneration.useInstructionFiles',
}

/** Fields of the rule for a file or folder that settings name. The path is relative to the root, and the rule always applies. */
const FILE_RULE = { at: 'root', keys: [], bare: 'here', unscoped: 'always' } as const

/** Adds files of the root, and folders with a suffix: `FOLDER/*.md`. */
function withFilesAndFolders(profile: Profile, paths: readonly string[]): Profile {
  const relativePaths = paths.map((path) => path.replace(/^\.\//, '')).filter(isInTree)
  const rules = relativePaths.flatMap((path) => {
    const [, folder = '', suffix = ''] = /^([^*?{[]+)\/(?:\*\*\/)?\*(\.[\w.]+)$/.exec(path) ?? []
    if (folder !== '') return [{ ...FILE_RULE, folder, suffix }]
    return /[*?{[]/.test(path) ? [] : [{ ...FILE_RULE, folder: path, suffix: '' }]
  })
  return rules.length > 0 ? { ...profile, rules: [...(profile.rules ?? []), ...rules] } : profile
}

const GEMINI_FILE = '.gemini/settings.json'

/** Applies settings of Gemini CLI: names of files, more directories of its workspace, and its notes on the project. */
async function withGeminiSettings(profile: Profile, places: SettingsPlaces): Promise<Profile> {
  const namedProfile = await withFileNames(profile, places, GEMINI_FILE)
  const names = namedProfile.names.flat()
  const { root, home } = places
  // Only the user may name directories outside of the project.
  const userDirectories = home === undefined ? [] : await includedDirectories({ root: home, home: undefined }, root)
  const rules = (await includedDirectories(places)).flatMap((directory) => rulesWithin(root, directory, names))
  const folders = userDirectories.flatMap((directory) => {
    return relativeTo(root, directory) === undefined ? foldersAbove(directory, home ?? '', namedProfile.names) : []
  })
  const notes = await geminiNotes(places, names)
  return { ...namedProfile, ...(rules.length > 0 && { rules }), home: [...namedProfile.home, ...folders, ...notes] }
}

/** The directories of `context.includeDirectories` in all settings, as absolute paths. `from`: the base of relative paths. Default: the root. */
async function includedDirectories(places: SettingsPlaces, from = places.root): Promise<readonly string[]> {
  const home = places.home ?? places.root
  const settings = await toolSettings(places, [GEMINI_FILE])
  const values = settings.flatMap((one) => stringsAt(one, 'context', 'includeDirectories'))
  return values.map((path) => resolve(from, path.replace(/^~(?=\/|$)/, home)))
}

/** Rules for the names in a directory of the project, and in the directories between it and the root. */
function rulesWithin(root: string, directory: string, names: readonly string[]): readonly RuleFolder[] {
  if (relativeTo(root, directory) === undefined) return []
  const folders = ancestors(directory, root).flatMap((at) => relativeTo(root, at) || [])
  return folders.flatMap((folder) => names.map((name) => ({ ...FILE_RULE, folder: `${folder}/${name}`, suffix: '' })))
}

/** A directory outside of the project, and the directories above it up to the root of its own project. */
function foldersAbove(directory: string, home: string, names: Profile['names']): HomeFolder[] {
  const directories = ancestors(directory, projectRootOf(directory))
  return directories.map((at) => ({ folder: (relativeTo(home, at) ?? at) || '.', names: inHome(names) }))
}

/** The notes of Gemini CLI on the project, in a folder that its list of projects names. */
async function geminiNotes({ root, home }: SettingsPlaces, names: readonly string[]): Promise<HomeFolder[]> {
  const [list] = await settingsFiles(home, ['.gemini/projects.json'])
  const [id = ''] = stringsAt(list, 'projects', root)
  if (!/^[a-z0-9-]+$/.test(id)) return []
  const owner = settingsText(home, `.gemini/tmp/${id}/.project_root`)?.trim() ?? root
  if (owner !== root) return []
  return [{ folder: `.gemini/tmp/${id}/memory`, names: inHome([['MEMORY.md', ...names]]), isOfTool: true }]
}

/** Applies `context.fileName`: one or several names, which are all read. The project's setting overrides the user's. */
async function withFileNames(profile: Profile, places: SettingsPlaces, file: string): Promise<Profile> {
  const settings = await toolSettings(places, [file])
  const values = settings.map((one) => stringsAt(one, 'context', 'fileName').filter(isInTree))
  const names = values.find(({ length }) => length > 0)?.map((name) => [name])
  return withNames(profile, names)
}

/** Replaces the names, also in the folders of the home directory. Undefined changes nothing. */
function withNames(profile: Profile, names: Profile['names'] | undefined): Profile {
  return names ? { ...profile, names, home: profile.home.map((home) => ({ ...home, names: inHome(names) })) } : profile
}

/** The names that settings, even a project's, may add in the home directory: Markdown files directly in a folder. */
function inHome(names: Profile['names']): Profile['names'] {
  return names.map((group) => group.filter((name) => /^[^/]+\.md$/i.test(name)))
}
