import { AGENT_NAMES, type AgentName } from '../../core/choices.ts'
import { ContextError } from '../../core/errors.ts'
import { openRoot } from '../../files/disk.ts'
import { AGENTS, type AgentFile, SETTING_SCOPES, type SettingScope } from './agents.ts'
import { type JsonEdit, withEdits } from './json-edit.ts'

/** Directories that may hold settings of agents. Absolute. */
export interface AgentPlaces {
  readonly root: string
  readonly home: string | undefined
}

/** Bytes of the longest file of settings that is looked into. */
const MOST_BYTES = 1024 * 1024

/** For each agent the scopes in whose settings all of its hooks are, as `init` writes them. */
export function wiredAgents({ root, home }: AgentPlaces): Readonly<Record<AgentName, readonly SettingScope[]>> {
  const scopesOf = (agent: AgentName) =>
    SETTING_SCOPES.filter((scope) => {
      const at = scope === 'user' ? home : root
      const files: readonly AgentFile[] = new Map(Object.entries(AGENTS[agent])).get(scope) ?? []
      const hooks = files.filter(isHookFile)
      return at !== undefined && hooks.length > 0 && hooks.every((file) => isInPlace(file, at))
    })
  return Object.fromEntries(AGENT_NAMES.map((agent) => [agent, scopesOf(agent)])) as Record<AgentName, SettingScope[]>
}

/** A file that runs the hook: other files tell of the MCP server alone. */
function isHookFile(file: AgentFile): boolean {
  return 'edits' in file ? file.edits.some(isHook) : /\bambit\b.*\bhook\b/s.test(file.content)
}

function isHook(edit: JsonEdit): boolean {
  return 'push' in edit
}

function isInPlace(file: AgentFile, at: string): boolean {
  const text = readSettings(at, file.name)
  if (text === undefined) return false
  if (!('edits' in file)) return text === file.content
  const edited = withEdits(text, file.edits.filter(isHook))
  return 'text' in edited && edited.text === text
}

function readSettings(directory: string, name: string): string | undefined {
  try {
    const read = openRoot(directory).read(name, { maxBytes: MOST_BYTES })
    return read.ok ? new TextDecoder().decode(read.bytes) : undefined
  } catch (error) {
    if (error instanceof ContextError) return undefined
    throw error
  }
}
