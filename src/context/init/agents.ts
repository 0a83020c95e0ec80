/**
 * The settings by which each agent calls `ambit hook` and knows the MCP server. The formats follow the linked documents, as of November 2026.
 */

import type { AgentName } from '../../core/choices.ts'
import { HOOK_COMMAND } from '../profiles/settings-file.ts'
import type { JsonEdit, JsonValue } from './json-edit.ts'
import { clineHook, openCodePlugin } from './templates.ts'

/** Scopes of a setting: everyone in the project, the user in all projects, the user in this project. */
export const SETTING_SCOPES = ['project', 'user', 'local'] as const

export type SettingScope = (typeof SETTING_SCOPES)[number]

/** A file that an agent reads: a text, or entries in a JSON file that may have other entries. */
export type AgentFile = {
  /** Path from the project's root or the home directory, with slashes. */
  readonly name: string
  readonly note?: string
} & ({ readonly content: string; readonly isProgram?: true } | { readonly edits: readonly JsonEdit[] })

export type AgentFiles = Readonly<Partial<Record<SettingScope, readonly AgentFile[]>>>

/** Seconds until the agent gives up on the hook. */
const TIMEOUT = 10

/** The hook uses no package runner, because a package runner would run any package of this name. */
const ON_PATH = 'The hook needs "ambit" on the PATH, and does nothing without it.'

/** The entry of the MCP server in the settings of most agents. */
const SERVER = { command: 'ambit', args: ['mcp'] }

/** The command line of the hook, which does nothing on a machine without Ambit. */
const shellCommand = (agent: string, event = '') =>
  `command -v ambit >/dev/null 2>&1 || exit 0; ambit hook ${agent}${event && ` ${event}`}`

const commandHook = (agent: string) => ({ type: 'command', command: shellCommand(agent), timeout: TIMEOUT })

/** The format of Claude Code, which other agents copied: a list of matchers for each event. `at`: keys of the object with the events. */
function hookEdits(
  events: readonly (string | { readonly name: string; readonly matcher: string })[],
  entry: JsonValue,
  at = ['hooks'],
): JsonEdit[] {
  return events.map((event) => {
    const { name, ...matcherField } = typeof event === 'string' ? { name: event } : event
    return hookEdit([...at, name], { ...matcherField, hooks: [entry] })
  })
}

function hookEdit(at: readonly string[], push: JsonValue): JsonEdit {
  return { at, push, ownPattern: HOOK_COMMAND }
}

const hookFile = (name: string, edits: readonly JsonEdit[], note = ON_PATH): AgentFile => ({ name, edits, note })

function serverFile(name: string, at: readonly string[] = ['mcpServers'], value: JsonValue = SERVER): AgentFile {
  return { name, edits: [{ at: [...at, 'ambit'], set: value }] }
}

/** Tools of Claude Code that name files. */
const FILE_TOOLS = 'Read|Edit|MultiEdit|Write|NotebookRead|NotebookEdit|Grep|Glob|LS|Bash'

/** https://code.claude.com/docs/en/hooks */
const TOOL_EVENTS = ['PostToolUse', 'PostToolUseFailure'].map((name) => ({ name, matcher: FILE_TOOLS }))
const CLAUDE_EVENTS = ['SessionStart', 'UserPromptSubmit', ...TOOL_EVENTS, 'SubagentStart']
const CLAUDE_HOOKS = hookEdits(CLAUDE_EVENTS, commandHook('claude'))

/** Maximum tokens of four bytes that Codex takes from the hook. Default of Codex: 2,500. */
const CODEX_TOKENS = 8000

/** https://developers.openai.com/codex/hooks: Codex has no tool that reads files, so paths are in command lines. */
const CODEX: readonly AgentFile[] = [
  hookFile(
    '.codex/hooks.json',
    hookEdits(
      ['SessionStart', 'UserPromptSubmit', { name: 'PostToolUse', matcher: 'Bash|apply_patch' }, 'SubagentStart'],
      { ...commandHook('codex'), additionalContextLimit: CODEX_TOKENS },
    ),
    `${ON_PATH} Codex runs a hook only when it is trusted: see /hooks in Codex.`,
  ),
  // https://developers.openai.com/codex/mcp: only in a trusted project.
  {
    name: '.codex/config.toml',
    content: '[mcp_servers.ambit]\ncommand = "ambit"\nargs = ["mcp"]\n',
    note: 'Ambit never changes a config.toml. If you have one, run "codex mcp add ambit -- ambit mcp".',
  },
]

