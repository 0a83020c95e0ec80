/**
 * How each agent is brought to load the context when a session starts. The formats are those of the documents named
 * beside them, as they were in November 2026.
 */

import type { Json, JsonEdit } from './json-edit.ts'
import { hookScript, OPENCODE_PLUGIN } from './scripts.ts'

/** A file of the project that an agent reads: a text, or entries in a JSON file that may hold others. */
export type AgentFile = {
  /** From the project's root, with slashes. */
  readonly name: string
  /** What the person should know about it. */
  readonly note?: string
} & ({ readonly content: string } | { readonly edits: readonly JsonEdit[] })

/** Tells our hook from those of others, by what it runs. */
const OURS = /\bambit(?:\.cmd)?(?:\\?["'])?\s+load\b|\bhooks[\\/]+ambit\.mjs\b/

/** Claude Code and Codex keep 10,000 characters of what a hook prints; a token stands for four bytes. */
const CAPPED_LOAD = 'ambit load --no-instructions --format xml --budget 2400'

/** Seconds until the agent gives up on the hook. */
const TIMEOUT = 30

/** A resumed session holds the context already. */
const STARTS = 'startup|clear|compact'

/** No package runner is used instead: it would run whatever a registry has under this name. */
const ON_PATH = 'It needs "ambit" on the PATH.'

/** How most agents are told of the MCP server. */
const SERVER = { command: 'ambit', args: ['mcp'] }

/** The files of each agent: what loads the context when a session starts, and the MCP server for what comes later. */
export const AGENTS = {
  // https://code.claude.com/docs/en/hooks: what the command prints becomes context.
  claude: [
    {
      name: '.claude/settings.json',
      edits: [hook('SessionStart', { matcher: STARTS, hooks: [command(CAPPED_LOAD)] })],
      note: ON_PATH,
    },
    // https://code.claude.com/docs/en/mcp: asked about when the project is opened.
    mcpServers('.mcp.json'),
  ],

  // https://developers.openai.com/codex/hooks: likewise, but for output that looks like JSON.
  codex: [
    {
      name: '.codex/hooks.json',
      edits: [hook('SessionStart', { matcher: STARTS, hooks: [command(CAPPED_LOAD)] })],
      note: `${ON_PATH} Codex runs a hook only when it is trusted: see /hooks in Codex.`,
    },
    // https://developers.openai.com/codex/mcp: of a trusted project.
    {
      name: '.codex/config.toml',
      content: '[mcp_servers.ambit]\ncommand = "ambit"\nargs = ["mcp"]\n',
      note: 'Where it is there already, run "codex mcp add ambit -- ambit mcp".',
    },
  ],

  // https://cursor.com/docs/hooks, version 1: a script answers in JSON, and is started in the project's root.
  cursor: [
    {
      name: '.cursor/hooks.json',
      edits: [
        { at: ['version'], set: 1 },
        hook('sessionStart', { command: 'node .cursor/hooks/ambit.mjs', timeout: TIMEOUT }),
      ],
      note: `${ON_PATH} Some releases of the Cursor editor lose what the hook gives: let AGENTS.md ask for "ambit load" too.`,
    },
    { name: '.cursor/hooks/ambit.mjs', content: hookScript('cursor', '{ additional_context: context }') },
    // https://cursor.com/docs/mcp
    mcpServers('.cursor/mcp.json'),
  ],

  // https://geminicli.com/docs/hooks/reference: likewise; milliseconds, and a matcher would be a single exact word.
  gemini: [
    {
      name: '.gemini/settings.json',
      edits: [
        hook('SessionStart', {
          hooks: [{ name: 'ambit', ...command('node .gemini/hooks/ambit.mjs'), timeout: TIMEOUT * 1000 }],
        }),
        { at: ['mcpServers', 'ambit'], set: SERVER },
      ],
      note: `${ON_PATH} Gemini CLI runs a hook only in a trusted folder.`,
    },
    {
      name: '.gemini/hooks/ambit.mjs',
      content: hookScript(
        'gemini',
        "{ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: context } }",
      ),
    },
  ],

  // https://opencode.ai/v1/docs/plugins and https://opencode.ai/v2/docs/build/plugins: found by its place.
  opencode: [
    {
      name: '.opencode/plugins/ambit.js',
      content: OPENCODE_PLUGIN,
      note: `${ON_PATH} It needs OpenCode 1.18 or newer.`,
    },
    // https://opencode.ai/docs/mcp-servers: the form of version 1, which 2 reads too.
    {
      name: 'opencode.json',
      edits: [{ at: ['mcp', 'ambit'], set: { type: 'local', command: ['ambit', 'mcp'], enabled: true } }],
    },
  ],
} as const satisfies Readonly<Record<string, readonly AgentFile[]>>

/** An agent that can be set up. */
export type AgentName = keyof typeof AGENTS

function mcpServers(name: string): AgentFile {
  return { name, edits: [{ at: ['mcpServers', 'ambit'], set: SERVER }] }
}

function hook(event: string, push: Json): JsonEdit {
  return { at: ['hooks', event], push, known: OURS }
}

function command(line: string) {
  return { type: 'command', command: line, timeout: TIMEOUT }
}
