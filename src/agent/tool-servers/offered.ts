/** Tools of a server as a model is offered them: named by the server, described without hidden characters, and bounded. */

import type { Tool } from '@modelcontextprotocol/client'
import type { JsonSchema } from '../../core/answer.ts'
import { oneLine } from '../../text/controls.ts'
import { cutElements } from '../../text/elements.ts'
import { neutralise } from '../../text/invisible.ts'
import { clipBytes } from '../../text/truncate.ts'
import type { AgentTool, AnswerServer, ToolOutput } from '../tool.ts'
import type { ToolServerConfig } from '../tool-servers.ts'

/** Tools of one server, bytes of one description and of one schema, and characters of a name as services take them. */
const MOST_TOOLS = 64
const MOST_DESCRIPTION = 1500
const MOST_SCHEMA = 16_000
const MOST_NAME = 64

/** Milliseconds of a call that tells of its progress: the server's own time is counted from the last that was heard. */
export const MOST_CALL_MS = 3_600_000

/** Calls a tool by the name that its server knows. */
export type CallTool = (
  name: string,
  input: Readonly<Record<string, unknown>>,
  person: CallingPerson,
) => Promise<ToolOutput>

/** Who a call is made for. */
export interface CallingPerson {
  readonly signal: AbortSignal
  /** Default: nobody can be asked. */
  readonly answer?: AnswerServer | undefined
}

export interface Offered {
  readonly tools: readonly AgentTool[]
  /** A sentence for each that is not offered. */
  readonly left: readonly string[]
}

export function offerTools(server: string, tools: readonly Tool[], { settings, call }: OfferedParts): Offered {
  const kept = new Map<string, AgentTool>()
  const left: string[] = []
  for (const tool of tools) {
    const name = `${server}__${tool.name}`
    const problem = toolProblem(name, tool) ?? (kept.has(name) ? 'There is another of that name.' : undefined)
    const isTooMany = kept.size === MOST_TOOLS ? `More than ${MOST_TOOLS} are not offered.` : undefined
    const why = problem ?? isTooMany
    if (why === undefined) kept.set(name, offer(name, tool, { settings, call, server }))
    else left.push(`${oneLine(tool.name.slice(0, 100))}: ${why}`)
  }
  return { tools: [...kept.values()], left }
}

export interface OfferedParts {
  readonly settings: ToolServerConfig
  readonly call: CallTool
}

function toolProblem(name: string, { inputSchema }: Tool): string | undefined {
  if (!/^[a-zA-Z0-9_-]+$/.test(name)) return 'Its name has characters that models do not take.'
  if (name.length > MOST_NAME) return `Its name is longer than ${MOST_NAME} characters.`
  if (inputSchema.type !== 'object') return 'Its input is not an object.'
  return JSON.stringify(inputSchema).length > MOST_SCHEMA
    ? 'What it takes is described at too great a length.'
    : undefined
}

function offer(
  name: string,
  tool: Tool,
  { settings, call, server }: OfferedParts & { readonly server: string },
): AgentTool {
  const about = clipBytes(neutralise(tool.description ?? tool.title ?? '').text.trim(), MOST_DESCRIPTION)
  return {
    name,
    description: `From the MCP server ${server}, which describes it so: ${about || 'nothing is said.'}`,
    effect: isRead(tool, settings) ? 'read' : 'write',
    input: schemaOf(tool),
    ms: MOST_CALL_MS,
    run: (input, signal, { answer }) => call(tool.name, Object(input), { signal, answer }),
    cut: (text, mostBytes) => cutElements(text, mostBytes, (shown, all) => `${shown} of ${all} bytes are given.`),
  }
}

/** Only who set the server says whether its tools read. */
function isRead({ name, annotations }: Tool, { trustReadOnly = false, readOnly = [] }: ToolServerConfig): boolean {
  if (readOnly.includes(name)) return true
  return trustReadOnly && annotations?.readOnlyHint === true && annotations.destructiveHint !== true
}

/** Adds an empty list of properties where it is missing: some services refuse a schema without one. */
function schemaOf({ inputSchema }: Tool): JsonSchema {
  const { $schema: _, ...schema } = JSON.parse(neutralise(JSON.stringify(inputSchema)).text)
  return { properties: {}, ...schema }
}
