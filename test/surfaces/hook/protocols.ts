/** The events of each tool, as its documents and the running program have them, and where its model's text stands in an answer. */

import type { AgentName } from '../../../src/core/choices.ts'

/** Where a tool stands when it says something. */
export interface Spot {
  readonly cwd: string
  readonly session: string
  readonly subagent?: string
}

export interface Protocol {
  start(spot: Spot, source: 'startup' | 'resume'): object
  /** Absent where a hook cannot add context to a prompt. */
  readonly prompt?: (spot: Spot) => object
  /** After a shell's command, or before it. */
  shell(spot: Spot, command: string): object
  /** After a file was read, or before it. Absent for a tool that reads by its shell alone. */
  readonly read?: (spot: Spot, path: string) => object
  /** What is said when what the model sees is cut: the next event begins anew, or this one does. */
  compacted(spot: Spot): object
  readonly subagent?: (spot: Spot) => object
  /** What the model sees of an answer. */
  text(out: string): unknown
}

type Fields = Readonly<Record<string, unknown>>

const claudeText = (out: string) => JSON.parse(out).hookSpecificOutput.additionalContext

/** Claude Code's fields, with what a tool adds to all of its events. */
function claudeKin(tools: { readonly shell: string; readonly read?: string }, added: Fields = {}) {
  const base = ({ cwd, session, subagent }: Spot, hook_event_name: string): Fields => ({
    session_id: session,
    transcript_path: '/tmp/t.jsonl',
    cwd,
    hook_event_name,
    ...(subagent !== undefined && { agent_id: subagent, agent_type: 'general-purpose' }),
    ...added,
  })
  const call = (spot: Spot, tool_name: string, tool_input: object) => ({
    ...base(spot, 'PostToolUse'),
    tool_name,
    tool_input,
    tool_response: { stdout: 'export const x = 1' },
    tool_use_id: 'toolu_1',
  })
  const { shell, read } = tools
  return {
    start: (spot: Spot, source: string) => ({ ...base(spot, 'SessionStart'), source }),
    prompt: (spot: Spot) => ({ ...base(spot, 'UserPromptSubmit'), prompt: 'go on' }),
    shell: (spot: Spot, command: string) => call(spot, shell, { command, description: 'looks' }),
    ...(read !== undefined && { read: (spot: Spot, file_path: string) => call(spot, read, { file_path, limit: 10 }) }),
    compacted: (spot: Spot): object => ({ ...base(spot, 'SessionStart'), source: 'compact' }),
    subagent: (spot: Spot) => base(spot, 'SubagentStart'),
    text: claudeText,
    base,
    call,
  }
}

const claude = claudeKin({ shell: 'Bash', read: 'Read' })
const qwen = claudeKin({ shell: 'run_shell_command', read: 'read_file' }, { timestamp: '2026-11-22T18:00:00Z' })
const gemini = claudeKin({ shell: 'run_shell_command', read: 'read_file' }, { timestamp: '2026-11-22T18:00:00Z' })
const factory = claudeKin({ shell: 'Execute', read: 'Read' })
const kiro = claudeKin({ shell: 'execute_bash', read: 'fs_read' })

/** What the plugin says that `ambit init` writes for OpenCode and Kilo. */
const OPENCODE: Protocol = {
  start: ({ cwd, session }, source) => ({ hook_event_name: 'SessionStart', session_id: session, cwd, source }),
  shell: ({ cwd, session }, command) => openCodeCall(cwd, session, 'bash', { command }),
  read: ({ cwd, session }, filePath) => openCodeCall(cwd, session, 'glob', { path: filePath, pattern: '*' }),
  compacted: ({ cwd, session }) => ({ hook_event_name: 'SessionStart', session_id: session, cwd, source: 'compact' }),
  text: (out) => out,
}

