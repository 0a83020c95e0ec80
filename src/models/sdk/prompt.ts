/** Converts messages for models of the AI SDK. */

import type { LanguageModel as AnyModel } from 'ai'
import { plainSchema } from '../../core/answer.ts'
import { frameText } from '../../text/frames.ts'
import type { Attachment, Image, Message, SaidPart, StepRequest, ToolResult } from '../language.ts'

/** A model of the SDK. */
export type SdkModel = Extract<AnyModel, { readonly specificationVersion: 'v4' }>
export type SdkOptions = Parameters<SdkModel['doStream']>[0]
type SdkMessage = SdkOptions['prompt'][number]
type SdkTool = NonNullable<SdkOptions['tools']>[number]
type Options = NonNullable<SdkMessage['providerOptions']>

/** Marks the message after which the provider caches the prompt. */
export type CacheMark = Options

/** Options of the prompt for one model. */
export interface PromptStyle {
  readonly images?: 'within' | 'behind' | undefined
  readonly mark?: CacheMark | undefined
}

/** Cache marks of one request: after the system prompt, and among the messages. Services accept four. */
const MOST_MARKS = 3

/** Blocks between two marks. Services search 20 blocks back from each for a cached prefix. */
const BLOCKS = 15

/** The same messages give the same bytes. Later messages are only appended, except for the cache marks. */
export function promptOf(
  { system, messages, tools, callsNothing }: StepRequest,
  { images, mark }: PromptStyle = {},
): Pick<SdkOptions, 'prompt' | 'tools' | 'toolChoice'> {
  const said = joinUserMessages(
    messages.flatMap((message) => [messageOf(message, images), ...(images === 'behind' ? shownBy(message) : [])]),
  )
  if (mark) markMessages(said, mark)
  return {
    prompt: [{ role: 'system', content: system, ...(mark && { providerOptions: mark }) }, ...said],
    ...(tools.length > 0 && { tools: tools.map(toSdkTool) }),
    ...(tools.length > 0 && callsNothing && { toolChoice: { type: 'none' } as const }),
  }
}

/** Joins user messages: chat templates refuse two in a row, and some services accept only one text. */
function joinUserMessages(said: readonly SdkMessage[]): SdkMessage[] {
  const joined: SdkMessage[] = []
  for (const message of said) {
    const last = joined.at(-1)
    if (message.role !== 'user' || last?.role !== 'user') joined.push(message)
    else joined.splice(-1, 1, { ...last, content: joinTexts([...last.content, ...message.content]) })
  }
  return joined
}

type SdkUserPart = Extract<SdkMessage, { readonly role: 'user' }>['content'][number]

function joinTexts(parts: readonly SdkUserPart[]): SdkUserPart[] {
  const joined: SdkUserPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.type !== 'text' || last?.type !== 'text') joined.push(part)
    else joined.splice(-1, 1, { ...last, text: `${last.text}\n${part.text}` })
  }
  return joined
}

/** Marks the last message, and some before it, so that the service finds the prefix of an earlier request. */
function markMessages(said: SdkMessage[], mark: CacheMark): void {
  let [marks, blocks] = [0, BLOCKS]
  for (const message of said.toReversed()) {
    if (marks === MOST_MARKS) return
    if (blocks >= BLOCKS) {
      message.providerOptions = { ...message.providerOptions, ...mark }
      marks++
      blocks = 0
    }
    blocks += typeof message.content === 'string' ? 1 : message.content.length
  }
}

function toSdkTool({ name, description, input }: StepRequest['tools'][number]): SdkTool {
  const inputSchema = JSON.parse(JSON.stringify(plainSchema(input)))
  return { type: 'function', name, description, inputSchema }
}

function messageOf(message: Message, images: PromptStyle['images']): SdkMessage {
  switch (message.role) {
    case 'user':
      return {
        role: 'user',
        content: [...(message.files ?? []).map(attachmentPart), { type: 'text', text: message.text }],
      }
    case 'context':
      return { role: 'user', content: [{ type: 'text', text: message.text }] }
    case 'assistant':
      return { role: 'assistant', content: message.parts.map(sdkPart), ...ofWholeMessage(message.parts) }
    case 'tool':
      return { role: 'tool', content: message.results.map((result) => toolResultPart(result, images === 'within')) }
  }
}

/** Options that a provider wants back with a message are stored with its reasoning. */
function ofWholeMessage(parts: readonly SaidPart[]): { readonly providerOptions?: Options } {
  const extra = parts.findLast((part) => part.type === 'reasoning' && part.text === '')?.extra
  return extra === undefined ? {} : { providerOptions: extra as Options }
}

function sdkPart(part: SaidPart) {
  const options = part.extra === undefined ? {} : { providerOptions: part.extra as Options }
  if (part.type !== 'call') return { type: part.type, text: part.text, ...options }
  return { type: 'tool-call' as const, toolCallId: part.id, toolName: part.tool, input: part.input, ...options }
}

function toolResultPart({ id, tool, text, isError, images = [] }: ToolResult, isSeen: boolean) {
  const head = { type: 'tool-result' as const, toolCallId: id, toolName: tool }
  if (!isSeen || images.length === 0) {
    return { ...head, output: { type: isError ? ('error-text' as const) : ('text' as const), value: text } }
  }
  return {
    ...head,
    output: { type: 'content' as const, value: [{ type: 'text' as const, text }, ...images.map(imagePart)] },
  }
}

/** Chat completions accept images only from the user: those of results follow in a user message. */
function shownBy(message: Message): SdkMessage[] {
  if (message.role !== 'tool') return []
  const content = message.results.flatMap(({ tool, images = [] }) =>
    images.length === 0 ? [] : [{ type: 'text' as const, text: `What ${tool} shows:` }, ...images.map(imagePart)],
  )
  return content.length === 0 ? [] : [{ role: 'user', content }]
}

function attachmentPart({ name, ...file }: Attachment) {
  if (file.mediaType !== 'text/plain') return { ...imagePart(file), filename: name }
  const text = Buffer.from(file.data, 'base64').toString('utf8')
  return { type: 'text' as const, text: frameText({ tag: 'attachment', attributes: { name }, text }) }
}

function imagePart({ mediaType, data }: Image) {
  return { type: 'file' as const, mediaType, data: { type: 'data' as const, data } }
}
