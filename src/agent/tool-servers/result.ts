/** What a tool of a server gave, for a model: in a frame, since nobody vouches for it. */

import type { CallToolResult } from '@modelcontextprotocol/client'
import type { Image } from '../../models/language.ts'
import { frameText } from '../../text/frames.ts'
import type { ToolOutput } from '../tool.ts'

/** Images of one result, characters of one in base64, and what can be looked at. */
const MOST_IMAGES = 4
const MOST_IMAGE = 5_000_000
const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

export interface CalledTool {
  readonly server: string
  readonly tool: string
  /** Questions to the person that nobody could be asked. */
  readonly declined: readonly string[]
}

export function outputOf({ server, tool, declined }: CalledTool, result: CallToolResult): ToolOutput {
  const { content, structuredContent, isError = false } = result
  const images = content.flatMap((part) => (part.type === 'image' && isShown(part) ? [imageOf(part)] : []))
  const texts = content.map((part) => resultPartText(part))
  // Structured content is mostly repeated as text.
  if (content.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent))
  const attributes = { server, tool, ...(isError && { failed: 'true' }) }
  const unasked = declined.map((question) => frameText({ tag: 'declined', attributes: { server }, text: question }))
  const text = frameText({ tag: 'result', attributes, text: texts.join('\n') }) + unasked.join('')
  return { text, ...(images.length > 0 && { images: images.slice(0, MOST_IMAGES) }) }
}

type ResultPart = CallToolResult['content'][number]

function resultPartText(part: ResultPart): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'image':
      return isShown(part) ? `(a picture, ${part.mimeType})` : `(a picture that cannot be shown, ${part.mimeType})`
    case 'audio':
      return `(a sound, ${part.mimeType})`
    case 'resource':
      return 'text' in part.resource ? part.resource.text : `(bytes, ${part.resource.mimeType ?? 'of no known type'})`
    case 'resource_link':
      return `(a resource, ${part.uri})`
  }
}

function isShown({ mimeType, data }: { readonly mimeType: string; readonly data: string }): boolean {
  return TYPES.includes(mimeType) && data.length <= MOST_IMAGE && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
}

function imageOf({ mimeType, data }: { readonly mimeType: string; readonly data: string }): Image {
  return { mediaType: mimeType, data }
}
