/**
 * What tools are told in their own settings about the instruction files that they load. Data: nothing in it makes Ambit read or run
 * anything but what it would otherwise; it tells what the tool has read already.
 */

import { ContextError } from '../../core/errors.ts'
import { openRoot } from '../../files/disk.ts'
import { globs } from '../../text/globs.ts'
import type { Profile } from '../profiles/profile.ts'

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
}

/** Bytes of the longest file of settings that is read. */
const MOST_BYTES = 256 * 1024

/** The tool of a profile with its settings; what cannot be read says nothing. */
export function withSettings(profile: Profile, places: SettingsPlaces): ToolSetUp {
  return SETTINGS[profile.name]?.(profile, places) ?? { profile, exclude: [] }
}

const SETTINGS: Readonly<Record<string, (profile: Profile, places: SettingsPlaces) => ToolSetUp>> = {
  gemini: (profile, places) => ({ profile: withFileNames(profile, places, '.gemini'), exclude: [] }),
  qwen: (profile, places) => ({ profile: withFileNames(profile, places, '.qwen'), exclude: [] }),
  codex: (profile, places) => ({ profile: withFallbacks(profile, places), exclude: [] }),
  claude: (profile, places) => ({ profile, exclude: excludesIn(places) }),
}

/** `context.fileName`: a name or several, of which all are read; the project's setting wins. */
function withFileNames(profile: Profile, places: SettingsPlaces, folder: string): Profile {
  const files = settingsFiles(places, [`${folder}/settings.json`])
  const told = files.map((text) => stringsOf(field(field(jsonIn(text), 'context'), 'fileName')))
  const names = told.find(({ length }) => length > 0)?.map((name) => [name])
  return names ? { ...profile, names, home: profile.home.map((home) => ({ ...home, names })) } : profile
}

/** `project_doc_fallback_filenames` and `project_doc_max_bytes`, above the first table. */
function withFallbacks(profile: Profile, places: SettingsPlaces): Profile {
  const [text = ''] = settingsFiles(places, ['.codex/config.toml']).map((toml) => toml.split(/^\s*\[/m)[0] ?? '')
  const list = /^\s*project_doc_fallback_filenames\s*=\s*\[([^\]]*)\]/m.exec(text)?.[1] ?? ''
  const fallbacks = [...list.matchAll(/"([^"\\\n]+)"|'([^'\n]+)'/g)].map(([, double, single]) => double ?? single ?? '')
  const most = /^\s*project_doc_max_bytes\s*=\s*([\d_]+)/m.exec(text)?.[1]?.replaceAll('_', '')
  return {
    ...profile,
    names: profile.names.map((group) => [...group, ...fallbacks]),
    ...(most !== undefined && { cap: Number(most) }),
  }
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
