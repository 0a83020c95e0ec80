/** Converts messages for models of the AI SDK. */

import type { LanguageModel as AnyModel } from 'ai'
import { plainSchema } from '../../core/answer.ts'
import { attachmentElement } from '../../text/frames.ts'
import type { AssistantPart, Attachment, Image, Message, StepRequest, ToolResult } from '../language.ts'

export type SdkModel = Extract<AnyModel, { readonly specificationVersion: 'v4' }>
export type SdkOptions = Parameters<SdkModel['doStream']>[0]
type SdkMessage = SdkOptions['prompt'][number]
type SdkTool = NonNullable<SdkOptions['tools']>[number]
type Options = NonNullable<SdkMessage['providerOptions']>

/** Options of the prompt for one model. */
export interface PromptStyle {
  /**
   * Where images of tool results are sent: within the result, or after it. `after`: the API accepts no PDFs. Default: `within`,
   * if the model accepts images.
   */
  readonly images?: 'within' | 'after' | undefined
  /** Options that mark a message after which the provider caches the prompt. Default: no marks. */
  readonly cacheMark?: Options | undefined
}

/** Maximum cache marks among the messages of a request. Services accept four; one is after the system prompt. */
const MAX_MARKS = 3

/** Blocks between two marks. Services search 20 blocks back from each mark for a cached prefix. */
const BLOCKS_BETWEEN_MARKS = 15

/** Equal messages give equal bytes, and later messages are appended (except cache marks), so that caches stay valid. */
export function promptOf(
  { system, messages, tools, callsNothing }: StepRequest,
  { images, cacheMark }: PromptStyle = {},
): Pick<SdkOptions, 'prompt' | 'tools' | 'toolChoice'> {
  const sdkMessages = joinUserMessages(
    messages.flatMap((message) => [messageOf(message, images), ...(images === 'after' ? imageMessages(message) : [])]),
  )
  if (cacheMark) markMessages(sdkMessages, cacheMark)
  return {
    prompt: [{ role: 'system', content: system, ...(cacheMark && { providerOptions: cacheMark }) }, ...sdkMessages],
    ...(tools.length > 0 && { tools: tools.map(toSdkTool) }),
    ...(tools.length > 0 && callsNothing && { toolChoice: { type: 'none' } as const }),
  }
}

/** Joins consecutive user messages: chat templates refuse two in a row, and some services accept only one text. */
function joinUserMessages(messages: readonly SdkMessage[]): SdkMessage[] {
  const joinedMessages: SdkMessage[] = []
  for (const message of messages) {
    const last = joinedMessages.at(-1)
    if (message.role !== 'user' || last?.role !== 'user') joinedMessages.push(message)
    else joinedMessages.splice(-1, 1, { ...last, content: joinTexts([...last.content, ...message.content]) })
  }
  return joinedMessages
}

type SdkUserPart = Extract<SdkMessage, { readonly role: 'user' }>['content'][number]

function joinTexts(parts: readonly SdkUserPart[]): SdkUserPart[] {
  const joinedParts: SdkUserPart[] = []
  for (const part of parts) {
    const last = joinedParts.at(-1)
    if (part.type !== 'text' || last?.type !== 'text') joinedParts.push(part)
    else joinedParts.splice(-1, 1, { ...last, text: `${last.text}\n${part.text}` })
  }
  return joinedParts
}

/** Marks the last message, and some before it, so that the service finds the prefix of an earlier request. */
function markMessages(messages: SdkMessage[], cacheMark: Options): void {
  let [marks, blocks] = [0, BLOCKS_BETWEEN_MARKS]
  for (const message of messages.toReversed()) {
    if (marks === MAX_MARKS) return
    if (blocks >= BLOCKS_BETWEEN_MARKS) {
      message.providerOptions = { ...message.providerOptions, ...cacheMark }
      marks++
      blocks = 0
    }
    blocks += message.content.length
  }
}

function toSdkTool({ name, description, input }: StepRequest['tools'][number]): SdkTool {
  const inputSchema = JSON.parse(JSON.stringify(plainSchema(input)))
  return { type: 'function', name, description, inputSchema }
}

function messageOf(message: Message, images: PromptStyle['images']): SdkMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [...(message.files ?? []).map(attachmentPart), textPart(message)] }
    case 'context':
      return { role: 'user', content: [textPart(message)] }
    case 'assistant':
      return { role: 'assistant', content: message.parts.map(sdkPart), ...messageOptions(message.parts) }
    case 'tool':
      return { role: 'tool', content: message.results.map((result) => toolResultPart(result, images === 'within')) }
  }
}

/** The options that a provider wants back with a whole message. They are stored in a reasoning part without text. */
function messageOptions(parts: readonly AssistantPart[]): { readonly providerOptions?: Options } {
  const extra = parts.findLast((part) => part.type === 'reasoning' && part.text === '')?.extra
  return extra === undefined ? {} : { providerOptions: extra as Options }
}

function sdkPart(part: AssistantPart) {
  const options = part.extra === undefined ? {} : { providerOptions: part.extra as Options }
  if (part.type !== 'call') return { type: part.type, text: part.text, ...options }
  return { type: 'tool-call' as const, toolCallId: part.id, toolName: part.tool, input: part.input, ...options }
}

function toolResultPart({ id, tool, text, isError, images = [] }: ToolResult, withImages: boolean) {
  const head = { type: 'tool-result' as const, toolCallId: id, toolName: tool }
  if (!withImages || images.length === 0)
    return { ...head, output: { type: isError ? ('error-text' as const) : ('text' as const), value: text } }
  return { ...head, output: { type: 'content' as const, value: [textPart({ text }), ...images.map(imagePart)] } }
}

/** The images of results in a message of the user, because chat completions accept images only from the user. */
function imageMessages(message: Message): SdkMessage[] {
  if (message.role !== 'tool') return []
  const content = message.results.flatMap(({ tool, images = [] }) =>
    images.length === 0 ? [] : [textPart({ text: `What ${tool} shows:` }), ...images.map(imagePart)],
  )
  return content.length === 0 ? [] : [{ role: 'user', content }]
}

function attachmentPart(file: Attachment) {
  if (file.mediaType !== 'text/plain') return { ...imagePart(file), filename: file.name }
  return textPart({ text: attachmentElement(file) })
}

const textPart = ({ text }: { readonly text: string }) => ({ type: 'text' as const, text })

function imagePart({ mediaType, data }: Image) {
  return { type: 'file' as const, mediaType, data: { type: 'data' as const, data } }
}
