/** What Gemini CLI loads by its settings: names of files, further directories, and its own notes. Qwen Code is made from it. */

import { resolve } from 'node:path'
import { projectRootOf } from '../../files/roots.ts'
import { ancestors, relativeTo } from '../../text/paths.ts'
import type { HomeFolder, Profile, RuleFolder } from './profile.ts'
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

const FILE = '.gemini/settings.json'

/** The configured names, the further directories of its workspace, and its notes on the project. */
export function withGeminiSettings(profile: Profile, places: SettingsPlaces): Profile {
  const named = withFileNames(profile, places, FILE)
  const names = named.names.flat()
  const { root, home } = places
  const all = includedDirectories(places)
  // What is outside counts where the user names it: a project must not point out of itself.
  const own = home === undefined ? [] : includedDirectories({ root: home, home: undefined }, root)
  const rules = all.flatMap((directory) => rulesWithin(root, directory, names))
  const outside = own.filter((directory) => relativeTo(root, directory) === undefined)
  const folders = outside.flatMap((directory) => foldersAbove(directory, { home, names: named.names }))
  return { ...named, ...(rules.length > 0 && { rules }), home: [...named.home, ...folders, ...notesOf(places, names)] }
}

/** `context.includeDirectories` of all settings, absolute. `from`: what they are relative to. Default: the root. */
function includedDirectories(places: SettingsPlaces, from = places.root): readonly string[] {
  const home = places.home ?? places.root
  const values = settingsFiles(places, [FILE]).flatMap((text) =>
    settingsStrings(settingsField(settingsField(parseSettings(text), 'context'), 'includeDirectories')),
  )
  return values.map((path) => resolve(from, path.replace(/^~(?=\/|$)/, home)))
}

/** The names in a directory of the project, and in those between it and the root. */
function rulesWithin(root: string, directory: string, names: readonly string[]): readonly RuleFolder[] {
  if (relativeTo(root, directory) === undefined) return []
  const folders = ancestors(directory, root).map((at) => relativeTo(root, at) ?? '')
  return folders
    .filter((folder) => folder !== '')
    .flatMap((folder) => names.map((name) => ({ ...EVERY_FILE, folder: `${folder}/${name}`, suffix: '' })))
}

/** A directory outside of the project, and those above it up to the root of its own project. */
function foldersAbove(directory: string, { home, names }: Pick<HomeFolder, 'names'> & { home: string | undefined }) {
  return ancestors(directory, projectRootOf(directory)).map((at): HomeFolder => {
    const folder = home === undefined ? at : (relativeTo(home, at) ?? at)
    return { folder: folder === '' ? '.' : folder, names: inHome(names) }
  })
}

/** The index of its notes, else its older file of them: in a folder whose name is in its list of projects. */
function notesOf({ root, home }: SettingsPlaces, names: readonly string[]): HomeFolder[] {
  if (home === undefined) return []
  const list = parseSettings(settingsText(home, '.gemini/projects.json') ?? '')
  const [id = ''] = settingsStrings(settingsField(settingsField(list, 'projects'), root))
  if (!/^[a-z0-9-]+$/.test(id)) return []
  const owner = settingsText(home, `.gemini/tmp/${id}/.project_root`)?.trim() ?? root
  if (owner !== root) return []
  return [{ folder: `.gemini/tmp/${id}/memory`, names: inHome([['MEMORY.md', ...names]]), isOfTool: true }]
}

/** `context.fileName`: a name or several, of which all are read; the project's setting wins. */
export function withFileNames(profile: Profile, places: SettingsPlaces, file: string): Profile {
  const values = settingsFiles(places, [file]).map((text) =>
    settingsStrings(settingsField(settingsField(parseSettings(text), 'context'), 'fileName')).filter(isInTree),
  )
  return withNames(
    profile,
    values.find(({ length }) => length > 0)?.map((name) => [name]),
  )
}

/** The names everywhere, the home directory's folders included; undefined changes nothing. */
export function withNames(profile: Profile, names: Profile['names'] | undefined): Profile {
  return names ? { ...profile, names, home: profile.home.map((home) => ({ ...home, names: inHome(names) })) } : profile
}

/** A project may name files, but in the home directory no other than Markdown right in the folder. */
function inHome(names: Profile['names']): Profile['names'] {
  return names.map((group) => group.filter((name) => /^[^/]+\.md$/i.test(name)))
}

/** `context.memoryBoundaryMarkers`: without any, the working directory is the root. */
export function boundaryMarkers(cwd: string, home: string | undefined): readonly string[] | undefined {
  const files = settingsFiles({ root: cwd, home }, [FILE])
  const values = files.map((text) =>
    settingsField(settingsField(parseSettings(text), 'context'), 'memoryBoundaryMarkers'),
  )
  const markers = values.find((value) => Array.isArray(value))
  return markers && settingsStrings(markers).filter(isInTree)
}
