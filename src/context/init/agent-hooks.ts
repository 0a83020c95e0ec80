import { join } from 'node:path'
import { AGENT_NAMES, type AgentName } from '../../core/choices.ts'
import { HOOK_COMMAND, type SettingsPlaces, settingsText } from '../profiles/settings-file.ts'
import { AGENTS, type AgentFile, SETTING_SCOPES, type SettingScope } from './agents.ts'
import { type JsonEdit, withEdits } from './json-edit.ts'

/** Maximum bytes of a settings file. */
const MAX_BYTES = 1024 * 1024

/** For each agent, the scopes whose settings contain all hooks that `init` writes. `root` and `home` are absolute paths. */
export function findHookScopes({ root, home }: Pick<SettingsPlaces, 'root' | 'home'>) {
  const scopesOf = (agent: AgentName) =>
    SETTING_SCOPES.filter((scope) => {
      const directory = scope === 'user' ? home : root
      const files: readonly AgentFile[] = new Map(Object.entries(AGENTS[agent])).get(scope) ?? []
      const hooks = files.filter(isHookFile)
      return directory !== undefined && hooks.length > 0 && hooks.every((file) => isInPlace(file, directory))
    })
  return Object.fromEntries(AGENT_NAMES.map((agent) => [agent, scopesOf(agent)])) as Record<AgentName, SettingScope[]>
}

/** The other scopes whose files, which are not also files of `scope`, have any hook of Ambit. */
export function findOtherHooks(
  { agent, scope }: { readonly agent: AgentName; readonly scope: SettingScope },
  { root, home }: Pick<SettingsPlaces, 'root' | 'home'>,
): SettingScope[] {
  const filesOf = (one: SettingScope) => {
    const directory = one === 'user' ? home : root
    const files: readonly AgentFile[] = new Map(Object.entries(AGENTS[agent])).get(one) ?? []
    return directory === undefined ? [] : files.filter(isHookFile).map((file) => ({ directory, file }))
  }
  const pathOf = ({ directory, file }: ReturnType<typeof filesOf>[number]) => join(directory, file.name)
  const ownPaths = new Set(filesOf(scope).map(pathOf))
  return SETTING_SCOPES.filter((one) =>
    filesOf(one).some((place) => {
      if (ownPaths.has(pathOf(place))) return false
      const text = settingsText(place.directory, place.file.name, { maxBytes: MAX_BYTES }) ?? ''
      return 'edits' in place.file ? HOOK_COMMAND.test(text) : text === place.file.content
    }),
  )
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