/** Settings with hooks and the server, of a tool that runs hooks only in a trusted folder. */
function trustedSettings(name: string, agent: string, edits: readonly JsonEdit[]): readonly AgentFile[] {
  return [hookFile(name, edits, `${ON_PATH} ${agent} runs a hook only in a trusted folder.`)]
}

const OWN_SERVER: JsonEdit = { at: ['mcpServers', 'ambit'], set: SERVER }

/** https://geminicli.com/docs/hooks/reference: time limits are in milliseconds. By default Gemini CLI reads only GEMINI.md. */
const GEMINI_HOOK = { name: 'ambit', ...commandHook('gemini'), timeout: TIMEOUT * 1000 }
const GEMINI = trustedSettings('.gemini/settings.json', 'Gemini CLI', [
  ...hookEdits(['SessionStart', 'BeforeAgent', { name: 'AfterTool', matcher: '.*' }, 'PreCompress'], GEMINI_HOOK),
  OWN_SERVER,
  { at: ['context', 'fileName'], set: ['AGENTS.md', 'GEMINI.md'] },
])

/** Qwen Code has the events of Claude Code. No time limit is set, because its unit is not documented. */
const QWEN_HOOK = { name: 'ambit', type: 'command', command: shellCommand('qwen') }
const QWEN = trustedSettings('.qwen/settings.json', 'Qwen Code', [
  ...hookEdits(
    ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'SubagentStart', 'PreCompact'],
    QWEN_HOOK,
  ),
  OWN_SERVER,
])

const VERSION: JsonEdit = { at: ['version'], set: 1, isShared: true }

/** https://docs.github.com/en/copilot/reference/hooks-configuration: VS Code reads the same file. */
function copilotHooks(name: string, agent: string): AgentFile {
  const entry = (event: string) => ({
    type: 'command',
    bash: shellCommand(agent, event),
    powershell: `if (Get-Command ambit -ErrorAction SilentlyContinue) { $input | ambit hook ${agent} ${event} }`,
    timeoutSec: TIMEOUT,
  })
  const events = ['sessionStart', 'postToolUse', 'subagentStart', 'preCompact']
  const edits = events.map((event) => hookEdit(['hooks', event], entry(event)))
  return hookFile(name, [VERSION, ...edits])
}

/** https://cursor.com/docs/hooks, version 1. */
const CURSOR: readonly AgentFile[] = [
  hookFile('.cursor/hooks.json', [
    VERSION,
    ...['sessionStart', 'beforeSubmitPrompt', 'postToolUse', 'subagentStart', 'preCompact'].map((event) =>
      hookEdit(['hooks', event], { command: shellCommand('cursor'), timeout: TIMEOUT }),
    ),
  ]),
  // https://cursor.com/docs/mcp
  serverFile('.cursor/mcp.json'),
]

/** Executable hooks of Cline, which are named after events. Each of them must print an answer. */
const clineHooks = (folder: string): AgentFile[] =>
  ['TaskStart', 'TaskResume', 'UserPromptSubmit', 'PostToolUse', 'PreCompact'].map((event) => {
    return { name: `${folder}/${event}`, content: clineHook(event), isProgram: true as const }
  })

/** docs/hooks of github.com/charmbracelet/crush: hooks run before a call of a tool, and before Crush compacts the conversation. */
const crushFile = (name: string): AgentFile =>
  hookFile(name, [
    ...['PreToolUse', 'PreCompact'].map((event) =>
      hookEdit(['hooks', event], { name: 'ambit', command: shellCommand('crush'), timeout: TIMEOUT }),
    ),
    { at: ['mcp', 'ambit'], set: { type: 'stdio', ...SERVER } },
  ])

