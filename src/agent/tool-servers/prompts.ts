/** Prompts and resources of a server: nobody vouches for them, and what a model reads of them is framed. */

import type { GetPromptResult, Prompt, ReadResourceResult, Resource } from '@modelcontextprotocol/client'
import { stripControls } from '../../text/controls.ts'
import { frameText } from '../../text/frames.ts'
import { neutralise } from '../../text/invisible.ts'
import type { ServerPrompt, ServerResource } from '../tool-servers.ts'

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
