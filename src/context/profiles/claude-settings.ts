/** What Claude Code loads by its settings: the files of an organization, its own notes, and what people exclude. */

import { join } from 'node:path'
import { globs } from '../../text/globs.ts'
import { relativeTo } from '../../text/paths.ts'
import { clipBytes } from '../../text/truncate.ts'
import type { HomeFolder, Profile } from './profile.ts'
import {
  parseSettings,
  type SettingsPlaces,
  settingsField,
  settingsFiles,
  settingsNames,
  settingsStrings,
  settingsText,
} from './settings-file.ts'

/** Of its notes Claude Code shows the first lines, and of these the first bytes. */
const MOST_NOTE_LINES = 200
const MOST_NOTE_BYTES = 25_000

/** Its directory is one of the operating system, and never chosen by what is read. */
const SYSTEM = { allowSystem: true, unbounded: true } as const

/** Longer names of folders end in a checksum that is not documented. */
const MOST_NAME_CHARACTERS = 200

/** Adds the files of the organization, the text in its settings, and the notes of the project. */
export function withClaudeSettings(profile: Profile, places: SettingsPlaces): Profile {
  const managed = managedDirectory(places)
  const own = profile.home.find(({ folder }) => folder === '.claude')
  const organization: HomeFolder = {
    folder: managed,
    names: [['CLAUDE.md']],
    rules: (own?.rules ?? []).map((rules) => ({ ...rules, folder: '.claude/rules' })),
  }
  const home = [organization, ...textInSettings(places), ...profile.home, ...notesOf(places)]
  return { ...profile, home, ...(!loadsOuterImports(places) && { importsBelow: true }) }
}

/** Its file of what it knows of each project, with the history of all. */
const STATE = { name: '.claude.json', maxBytes: 16 * 1024 * 1024 } as const

/** Whether the user approved imports of files outside the directory where the tool was started. Only below the root is it asked. */
function loadsOuterImports({ root, home, cwd = root }: SettingsPlaces): boolean {
  if (cwd === root) return true
  const text = home === undefined ? undefined : settingsText(home, STATE.name, { maxBytes: STATE.maxBytes })
  const projects = text === undefined ? undefined : settingsField(parseSettings(text), 'projects')
  return [root, cwd].some((at) => {
    const approved = settingsField(settingsField(projects, at), 'hasClaudeMdExternalIncludesApproved')
    return approved === true
  })
}

/** Where an organization keeps its files. */
function managedDirectory({ system = '/' }: SettingsPlaces): string {
  const isMac = process.platform === 'darwin'
  return join(system, isMac ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code')
}

/** `claudeMd` of the settings of an organization: the last file that has it counts. */
function textInSettings(places: SettingsPlaces): HomeFolder[] {
  const [found] = managedFiles(places).filter(({ settings }) => typeof settingsField(settings, 'claudeMd') === 'string')
  return found ? [{ folder: found.folder, names: [[found.name]], shows: claudeMdIn }] : []
}

function claudeMdIn(text: string): string {
  return settingsStrings(settingsField(parseSettings(text), 'claudeMd')).join('')
}

/** Where Claude Code keeps what the server of an organization has sent, seen from the home directory. */
const SENT = { folder: '.claude', name: 'remote-settings.json' } as const

/** The settings of an organization, the strongest first: those that its server sent, or else its files. */
function managedFiles(places: SettingsPlaces) {
  const text = places.home === undefined ? undefined : settingsText(places.home, `${SENT.folder}/${SENT.name}`)
  const settings = text === undefined ? undefined : parseSettings(text)
  return holdsPolicy(settings) ? [{ ...SENT, settings }] : endpointFiles(places)
}

/** Whether a source of settings counts, so that the others do not. */
function holdsPolicy(settings: unknown): boolean {
  return Object.keys(Object(settings)).some((key) => key !== 'wslInheritsWindowsSettings')
}

/** The files of an organization on this machine. */
function endpointFiles(places: SettingsPlaces) {
  const at = managedDirectory(places)
  const parts = join(at, 'managed-settings.d')
  const files = [
    { folder: at, name: 'managed-settings.json' },
    ...settingsNames(parts, SYSTEM).map((name) => ({ folder: parts, name })),
  ]
  return files.reverse().flatMap((file) => {
    const text = settingsText(file.folder, file.name, SYSTEM)
    return text === undefined ? [] : [{ ...file, settings: parseSettings(text) }]
  })
}

/** All settings, the strongest first. */
function claudeSettings(places: SettingsPlaces): readonly unknown[] {
  const project = settingsFiles({ ...places, home: undefined }, [
    '.claude/settings.local.json',
    '.claude/settings.json',
  ])
  return [
    ...managedFiles(places).map(({ settings }) => settings),
    ...project.map(parseSettings),
    ...userSettings(places),
  ]
}

function userSettings({ home }: SettingsPlaces): readonly unknown[] {
  const text = home === undefined ? undefined : settingsText(home, '.claude/settings.json')
  return text === undefined ? [] : [parseSettings(text)]
}

/** The folder of the notes on this project, where they are not turned off and lie in the home directory. */
function notesOf(places: SettingsPlaces): HomeFolder[] {
  const isOn = claudeSettings(places).map((one) => settingsField(one, 'autoMemoryEnabled'))
  if (places.home === undefined || isOn.find((is) => is !== undefined) === false) return []
  const folder = notesFolder(places, places.home)
  return folder === undefined ? [] : [{ folder, names: [['MEMORY.md']], shows: firstNotes, isOfTool: true }]
}

/**
 * `autoMemoryDirectory` of the organization or the user: a project must not name a place outside of itself. Without it, a
 * folder for each repository, which its worktrees share.
 */
function notesFolder(places: SettingsPlaces, home: string): string | undefined {
  const trusted = [...managedFiles(places).map(({ settings }) => settings), ...userSettings(places)]
  const [named] = trusted.flatMap((one) => settingsStrings(settingsField(one, 'autoMemoryDirectory')))
  if (named !== undefined) return relativeTo(home, named.replace(/^~(?=\/)/, home))
  const name = mainWorktree(places.root).replace(/[^a-zA-Z0-9]/g, '-')
  return name.length > MOST_NAME_CHARACTERS ? undefined : `.claude/projects/${name}/memory`
}

/** The directory of the repository that a worktree belongs to, where that knows of the worktree; else the root itself. */
function mainWorktree(root: string): string {
  const [, main, name] =
    /^gitdir: (\/.+)\/\.git\/worktrees\/([^/\n]+)$/.exec(settingsText(root, '.git')?.trim() ?? '') ?? []
  if (main === undefined) return root
  const back = settingsText(`${main}/.git/worktrees/${name}`, 'gitdir')
  return back?.trim() === `${root}/.git` ? main : root
}

function firstNotes(text: string): string {
  return clipBytes(text.split('\n').slice(0, MOST_NOTE_LINES).join('\n'), MOST_NOTE_BYTES)
}

/** `claudeMdExcludes` of all settings together. What is not absolute matches nothing. */
export function claudeExcludes(places: SettingsPlaces): readonly string[] {
  const patterns = claudeSettings(places).flatMap((one) => settingsStrings(settingsField(one, 'claudeMdExcludes')))
  return patterns.filter((pattern) => /^(\/|\*\*)/.test(pattern) && globs([pattern]).refused.length === 0)
}
