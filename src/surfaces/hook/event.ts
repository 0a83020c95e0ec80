/** Parses the JSON of a tool's hook. Tools have different names for the same fields. */

import { tryToRead } from '../../core/errors.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { patchPaths } from '../../text/patch-paths.ts'
import { quoteShell } from '../../text/shell-quote.ts'
import type { HookReachRequest } from './agents.ts'

/** The fields of an event that Ambit needs. */
export interface HookEvent
  extends Pick<HookReachRequest, 'session' | 'cwd' | 'touched' | 'commands' | 'workdir' | 'results' | 'seen'> {
  /** The name of the event, as the tool wrote it. */
  readonly name: string
  /** The id of a subagent; absent for the main agent. */
  readonly subagent?: string
  readonly subagentType?: string
  readonly prompt?: string
  /** Why a session starts. */
  readonly source?: string
  /** Cause of a compaction: `manual`, `auto`. */
  readonly trigger?: string
  readonly tool?: string
  /** The program that runs the hook; absent if it is the program whose settings name the hook. */
  readonly runBy?: 'cursor' | 'vscode'
}

type Fields = Readonly<Record<string, unknown>>

/** The names that tools use for each field. The first name with a value counts. */
const FIELD_NAMES = {
  name: ['hook_event_name', 'hookEventName', 'hookName', 'event'],
  session: ['session_id', 'sessionId', 'conversation_id', 'taskId', 'sessionID'],
  cwd: ['cwd', 'workspace_roots', 'workspaceRoots'],
  subagent: ['agent_id', 'agentId', 'subagent_id'],
  subagentType: ['agent_type', 'agentType', 'agentName', 'subagent_type'],
  source: ['source'],
  trigger: ['trigger'],
  prompt: ['prompt', 'user_prompt', 'userPrompt', 'message'],
  tool: ['tool_name', 'toolName', 'tool'],
  input: ['tool_input', 'toolInput', 'toolArgs', 'args', 'parameters'],
  results: 'tool_response toolResponse tool_result toolResult tool_output toolOutput result output'.split(' '),
} as const

/** Inputs with one path, or a list of paths. */
const PATH_INPUTS = new Set(
  (
    'file_path filepath path paths file files notebook_path absolute_path target_file target_directory ' +
    'dir_path directory include_directories'
  ).split(' '),
)

/** Inputs with a command line, or with the words of a command line. */
const COMMAND_INPUTS = new Set(['command', 'cmd', 'commands', 'script'])

/** Inputs with the working directory of a command. `directory` and `dir_path` are also in `PATH_INPUTS`. */
const WORKDIR_INPUTS = ['workdir', 'cwd', 'working_directory', 'workingDirectory', 'dir_path', 'directory']

/** Tools whose output contains file names. */
const LISTING_TOOLS =
  /^(?!mcp).*(glob|grep|search_?file|file_?search|(text|code|semantic)_?search|list_?(dir|file|code)|find)|^(ls|list)$/i

/** Maximum characters to read of a tool's output. */
const MAX_RESULT_CHARACTERS = 64 * 1024

/** Inputs with a patch. */
const PATCH_INPUTS = new Set(['patch', 'patch_text', 'patchtext', 'input', 'diff'])

/** Inputs that select only a part of a file. */
const PART_INPUTS = new Set(['offset', 'limit', 'start_line', 'end_line', 'view_range', 'pages', 'lines', 'line_start'])

/** Tools whose output is the unchanged file. */
const READING_TOOLS = /^(read|view|cat|read_file|readfile|open_file)$/i

/**
 * Parses an event. Returns undefined unless the text is a JSON object with a session, a directory and an event name. `knownName`:
 * the name to use if the object has none.
 */
export function parseHookEvent(text: string, knownName?: string): HookEvent | undefined {
  const eventFields = toFields(text)
  if (!eventFields) return undefined
  const fields = { ...eventFields, ...nestedFields(eventFields) }
  const name = textAt(fields, FIELD_NAMES.name) ?? knownName ?? impliedName(fields)
  const session = textAt(fields, FIELD_NAMES.session)
  const cwd = textAt(fields, FIELD_NAMES.cwd)
  if (name === undefined || session === undefined || cwd === undefined) return undefined
  const tool = textAt(fields, FIELD_NAMES.tool)
  const input = toFields(FIELD_NAMES.input.map((key) => fields[key]).find((value) => value !== undefined)) ?? {}
  const touched = [...new Set(eventPaths(input))]
  const commands = commandsIn(input)
  const isLister = commands.length > 0 || (tool !== undefined && LISTING_TOOLS.test(tool))
  // Cline gives an id to each agent; only a subagent has also the id of its parent.
  const isMain = 'clineVersion' in fields && textAt(fields, ['parent_agent_id']) === undefined
  const isPart = Object.keys(input).some((key) => PART_INPUTS.has(key.toLowerCase()))
  const isWholeFile = tool !== undefined && READING_TOOLS.test(tool) && !isPart
  return {
    name,
    session,
    cwd,
    touched,
    commands,
    results: isLister ? textsIn(FIELD_NAMES.results.map((key) => fields[key])) : '',
    seen: isWholeFile ? touched : [],
    ...omitUndefined({
      workdir: commands.length > 0 ? textAt(input, WORKDIR_INPUTS) : undefined,
      subagent: isMain ? undefined : textAt(fields, FIELD_NAMES.subagent),
      subagentType: textAt(fields, FIELD_NAMES.subagentType),
      source: textAt(fields, FIELD_NAMES.source),
      trigger: textAt(fields, FIELD_NAMES.trigger),
      prompt: textAt(fields, FIELD_NAMES.prompt),
      tool,
      runBy: hostProgram(fields),
    }),
  }
}

