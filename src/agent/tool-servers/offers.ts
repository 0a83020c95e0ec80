/** Converts tools, prompts and results of an MCP server for a model: removes hidden characters, and limits sizes. */

import type {
  CallToolResult,
  Client,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  RequestOptions,
  Resource,
  Tool,
} from '@modelcontextprotocol/client'
import type { JsonSchema } from '../../core/answer.ts'
import { ContextError, invalidInput } from '../../core/errors.ts'
import { oneLine, stripControls } from '../../text/controls.ts'
import { frameText } from '../../text/frames.ts'
import { neutralise } from '../../text/invisible.ts'
import { clipBytes } from '../../text/truncate.ts'
import { type AgentTool, type CallContext, cutFrames, type ToolOutput } from '../tool.ts'
import type { ServerPrompt, ServerResource, ToolServer, ToolServerConfig } from '../tool-servers.ts'

/** Maximum tools of a server, bytes of a description, and characters of a schema and of a name. */
const MAX_TOOLS = 64
const MAX_DESCRIPTION = 1500
const MAX_SCHEMA = 16_000
const MAX_NAME = 64

/** Maximum milliseconds of a call that reports progress. Without progress, a call ends earlier. */
export const MAX_CALL_MS = 3_600_000

/** The person for whom a tool is called. `answer`: asks questions of the server. `signal`: cancels the call. */
export interface CallingPerson extends Pick<CallContext, 'answer'> {
  readonly signal: AbortSignal
}

/** Makes tools of the assistant from the tools of a server. @returns `left`: a sentence for each omitted tool. */
export function offerTools(server: string, tools: readonly Tool[], { settings, call }: ToolAccess) {
  const offered = new Map<string, AgentTool>()
  const left: string[] = []
  for (const tool of tools) {
    const name = `${server}__${tool.name}`
    const problem = toolProblem(name, tool) ?? (offered.has(name) ? 'Another tool has this name.' : undefined)
    const why = problem ?? (offered.size === MAX_TOOLS ? `Only the first ${MAX_TOOLS} tools are offered.` : undefined)
    if (why === undefined) offered.set(name, convertTool(name, tool, { settings, call, server }))
    else left.push(`${oneLine(tool.name.slice(0, 100))}: ${why}`)
  }
  return { tools: [...offered.values()], left }
}

interface ToolAccess {
  readonly settings: ToolServerConfig
  /** Calls a tool by the name that its server knows. */
  call(name: string, input: Readonly<Record<string, unknown>>, person: CallingPerson): Promise<ToolOutput>
}

function toolProblem(name: string, { inputSchema }: Tool): string | undefined {
  if (!/^[a-zA-Z0-9_-]+$/.test(name)) return 'Its name has characters that models refuse.'
  if (name.length > MAX_NAME) return `Its name is longer than ${MAX_NAME} characters.`
  if (inputSchema.type !== 'object') return 'Its input is not an object.'
  const isTooLong = JSON.stringify(inputSchema).length > MAX_SCHEMA
  return isTooLong ? `The schema of its input is longer than ${MAX_SCHEMA} characters.` : undefined
}

function convertTool(name: string, tool: Tool, { settings, call, server }: ToolAccess & { server: string }): AgentTool {
  const about = clipBytes(neutralise(tool.description ?? tool.title ?? '').text.trim(), MAX_DESCRIPTION)
  return {
    name,
    description: `From the MCP server ${server}${about && `, which describes it so: ${about}`}`,
    effect: isReadOnly(tool, settings) ? 'read' : 'write',
    input: schemaOf(tool),
    ms: MAX_CALL_MS,
    run: (input, signal, { answer }) => call(tool.name, Object(input), { signal, answer }),
    cut: cutFrames,
  }
}

/** Whether the person's settings declare a tool read-only: by its name, or by trust in the marks of the server. */
function isReadOnly({ name, annotations }: Tool, { trustReadOnly = false, readOnly = [] }: ToolServerConfig): boolean {
  if (readOnly.includes(name)) return true
  return trustReadOnly && annotations?.readOnlyHint === true && annotations.destructiveHint !== true
}

/** The schema of the inputs, without hidden characters. It always has `properties`: some services refuse a schema without them. */
function schemaOf({ inputSchema }: Tool): JsonSchema {
  const { $schema: _, ...schema } = JSON.parse(neutralise(JSON.stringify(inputSchema)).text)
  return { properties: {}, ...schema }
}

/** Maximum prompts and resources of one server, and characters of a description. */
const MAX_LISTED = 200
const MAX_ABOUT = 300

/** The prompts and resources of a server; empty lists if it has none. */
export async function listOffers(client: Client, options: RequestOptions) {
  const { prompts, resources } = Object(client.getServerCapabilities())
  return {
    prompts: prompts ? offerPrompts((await client.listPrompts(undefined, options)).prompts) : [],
    resources: resources ? offerResources((await client.listResources(undefined, options)).resources) : [],
  }
}

