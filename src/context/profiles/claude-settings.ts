/** Applies the settings of Claude Code to its profile: files of an organization, notes of the tool, excluded files. */

import { join } from 'node:path'
import { globs } from '../../text/globs.ts'
import { relativeTo } from '../../text/paths.ts'
import { clipBytes } from '../../text/truncate.ts'
import type { HomeFolder, Profile } from './profile.ts'
import {
  parseSettings,
  type SettingsPlaces,
  settingAt,
  settingsFiles,
  settingsNames,
  settingsText,
  stringsAt,
} from './settings-file.ts'

/** Claude Code shows the first lines of its notes, up to a number of bytes. */
const MAX_NOTE_LINES = 200
const MAX_NOTE_BYTES = 25_000

/** Options to open a directory of the operating system at a fixed path. */
const SYSTEM_ROOT = { allowSystem: true, unbounded: true } as const

/** Maximum characters of a folder's name. Claude Code shortens a longer name by an undocumented checksum. */
const MAX_NAME_CHARACTERS = 200

/** Adds to a profile the files of the organization, the text in its settings, and the notes about the project. */
export async function withClaudeSettings(profile: Profile, places: SettingsPlaces): Promise<Profile> {
  const userFolder = profile.home.find(({ folder }) => folder === '.claude')
  const organization: HomeFolder = {
    folder: managedDirectory(places),
    names: [['CLAUDE.md']],
    rules: (userFolder?.rules ?? []).map((rules) => ({ ...rules, folder: '.claude/rules' })),
  }
  const home = [organization, ...(await organizationText(places)), ...profile.home, ...(await notesOf(places))]
  return { ...profile, home, ...(!loadsOuterImports(places) && { importsBelow: true }) }
}

/** The file in which Claude Code stores its state for all projects, in the home directory. */
const STATE_FILE = { name: '.claude.json', maxBytes: 16 * 1024 * 1024 } as const

/** Whether the tool loads imports from outside its start directory: at the root, or if the user approved them. */
function loadsOuterImports({ root, home, cwd = root }: SettingsPlaces): boolean {
  if (cwd === root) return true
  const state = parseSettings(settingsText(home, STATE_FILE.name, { maxBytes: STATE_FILE.maxBytes }) ?? '')
  return [root, cwd].some((at) => settingAt(state, 'projects', at, 'hasClaudeMdExternalIncludesApproved') === true)
}

/** The directory of an organization's files. */
function managedDirectory({ system = '/' }: SettingsPlaces): string {
  const isMac = process.platform === 'darwin'
  return join(system, isMac ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code')
}

/** The text `claudeMd` in the settings of an organization. If several files have such a text, the text of the strongest file counts. */
async function organizationText(places: SettingsPlaces): Promise<HomeFolder[]> {
  const files = await managedFiles(places)
  const settingsFile = files.find(({ settings }) => typeof settingAt(settings, 'claudeMd') === 'string')
  const shows = (text: string) => stringsAt(parseSettings(text), 'claudeMd').join('')
  return settingsFile ? [{ folder: settingsFile.folder, names: [[settingsFile.name]], shows }] : []
}

/** Settings from the server of an organization, relative to the home directory. */
const SERVER_SETTINGS = { folder: '.claude', name: 'remote-settings.json' } as const

/** The settings of an organization, the strongest first: the settings from its server, else its files on this machine. */
async function managedFiles(places: SettingsPlaces) {
  const [settings] = await settingsFiles(places.home, [`${SERVER_SETTINGS.folder}/${SERVER_SETTINGS.name}`])
  // If a source has a policy, only that source counts.
  const holdsPolicy = Object.keys(Object(settings)).some((key) => key !== 'wslInheritsWindowsSettings')
  if (holdsPolicy) return [{ ...SERVER_SETTINGS, settings }]
  const directory = managedDirectory(places)
  const partsDirectory = join(directory, 'managed-settings.d')
  const main = { folder: directory, name: 'managed-settings.json' }
  const others = settingsNames(partsDirectory, SYSTEM_ROOT).map((name) => ({ folder: partsDirectory, name }))
  return [main, ...others].reverse().flatMap((file) => {
    const text = settingsText(file.folder, file.name, SYSTEM_ROOT)
    return text === undefined ? [] : [{ ...file, settings: parseSettings(text) }]
  })
}

/** Settings of the organization, the project and the user, the strongest first. */
async function claudeSettings(places: SettingsPlaces, project: readonly string[]): Promise<readonly unknown[]> {
  return [
    ...(await managedFiles(places)).map(({ settings }) => settings),
    ...(await settingsFiles(places.root, project)),
    ...(await settingsFiles(places.home, ['.claude/settings.json'])),
  ]
}

const PROJECT_FILES = ['.claude/settings.local.json', '.claude/settings.json']

/** The folder of the notes about this project; none if notes are disabled or outside the home directory. */
async function notesOf(places: SettingsPlaces): Promise<HomeFolder[]> {
  const enabled = (await claudeSettings(places, PROJECT_FILES)).map((one) => settingAt(one, 'autoMemoryEnabled'))
  if (places.home === undefined || enabled.find((is) => is !== undefined) === false) return []
  const folder = await notesFolder(places, places.home)
  const shows = (text: string) => clipBytes(text.split('\n').slice(0, MAX_NOTE_LINES).join('\n'), MAX_NOTE_BYTES)
  return folder === undefined ? [] : [{ folder, names: [['MEMORY.md']], shows, isOfTool: true }]
}

/**
 * `autoMemoryDirectory` of the organization or the user: a project must not name a directory outside itself. Default: a folder for each repository,
 * which its worktrees share.
 */
async function notesFolder(places: SettingsPlaces, home: string): Promise<string | undefined> {
  const trusted = await claudeSettings(places, [])
  const [configuredFolder] = trusted.flatMap((one) => stringsAt(one, 'autoMemoryDirectory'))
  if (configuredFolder !== undefined) return relativeTo(home, configuredFolder.replace(/^~(?=\/)/, home))
  const name = mainWorktree(places.root).replace(/[^a-zA-Z0-9]/g, '-')
  return name.length > MAX_NAME_CHARACTERS ? undefined : `.claude/projects/${name}/memory`
}

/** For a worktree that its repository has registered, the main directory of the repository; else the root. */
function mainWorktree(root: string): string {
  const [, main, name] =
    /^gitdir: (\/.+)\/\.git\/worktrees\/([^/\n]+)$/.exec(settingsText(root, '.git')?.trim() ?? '') ?? []
  if (main === undefined) return root
  const registeredPath = settingsText(`${main}/.git/worktrees/${name}`, 'gitdir')
  return registeredPath?.trim() === `${root}/.git` ? main : root
}

/** `claudeMdExcludes` of all settings together. Relative patterns match nothing. */
export async function claudeExcludes(places: SettingsPlaces): Promise<readonly string[]> {
  const settings = await claudeSettings(places, PROJECT_FILES)
  const patterns = settings.flatMap((one) => stringsAt(one, 'claudeMdExcludes'))
  return patterns.filter((pattern) => /^(\/|\*\*)/.test(pattern) && globs([pattern]).refused.length === 0)
}
