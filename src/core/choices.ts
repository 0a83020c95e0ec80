/** Words of which one is chosen, each list said once for all surfaces, in the order in which help tells them. */

/** What one may be let do. A scope gives what it names and nothing else: none implies another. */
export const SCOPES = ['read', 'write', 'research', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Tools whose view of a tree is known, and our own. */
export const PROFILE_NAMES = [
  'ambit',
  'codex',
  'claude',
  'gemini',
  'cursor',
  'copilot',
  'kodelet',
  'copilot-cli',
  'vscode',
  'opencode',
  'cline',
  'qwen',
  'crush',
  'kiro',
  'factory',
  'roo',
  'windsurf',
  'zed',
  'amp',
  'junie',
  'goose',
  'aider',
] as const

/** Whether a word given for a profile names a file that holds one. */
export function namesProfileFile(word: string): boolean {
  return /[/~]|^\.|\.(ya?ml|json)$/i.test(word)
}

/** Coding agents whose hooks and settings are known. */
export const AGENT_NAMES = [
  'claude',
  'codex',
  'cursor',
  'gemini',
  'opencode',
  'copilot',
  'vscode',
  'cline',
  'crush',
  'qwen',
  'kiro',
  'factory',
] as const
export type AgentName = (typeof AGENT_NAMES)[number]

/** Groups of tools that an MCP client may be offered alone. */
export const TOOLSETS = ['context', 'search', 'task', 'packages', 'research'] as const
export type Toolset = (typeof TOOLSETS)[number]
