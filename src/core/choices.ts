/** Lists of choices that all surfaces (command line, MCP, HTTP, hooks) share, in the order in which help shows them. */

/** Scopes of an access token. No scope implies another: `admin` alone does not allow reading. */
export const SCOPES = ['read', 'write', 'research', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Matches the path of a file with a profile (how a tool finds its files). No name of a built-in profile matches. */
export const PROFILE_FILE = /[/~]|^\.|\.(?:[yY][aA]?[mM][lL]|[jJ][sS][oO][nN])$/

/** Whether the value of `profile` is the path of a file. */
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

/** Agents whose hooks pass on 32,000 bytes (about 8000 tokens). The agent saves a longer text to a file. */
const LARGE_HOOKS: readonly AgentName[] = ['gemini', 'opencode', 'kilo', 'cline', 'qwen']

/** Maximum bytes of context that the hooks of an agent pass on without a cut. Most agents cut after 10,000 characters, so 9900 bytes are safe. */
export function hookBytes(agent: AgentName): number {
  return LARGE_HOOKS.includes(agent) ? 32_000 : 9900
}

/** For each agent, the newest version whose requests to its model were inspected. For an agent without an entry, only its documentation was read. */
export const CHECKED_VERSIONS: Readonly<Partial<Record<AgentName, string>>> = {
  claude: '2.1.332',
  codex: '0.171.0',
  gemini: '0.61.0',
  copilot: '1.0.102',
  cline: '3.0.65',
  qwen: '0.24.4',
  opencode: '1.18.33',
  kilo: '7.7.7',
}

/** Groups of MCP tools. A server can offer some of the groups instead of all. */
export const TOOLSETS = ['context', 'search', 'task', 'packages', 'research'] as const
export type Toolset = (typeof TOOLSETS)[number]

/** The built-in model, which needs no network and no key. */
export const BUILT_IN_MODEL = 'local/extractive'
