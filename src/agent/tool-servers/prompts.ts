/** Prompts and resources of a server: nobody vouches for them, and what a model reads of them is framed. */

import type { GetPromptResult, Prompt, ReadResourceResult, Resource } from '@modelcontextprotocol/client'
import { ContextError, invalidInput } from '../../core/errors.ts'
import { oneLine, stripControls } from '../../text/controls.ts'
import { frameText } from '../../text/frames.ts'
import { neutralise } from '../../text/invisible.ts'
import type { ServerPrompt, ServerResource, ToolServer } from '../tool-servers.ts'

/** Prompts, and resources, of one server; characters of a description. */
const MOST_OFFERED = 200
const MOST_ABOUT = 300

export function offerPrompts(prompts: readonly Prompt[]): ServerPrompt[] {
  return prompts.slice(0, MOST_OFFERED).map(({ name, title, description, arguments: given = [] }) => ({
    name: plainLine(name),
    about: plainLine(description ?? title ?? ''),
    arguments: given.map((one) => ({ name: one.name, isRequired: one.required ?? false })),
  }))
}

export function offerResources(resources: readonly Resource[]): ServerResource[] {
  return resources.slice(0, MOST_OFFERED).map(({ uri, name, title, description }) => ({
    uri,
    about: plainLine([title ?? name, description].filter(Boolean).join(': ')),
  }))
}

function plainLine(text: string): string {
  return stripControls(neutralise(text).text).replace(/\s+/g, ' ').trim().slice(0, MOST_ABOUT)
}

/** The texts of the messages of a prompt. Messages of the assistant are marked. */
export function promptQuestion({ messages }: GetPromptResult): string {
  const texts = messages.map(({ role, content }) => {
    const text = contentText(content)
    return role === 'assistant' ? `(You said: ${text})` : text
  })
  return stripControls(neutralise(texts.join('\n\n')).text).trim()
}

function contentText(content: GetPromptResult['messages'][number]['content']): string {
  if (content.type === 'text') return content.text
  if (content.type === 'resource')
    return 'text' in content.resource ? content.resource.text : `(${content.resource.uri})`
  return content.type === 'resource_link' ? `(${content.uri})` : `(${content.type})`
}

export function resourceText(server: string, { contents }: ReadResourceResult): string {
  const texts = contents.map((content) => {
    const text = 'text' in content ? content.text : `(bytes, ${content.mimeType ?? 'of no known type'})`
    return frameText({ tag: 'resource', attributes: { server, uri: content.uri }, text })
  })
  return texts.join('')
}

/** By their names; the last takes all words that are left. @throws ContextError `invalid-input` without one that is needed. */
export function promptArguments(
  { name, arguments: wanted }: ServerPrompt,
  values: readonly string[],
): Record<string, string> {
  const last = wanted.length - 1
  const given = wanted.flatMap((one, at): [string, string][] => {
    const value = (at === last ? values.slice(at) : values.slice(at, at + 1)).join(' ')
    if (value === '' && one.isRequired) throw invalidInput(`The prompt ${name} needs ${oneLine(one.name)}.`)
    return value === '' ? [] : [[one.name, value]]
  })
  return Object.fromEntries(given)
}

export function noPrompt(server: string, name: string, { state, prompts }: ToolServer): ContextError {
  const known = prompts.length === 0 ? 'It has none.' : `It has ${prompts.map((one) => one.name).join(', ')}.`
  const hint = state === 'ready' ? known : `The server is ${state}.`
  return new ContextError('not-found', `The MCP server ${server} has no prompt ${oneLine(name.slice(0, 100))}.`, {
    hint,
  })
}
