/** Words of which one is chosen, each list said once for all surfaces, in the order in which help tells them. */

/** Scopes of a token. A scope grants only what it names: none implies another. */
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
  'kilo',
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

/** Marks that tell a file with a profile from the name of one. */
export const PROFILE_FILE = /[/~]|^\.|\.(?:[yY][aA]?[mM][lL]|[jJ][sS][oO][nN])$/

/** Whether a word given for a profile names a file that holds one. */
export function namesProfileFile(word: string): boolean {
  return PROFILE_FILE.test(word)
}

/** Coding agents whose hooks and settings are known. */
export const AGENT_NAMES = [
  'claude',
  'codex',
  'cursor',
  'gemini',
  'opencode',
  'kilo',
  'copilot',
  'vscode',
  'cline',
  'crush',
  'qwen',
  'kiro',
  'factory',
] as const
export type AgentName = (typeof AGENT_NAMES)[number]

/** Agents whose hooks may hand on eight thousand tokens at once: what is longer they put into a file. */
const LARGE_HOOKS: readonly AgentName[] = ['gemini', 'opencode', 'kilo', 'cline', 'qwen']

/** Most bytes of context that the hooks of an agent hand on whole: most keep 10,000 characters. */
export function hookBytes(agent: AgentName): number {
  return LARGE_HOOKS.includes(agent) ? 32_000 : 9900
}

/** The newest version of each agent whose requests were looked at; of the others only documents were read. */
export const CHECKED_VERSIONS: Readonly<Partial<Record<AgentName, string>>> = {
  claude: '2.1.330',
  codex: '0.169.0',
  gemini: '0.61.0',
  copilot: '1.0.102',
  cline: '3.0.65',
  qwen: '0.24.4',
  opencode: '1.18.33',
  kilo: '7.7.7',
}

/** Groups of tools that an MCP client may be offered alone. */
export const TOOLSETS = ['context', 'search', 'task', 'packages', 'research'] as const
export type Toolset = (typeof TOOLSETS)[number]

/** The name of the model that is always there: without a network, and without a key. */
export const BUILT_IN_MODEL = 'local/extractive'
