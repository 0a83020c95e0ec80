/**
 * The hook protocols of coding tools: one row for each tool, valid for the version in `CHECKED_VERSIONS`. If the documentation of
 * a tool and its behaviour differ, the row follows the behaviour.
 */

import type { AgentName } from '../../core/choices.ts'
import type { Engine } from '../../engine/engine.ts'

export type HookReachRequest = Parameters<Engine['reach']>[0]

/** A coding tool that passes the output of hooks to its model. */
export interface HookAgent {
  /** The name of the tool's profile. Default: the name of its row. */
  readonly profile?: string
  /** The moments of the tool's events, by the name of the event in lower case. Other events are ignored. */
  readonly events: Readonly<Record<string, HookMoment>>
  /** The format of the context. Default: `xml`. */
  readonly format?: 'markdown'
  /** Names of calls after which the agent itself loads the instruction files of touched paths. Default: none. */
  readonly selfLoadingTools?: RegExp
  /** Whether the agent announces compactions that do not happen. Then only compactions that a person requests count. */
  readonly hasFalseCompactions?: true
  /**
   * Whether the agent drops the context from the start of a session when it resumes the session. Context from later events stays.
   */
  readonly forgets?: true
  /** Types of subagents that do not get the instruction files. */
  readonly bareSubagents?: RegExp
  /** Formats the answer for the agent. `event`: the name of the event, as the agent wrote it. */
  readonly answer: (text: string, event: string) => string
}

/** A moment of a session, such as `call`; or `start`: `begin` or `resume`, depending on the source of the event. */
export type HookMoment = HookReachRequest['moment'] | 'start'

/** The events of Claude Code. Other tools use the same names. */
const CLAUDE_EVENTS: HookAgent['events'] = {
  sessionstart: 'start',
  userpromptsubmit: 'prompt',
  pretooluse: 'call',
  posttooluse: 'call',
  posttoolusefailure: 'call',
  subagentstart: 'begin',
  precompact: 'end',
}

const jsonLine = (value: object) => `${JSON.stringify(value)}\n`

const claudeAnswer: HookAgent['answer'] = (additionalContext, hookEventName) =>
  jsonLine({ hookSpecificOutput: { hookEventName, additionalContext } })

/** For tools that run the plugin `assets/opencode-plugin.js`, which `ambit init` installs. */
const BY_PLUGIN = {
  events: CLAUDE_EVENTS,
  forgets: true,
  selfLoadingTools: /^read$/,
  answer: (text: string) => text,
} as const

/** The rows, by the names that `ambit hook` accepts. */
export const HOOK_AGENTS = {
  claude: {
    events: CLAUDE_EVENTS,
    selfLoadingTools: /^(Read|NotebookRead)$/,
    bareSubagents: /^(Explore|Plan)$/,
    answer: claudeAnswer,
  },
  codex: { events: CLAUDE_EVENTS, answer: claudeAnswer },
  gemini: {
    events: { sessionstart: 'start', beforeagent: 'prompt', aftertool: 'call', precompress: 'end' },
    // Gemini CLI announces a compaction before each request, when it checks whether to compress.
    hasFalseCompactions: true,
    forgets: true,
    // Gemini CLI escapes `<` as `&lt;` in the output of hooks, so XML would be damaged.
    format: 'markdown',
    selfLoadingTools: /^(read_file|read_many_files|list_directory|write_file|replace)$/,
    answer: claudeAnswer,
  },
  copilot: {
    profile: 'copilot-cli',
    events: { ...CLAUDE_EVENTS, userpromptsubmitted: 'prompt' },
    forgets: true,
    selfLoadingTools: /^(view|edit|create)$/,
    answer: (additionalContext) => jsonLine({ additionalContext }),
  },
  vscode: { events: CLAUDE_EVENTS, answer: claudeAnswer },
  cursor: {
    events: { ...CLAUDE_EVENTS, beforesubmitprompt: 'prompt' },
    selfLoadingTools: /^(Read|Write|Edit)$/,
    answer: (additional_context) => jsonLine({ additional_context }),
  },
  cline: {
    events: {
      ...CLAUDE_EVENTS,
      taskstart: 'begin',
      taskresume: 'resume',
      // The CLI has other names of events. It drops the output of hooks at the start and on a prompt, so the first call
      // gets everything.
      agent_start: 'end',
      tool_result: 'call',
      pre_compact: 'end',
    },
    answer: (contextModification) => jsonLine({ cancel: false, contextModification }),
  },
  crush: { events: CLAUDE_EVENTS, answer: (context) => jsonLine({ context }) },
  qwen: { events: CLAUDE_EVENTS, forgets: true, answer: claudeAnswer },
  kiro: {
    // Agents of the CLI begin with another event.
    events: { ...CLAUDE_EVENTS, agentspawn: 'start' },
    selfLoadingTools: /^(fs_)?(read|write)/,
    answer: (text) => text,
  },
  factory: { events: CLAUDE_EVENTS, answer: claudeAnswer },
  opencode: BY_PLUGIN,
  kilo: BY_PLUGIN,
} as const satisfies Readonly<Record<AgentName, HookAgent>>

/** Whether `ambit hook` supports a tool of this name. */
export function isHookAgent(name: string): name is AgentName {
  return Object.hasOwn(HOOK_AGENTS, name)
}