export function offerPrompts(prompts: readonly Prompt[]): ServerPrompt[] {
  return prompts.slice(0, MAX_LISTED).map(({ name, title, description, arguments: parameters = [] }) => ({
    name: shortLine(name),
    about: shortLine(description ?? title ?? ''),
    arguments: parameters.map((one) => ({ name: one.name, isRequired: one.required ?? false })),
  }))
}

export function offerResources(resources: readonly Resource[]): ServerResource[] {
  return resources.slice(0, MAX_LISTED).map(({ uri, name, title, description }) => ({
    uri,
    about: shortLine([title ?? name, description].filter(Boolean).join(': ')),
  }))
}

/** A text on one line of at most `max` UTF-16 units, without invisible characters. */
export function shortLine(text: string, max = MAX_ABOUT): string {
  return stripControls(neutralise(text).text).replace(/\s+/g, ' ').trim().slice(0, max).toWellFormed()
}

/** The texts of a prompt's messages, as a question of the person. Messages of the assistant are marked. */
export function promptQuestion({ messages }: GetPromptResult): string {
  const texts = messages.map(({ role, content }) => {
    const text = contentText(content)
    return role === 'assistant' ? `(You said: ${text})` : text
  })
  return stripControls(neutralise(texts.join('\n\n')).text).trim()
}

/** The text of a content block. Binary data becomes a note in brackets. */
function contentText(content: Content): string {
  switch (content.type) {
    case 'text':
      return content.text
    case 'image':
      return `(a picture${isShowable(content) ? '' : ' that cannot be shown'}, ${content.mimeType})`
    case 'audio':
      return `(a sound, ${content.mimeType})`
    case 'resource':
      return embeddedText(content.resource)
    case 'resource_link':
      return `(a resource, ${content.uri})`
  }
}

function embeddedText(resource: ReadResourceResult['contents'][number]): string {
  return 'text' in resource ? resource.text : `(bytes, ${resource.mimeType ?? 'of no known type'})`
}

export function resourceText(server: string, { contents }: ReadResourceResult): string {
  const frame = (content: (typeof contents)[number]) =>
    frameText({ tag: 'resource', attributes: { server, uri: content.uri }, text: embeddedText(content) })
  return contents.map(frame).join('')
}

/**
 * The values of a prompt's arguments, by argument name. The last argument gets all remaining values.
 *
 * @throws ContextError `invalid-input` if a required argument has no value.
 */
export function promptArguments({ name, arguments: parameters }: ServerPrompt, values: readonly string[]) {
  const last = parameters.length - 1
  const entries = parameters.flatMap((parameter, index): [string, string][] => {
    const value = (index === last ? values.slice(index) : values.slice(index, index + 1)).join(' ')
    if (value === '' && parameter.isRequired) throw invalidInput(`The prompt ${name} needs ${oneLine(parameter.name)}.`)
    return value === '' ? [] : [[parameter.name, value]]
  })
  return Object.fromEntries(entries)
}

/** @throws ContextError `not-found`. */
export function findPrompt({ name: server, prompts }: ToolServer, name: string): ServerPrompt {
  const prompt = prompts.find((one) => one.name === name)
  if (prompt) return prompt
  const hint = `Its prompts: ${prompts.map((one) => one.name).join(', ') || 'none'}.`
  const message = `The MCP server ${server} has no prompt ${oneLine(name.slice(0, 100))}.`
  throw new ContextError('not-found', message, { hint })
}

/** Maximum images of a result, maximum base64 characters of an image, and allowed formats. */
const MAX_IMAGES = 4
const MAX_IMAGE = 5_000_000
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** The result of a call in an XML element. `declined`: questions of the server that no person could be asked. */
export function toolOutput(
  { server, tool, declined }: { readonly server: string; readonly tool: string; readonly declined: readonly string[] },
  result: CallToolResult,
): ToolOutput {
  const { content, structuredContent, isError = false } = result
  const images = content.flatMap((block) =>
    block.type === 'image' && isShowable(block) ? [{ mediaType: block.mimeType, data: block.data }] : [],
  )
  const texts = content.map(contentText)
  // Most servers repeat structured content as text.
  if (content.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent))
  const attributes = { server, tool, ...(isError && { failed: 'true' }) }
  const frames = declined.map((question) => frameText({ tag: 'declined', attributes: { server }, text: question }))
  const text = frameText({ tag: 'result', attributes, text: texts.join('\n') }) + frames.join('')
  return { text, ...(images.length > 0 && { images: images.slice(0, MAX_IMAGES) }) }
}

type Content = CallToolResult['content'][number]

function isShowable({ mimeType, data }: { readonly mimeType: string; readonly data: string }): boolean {
  return IMAGE_TYPES.includes(mimeType) && data.length <= MAX_IMAGE && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
}