export const PROTOCOLS: Readonly<Record<AgentName, Protocol>> = {
  claude,
  codex: claudeKin({ shell: 'Bash' }, { turn_id: 't', model: 'gpt-5.1-codex' }),
  gemini: {
    start: gemini.start,
    prompt: (spot) => ({ ...gemini.base(spot, 'BeforeAgent'), prompt: 'go on' }),
    shell: (spot, command) => ({ ...gemini.shell(spot, command), hook_event_name: 'AfterTool' }),
    read: (spot, path) => ({ ...gemini.call(spot, 'read_file', { file_path: path }), hook_event_name: 'AfterTool' }),
    compacted: (spot) => ({ ...gemini.base(spot, 'PreCompress'), trigger: 'manual' }),
    text: claudeText,
  },
  qwen: { ...qwen, compacted: (spot) => ({ ...qwen.base(spot, 'PreCompact'), trigger: 'auto' }) },
  factory: {
    start: factory.start,
    prompt: factory.prompt,
    shell: factory.shell,
    read: (spot, path) => factory.call(spot, 'Read', { file_path: path, offset: 0 }),
    compacted: (spot) => ({ ...factory.base(spot, 'PreCompact'), trigger: 'auto' }),
    text: claudeText,
  },
  kiro: {
    start: kiro.start,
    prompt: kiro.prompt,
    shell: kiro.shell,
    compacted: (spot) => ({ ...kiro.base(spot, 'SessionStart'), source: 'compact' }),
    text: (out) => out,
  },
  copilot: {
    start: ({ cwd, session }, source) => ({ sessionId: session, timestamp: 1, cwd, source, initialPrompt: 'hi' }),
    shell: ({ cwd, session }, command) => ({
      sessionId: session,
      timestamp: 1,
      cwd,
      toolName: 'bash',
      toolArgs: JSON.stringify({ command, description: 'looks' }),
      toolResult: { resultType: 'success', textResultForLlm: 'x' },
    }),
    compacted: ({ cwd, session }) => ({ sessionId: session, timestamp: 1, cwd, trigger: 'auto' }),
    text: (out) => JSON.parse(out).additionalContext,
  },
  vscode: {
    start: ({ cwd, session }) => ({
      timestamp: 't',
      cwd,
      sessionId: session,
      hookEventName: 'SessionStart',
      source: 'new',
    }),
    shell: ({ cwd, session }, command) => ({
      timestamp: 't',
      cwd,
      sessionId: session,
      hookEventName: 'PostToolUse',
      tool_name: 'run_in_terminal',
      tool_input: { command },
      tool_use_id: 'c',
      tool_response: 'x',
    }),
    compacted: ({ cwd, session }) => ({ cwd, sessionId: session, hookEventName: 'PreCompact', trigger: 'auto' }),
    text: claudeText,
  },
  cursor: {
    start: ({ cwd, session }) => ({ ...cursorBase(cwd, session, 'sessionStart'), composer_mode: 'agent' }),
    prompt: ({ cwd, session }) => ({
      ...cursorBase(cwd, session, 'beforeSubmitPrompt'),
      prompt: 'go on',
      attachments: [],
    }),
    shell: ({ cwd, session }, command) => ({
      ...cursorBase(cwd, session, 'postToolUse'),
      tool_name: 'Shell',
      tool_input: { command },
      tool_output: '{}',
      cwd,
    }),
    compacted: ({ cwd, session }) => ({ ...cursorBase(cwd, session, 'preCompact'), trigger: 'auto' }),
    text: (out) => JSON.parse(out).additional_context,
  },
  cline: {
    start: ({ cwd, session }, source) => clineEvent(cwd, session, source === 'resume' ? 'TaskResume' : 'TaskStart', {}),
    prompt: ({ cwd, session }) => clineEvent(cwd, session, 'UserPromptSubmit', { prompt: 'go on' }),
    shell: ({ cwd, session }, command) =>
      clineEvent(cwd, session, 'PostToolUse', {
        toolName: 'execute_command',
        parameters: { command, requires_approval: 'false' },
        result: 'x',
        success: true,
      }),
    read: ({ cwd, session }, path) =>
      clineEvent(cwd, session, 'PostToolUse', {
        toolName: 'read_file',
        parameters: { path },
        result: 'x',
        success: true,
      }),
    compacted: ({ cwd, session }) => clineEvent(cwd, session, 'PreCompact', {}),
    text(out) {
      const { cancel, contextModification } = JSON.parse(out)
      return cancel === false ? contextModification : undefined
    },
  },
  crush: {
    // It says nothing at the start: its first call is one.
    start: ({ cwd, session }) => crushCall(cwd, session, 'ls', {}),
    shell: ({ cwd, session }, command) => crushCall(cwd, session, 'bash', { command }),
    read: ({ cwd, session }, file_path) => crushCall(cwd, session, 'view', { file_path, limit: 10 }),
    compacted: ({ cwd, session }) => ({ ...crushCall(cwd, session, 'compact', {}), event: 'PreCompact' }),
    text: (out) => JSON.parse(out).context,
  },
  opencode: OPENCODE,
  // Kilo's plugin has the events of OpenCode's, of which it is made.
  kilo: OPENCODE,
}

function cursorBase(cwd: string, conversation_id: string, hook_event_name: string): Fields {
  return {
    conversation_id,
    generation_id: 'g',
    model: 'm',
    hook_event_name,
    cursor_version: '2.0',
    workspace_roots: [cwd],
  }
}

function clineEvent(cwd: string, taskId: string, hookName: string, about: object): Fields {
  const key = `${hookName.charAt(0).toLowerCase()}${hookName.slice(1)}`
  return { clineVersion: '3', taskId, hookName, timestamp: '1', workspaceRoots: [cwd], userId: 'u', [key]: about }
}

function crushCall(cwd: string, session_id: string, tool_name: string, tool_input: object): Fields {
  return { event: 'PreToolUse', session_id, cwd, tool_name, tool_input }
}

function openCodeCall(cwd: string, session_id: string, tool_name: string, tool_input: object): Fields {
  return { hook_event_name: 'PostToolUse', session_id, cwd, tool_name, tool_input }
}