/** https://kiro.dev/docs/hooks */
const KIRO_HOOKS = ['SessionStart', 'UserPromptSubmit', 'PostToolUse'].map((trigger) => {
  return { name: `ambit ${trigger}`, trigger, action: { type: 'command', command: shellCommand('kiro', trigger) } }
})
const KIRO_TEXT = `${JSON.stringify({ version: 'v1', hooks: KIRO_HOOKS }, null, 2)}\n`
const KIRO: readonly AgentFile[] = [
  { name: '.kiro/hooks/ambit.json', content: KIRO_TEXT, note: ON_PATH },
  serverFile('.kiro/settings/mcp.json'),
]

/** https://docs.factory.ai/reference/hooks-reference: the format of Claude Code, in a file of its own. */
const FACTORY_EVENTS = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PreCompact']
const FACTORY: readonly AgentFile[] = [
  hookFile('.factory/hooks.json', hookEdits(FACTORY_EVENTS, commandHook('factory'), [])),
  serverFile('.factory/mcp.json', ['mcpServers'], { type: 'stdio', ...SERVER }),
]

/** https://opencode.ai/docs/plugins and https://opencode.ai/docs/mcp-servers: OpenCode and Kilo find a plugin by its path. */
function pluginFiles(agent: 'opencode' | 'kilo', folder: string, settings: string): AgentFile[] {
  const note = `${ON_PATH} It needs ${agent === 'kilo' ? 'Kilo 7' : 'OpenCode 1.18'} or newer.`
  return [
    { name: `${folder}/plugins/ambit.js`, content: openCodePlugin(agent), note },
    serverFile(settings, ['mcp'], { type: 'local', command: ['ambit', 'mcp'], enabled: true }),
  ]
}

const inBothScopes = (files: readonly AgentFile[]) => ({ project: files, user: files })

/** The files of each agent, by scope. An agent lacks a scope for which it has no settings. */
export const AGENTS = {
  claude: {
    // https://code.claude.com/docs/en/mcp: the person is asked when the project is opened.
    project: [hookFile('.claude/settings.json', CLAUDE_HOOKS), serverFile('.mcp.json')],
    user: [claudeHooksOnly('.claude/settings.json', 'user')],
    local: [claudeHooksOnly('.claude/settings.local.json', 'local')],
  },
  codex: inBothScopes(CODEX),
  cursor: inBothScopes(CURSOR),
  gemini: inBothScopes(GEMINI),
  opencode: {
    project: pluginFiles('opencode', '.opencode', 'opencode.json'),
    user: pluginFiles('opencode', '.config/opencode', '.config/opencode/opencode.json'),
  },
  kilo: {
    project: pluginFiles('kilo', '.kilo', 'kilo.json'),
    user: pluginFiles('kilo', '.config/kilo', '.config/kilo/kilo.json'),
  },
  copilot: {
    project: [copilotHooks('.github/hooks/ambit.json', 'copilot'), serverFile('.mcp.json')],
    user: [
      copilotHooks('.copilot/hooks/ambit.json', 'copilot'),
      serverFile('.copilot/mcp-config.json', ['mcpServers'], { type: 'local', ...SERVER, tools: ['*'] }),
    ],
    local: [copilotHooks('.github/copilot/settings.local.json', 'copilot')],
  },
  vscode: {
    project: [
      copilotHooks('.github/hooks/ambit.json', 'vscode'),
      serverFile('.vscode/mcp.json', ['servers'], { type: 'stdio', ...SERVER }),
    ],
    user: [copilotHooks('.copilot/hooks/ambit.json', 'vscode')],
  },
  cline: {
    project: clineHooks('.clinerules/hooks'),
    user: [...clineHooks('Documents/Cline/Hooks'), serverFile('.cline/data/settings/cline_mcp_settings.json')],
  },
  crush: { project: [crushFile('crush.json')], user: [crushFile('.config/crush/crush.json')] },
  qwen: inBothScopes(QWEN),
  kiro: inBothScopes(KIRO),
  factory: inBothScopes(FACTORY),
} as const satisfies Readonly<Record<AgentName, AgentFiles>>

/** A file with only the hooks, because Claude Code stores the servers of a user in its own state file. */
function claudeHooksOnly(name: string, scope: string): AgentFile {
  const note = `${ON_PATH} For the MCP server run "claude mcp add --scope ${scope} ambit -- ambit mcp".`
  return hookFile(name, CLAUDE_HOOKS, note)
}