/**
 * Fields that Cline nests: under the name of the event, as in `postToolUse: { toolName, parameters }`; in Cline's CLI, under
 * `tool_result` or `tool_call`.
 */
function nestedFields(fields: Fields): Fields {
  const call = toFields(fields.tool_result) ?? toFields(fields.tool_call)
  if (fields.clineVersion !== undefined && call) return { toolName: call.name, tool_input: call.input }
  return toFields(fields.postToolUse) ?? toFields(fields.preToolUse) ?? {}
}

/** The name of an event in Copilot's own format, which has no name field. Derived from the other fields. */
function impliedName(fields: Fields): string | undefined {
  if ('toolName' in fields) return 'postToolUse'
  if ('agentName' in fields) return 'subagentStart'
  if ('trigger' in fields) return 'preCompact'
  if ('prompt' in fields) return 'userPromptSubmitted'
  return 'source' in fields ? 'sessionStart' : undefined
}

/**
 * The program that runs the hook. Cursor and VS Code run the hooks in the settings of Claude Code; VS Code also runs the hooks of
 * Copilot CLI.
 */
function hostProgram(fields: Fields): HookEvent['runBy'] {
  if ('cursor_version' in fields) return 'cursor'
  return 'hookEventName' in fields ? 'vscode' : undefined
}

/** Accepts an object, or the JSON of an object. Returns undefined for other values. */
function toFields(value: unknown): Fields | undefined {
  const parsed: unknown = tryToRead(() => (typeof value === 'string' ? JSON.parse(value) : value))
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
}

/** The first non-empty text in these fields. In a list, only the first item counts. */
function textAt(fields: Fields, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = fields[key]
    const first: unknown = Array.isArray(value) ? value[0] : value
    if (typeof first === 'string' && first !== '') return first
  }
  return undefined
}

function eventPaths(input: Fields): readonly string[] {
  return Object.entries(input).flatMap(([name, value]) => {
    const key = name.toLowerCase()
    if (PATH_INPUTS.has(key)) return eventTexts(value)
    return PATCH_INPUTS.has(key) ? eventTexts(value).flatMap(patchPaths) : []
  })
}

/**
 * The command lines of an input: a text is one line, a list has the words of one line, and a list named `commands` has several
 * lines.
 */
function commandsIn(input: Fields): readonly string[] {
  return Object.entries(input).flatMap(([name, value]) => {
    const key = name.toLowerCase()
    if (!COMMAND_INPUTS.has(key)) return []
    const texts = eventTexts(value)
    return Array.isArray(value) && key !== 'commands' ? [texts.map(quoteShell).join(' ')] : texts
  })
}

/** All texts within values, one on each line, up to `MAX_RESULT_CHARACTERS` characters. */
function textsIn(values: readonly unknown[]): string {
  const lines: string[] = []
  let length = 0
  // Uses iterators, because a list may have more items than a function call can have arguments.
  const levels: Iterator<unknown>[] = [values.values()]
  for (let level = levels.at(-1); level && length < MAX_RESULT_CHARACTERS; level = levels.at(-1)) {
    const { done = false, value } = level.next()
    const inner = (typeof value === 'string' && value.startsWith('{') && toFields(value)) || value
    if (done) levels.pop()
    else if (typeof inner === 'string') {
      length += inner.length + 1
      lines.push(inner)
    } else if (typeof inner === 'object' && inner !== null) levels.push(Object.values(inner).values())
  }
  return lines.join('\n').slice(0, MAX_RESULT_CHARACTERS)
}

/** The texts of a value, which may be a text or a list. An object with a text `path` counts as this text. */
function eventTexts(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.map((item) => Object(item).path ?? item).filter((one) => typeof one === 'string')
}
