import { AGENT_NAMES, type AgentName } from '../../core/choices.ts'
import { type SettingsPlaces, settingsText } from '../profiles/settings-file.ts'
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
