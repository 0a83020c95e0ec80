/** Messages as the AI SDK's models take them. */

import type { LanguageModel as AnyModel } from 'ai'
import { plainSchema } from '../../core/plain-schema.ts'
import type { Image, Message, SaidPart, StepRequest, ToolResult } from '../language.ts'

/** A model as the SDK has it. */
export type SdkModel = Extract<AnyModel, { readonly specificationVersion: 'v4' }>
export type SdkOptions = Parameters<SdkModel['doStream']>[0]
type SdkMessage = SdkOptions['prompt'][number]
type SdkTool = NonNullable<SdkOptions['tools']>[number]
type Options = NonNullable<SdkMessage['providerOptions']>

/** By this a model of ours knows what is context, and no question. Others do not look at it. */
export const CONTEXT_MARK = { ambit: { role: 'context' } } as const satisfies Options

/** Where Anthropic may keep what stands before; others keep it by themselves. */
const KEEP = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const satisfies Options

/** The same messages give the same bytes: what is said later only adds to them, but for the mark of what may be kept. */
export function promptOf(
  { system, messages, tools }: StepRequest,
  images?: 'within' | 'behind',
): Pick<SdkOptions, 'prompt' | 'tools'> {
  const said = messages.flatMap((message) => [
    messageOf(message, images),
    ...(images === 'behind' ? shownBy(message) : []),
  ])
  const last = said.at(-1)
  if (last) last.providerOptions = { ...last.providerOptions, ...KEEP }
  return {
    prompt: [{ role: 'system', content: system, providerOptions: KEEP }, ...said],
    ...(tools.length > 0 && { tools: tools.map(toSdkTool) }),
  }
}

function toSdkTool({ name, description, input }: StepRequest['tools'][number]): SdkTool {
  const inputSchema = JSON.parse(JSON.stringify(plainSchema(input)))
  return { type: 'function', name, description, inputSchema }
}

function messageOf(message: Message, images: 'within' | 'behind' | undefined): SdkMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] }
    case 'context':
      return { role: 'user', content: [{ type: 'text', text: message.text }], providerOptions: CONTEXT_MARK }
    case 'assistant':
      return { role: 'assistant', content: message.parts.map(sdkPart) }
    case 'tool':
      return { role: 'tool', content: message.results.map((result) => toolResultPart(result, images === 'within')) }
  }
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

/** Chat completions take images of a person alone: those of results are shown behind them. */
function shownBy(message: Message): SdkMessage[] {
  if (message.role !== 'tool') return []
  const content = message.results.flatMap(({ tool, images = [] }) =>
    images.length === 0 ? [] : [{ type: 'text' as const, text: `What ${tool} shows:` }, ...images.map(imagePart)],
  )
  return content.length === 0 ? [] : [{ role: 'user', content, providerOptions: CONTEXT_MARK }]
}

function imagePart({ mediaType, data }: Image) {
  return { type: 'file' as const, mediaType, data: { type: 'data' as const, data } }
}
