import { join } from 'node:path'
import { AGENT_NAMES, type AgentName } from '../../core/choices.ts'
import { HOOK_COMMAND, type SettingsPlaces, settingsText } from '../profiles/settings-file.ts'
import { AGENTS, type AgentFile, SETTING_SCOPES, type SettingScope } from './agents.ts'
import { type JsonEdit, withEdits } from './json-edit.ts'

/** Maximum bytes of a settings file. */
const MAX_BYTES = 1024 * 1024

/** For each agent, the scopes whose settings contain all hooks that `init` writes. `root` and `home` are absolute paths. */
export function findHookScopes(places: Pick<SettingsPlaces, 'root' | 'home'>) {
  const scopesOf = (agent: AgentName) =>
    SETTING_SCOPES.filter((scope) => {
      const hooks = hookFilesOf(agent, scope, places)
      return hooks.length > 0 && hooks.every(({ file, directory }) => isInPlace(file, directory))
    })
  return Object.fromEntries(AGENT_NAMES.map((agent) => [agent, scopesOf(agent)])) as Record<AgentName, SettingScope[]>
}

/** The scopes that have any hook of Ambit in a file that is not also a file of `scope`. */
export function findOtherHooks(
  { agent, scope }: { readonly agent: AgentName; readonly scope: SettingScope },
  places: Pick<SettingsPlaces, 'root' | 'home'>,
): SettingScope[] {
  const pathOf = ({ file, directory }: HookFile) => join(directory, file.name)
  const ownPaths = new Set(hookFilesOf(agent, scope, places).map(pathOf))
  const hasHook = ({ file, directory }: HookFile) => {
    const text = settingsText(directory, file.name, { maxBytes: MAX_BYTES }) ?? ''
    return 'edits' in file ? HOOK_COMMAND.test(text) : text === file.content
  }
  return SETTING_SCOPES.filter((one) =>
    hookFilesOf(agent, one, places).some((hook) => !ownPaths.has(pathOf(hook)) && hasHook(hook)),
  )
}

interface HookFile {
  readonly file: AgentFile
  /** Absolute path of the directory that `file.name` is relative to. */
  readonly directory: string
}

function hookFilesOf(
  agent: AgentName,
  scope: SettingScope,
  { root, home }: Pick<SettingsPlaces, 'root' | 'home'>,
): readonly HookFile[] {
  const directory = scope === 'user' ? home : root
  const files: readonly AgentFile[] = new Map(Object.entries(AGENTS[agent])).get(scope) ?? []
  return directory === undefined ? [] : files.filter(isHookFile).map((file) => ({ file, directory }))
}

const isHook = (edit: JsonEdit) => 'push' in edit

/** Whether a file has hooks. Other files have only the MCP server. */
export function isHookFile(file: AgentFile): boolean {
  return 'edits' in file ? file.edits.some(isHook) : /\bambit\b.*\bhook\b/s.test(file.content)
}

function isInPlace(file: AgentFile, directory: string): boolean {
  const text = settingsText(directory, file.name, { maxBytes: MAX_BYTES })
  if (text === undefined) return false
  if (!('edits' in file)) return text === file.content
  const edited = withEdits(text, file.edits.filter(isHook))
  return 'text' in edited && edited.text === text
}
