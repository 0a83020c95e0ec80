/**
 * The protocol between each tool and its hooks: one row for each tool, for the version in `CHECKED_VERSIONS`. If the documentation of a tool and its
 * program differ, the row follows the program.
 */

import type { AgentName } from '../../core/choices.ts'
import type { Engine } from '../../engine/engine.ts'

export type HookReachRequest = Parameters<Engine['reach']>[0]

/** A tool whose hooks can give its model context. */
export interface HookAgent {
  /** The name of the tool's profile. Default: the name of its row. */
  readonly profile?: string
  /** Moments of its events, by name in lower case; others are ignored. */
  readonly events: Readonly<Record<string, HookMoment>>
  /** Default: `xml`. */
  readonly format?: 'markdown'
  /** Tools that load the instruction files of touched paths by themselves. Default: none. */
  readonly selfLoadingTools?: RegExp
  /** Whether it announces compactions that do not happen. Then only compactions that a person requests count. */
  readonly hasFalseCompactions?: true
  /** Whether a resume makes its model lose the context from the start of the session. Context from later events stays. */
  readonly forgets?: true
  /** Types of subagents that do not get the instruction files. */
  readonly bareSubagents?: RegExp
  /** The answer in the format of the tool. `event`: its name as the tool wrote it. */
  readonly answer: (text: string, event: string) => string
}

/** A moment; or `start`, which the source of the event turns into `begin` or `resume`. */
export type HookMoment = HookReachRequest['moment'] | 'start'

/** Events of Claude Code, which other tools copied. */
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

/** For tools with a plugin, which `ambit init` writes and which sends the events of `assets/opencode-plugin.js`. */
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
    // It announces a compaction each time it checks whether to compress, which is before each request.
    hasFalseCompactions: true,
    forgets: true,
    // It escapes `<` as `&lt;` in the answers of hooks, so the answer is not XML.
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
      // The CLI has its own names of events, and drops the answers at the start and on a prompt: the first call gets everything.
      agent_start: 'end',
      tool_result: 'call',
      pre_compact: 'end',
    },
    answer: (contextModification) => jsonLine({ cancel: false, contextModification }),
  },
  crush: { events: CLAUDE_EVENTS, answer: (context) => jsonLine({ context }) },
  qwen: { events: CLAUDE_EVENTS, forgets: true, answer: claudeAnswer },
  kiro: {
    // Its CLI agents begin with their own event.
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
