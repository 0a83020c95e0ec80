/** A conversation that comes near to what can be sent goes on in fewer words: its end as it was, and what came before in short. */

import type { LanguageModel, Message, StepRequest, ToolResult, Usage } from '../../models/language.ts'
import { cutElements, elementsOf } from '../../text/elements.ts'
import { frameText } from '../../text/frames.ts'
import { clipBytes } from '../../text/truncate.ts'
import { conversationTokens, withoutThoughts } from './size.ts'
import { extractSummary, summarize } from './summary.ts'

/** Of the most that can be sent: what stays as it was, what a summary is made from, and the summary. */
const KEPT = 0.3
const READ = 0.7
const SUMMARY = 0.05

/** Tokens of a summary, whatever the most is. */
const MOST_SUMMARY = 4000

export interface CompactionParts {
  readonly model: LanguageModel
  /** The context to send again of messages that are no longer sent. */
  carried(older: readonly Message[], kept: readonly Message[], summary: string): readonly Message[]
  /** Tokens that can be sent at once. */
  readonly tokens: number
  /** Tokens that the summary may take, all together. */
  readonly most: number
  readonly signal: AbortSignal
  /** Hears what the summary took. */
  count(usage: Usage): void
}

export interface Compacted {
  readonly messages: readonly Message[]
  /** `extract`: the model is one that cannot, or it did not answer. */
  readonly by: 'model' | 'extract'
}

/**
 * The conversation in fewer words. The question that is being answered stays, and every call with its result. Undefined where
 * nothing of it is old enough.
 *
 * @throws ContextError `cancelled`.
 */
export async function compactRequest(
  { messages }: StepRequest,
  parts: CompactionParts,
): Promise<Compacted | undefined> {
  const { older, kept } = splitConversation(messages, parts.tokens * KEPT)
  if (older.length === 0) return undefined
  const tokens = Math.min(MOST_SUMMARY, Math.floor(parts.tokens * SUMMARY))
  const written = await summarize(older, { ...parts, tokens, read: parts.tokens * READ })
  const text = written ?? extractSummary(older, tokens)
  const summary: Message = { role: 'context', text: frameText({ tag: 'summary', attributes: {}, text }) }
  return {
    messages: [...parts.carried(older, kept, text), summary, ...kept],
    by: written === undefined ? 'extract' : 'model',
  }
}

/** Where a conversation can be cut: results stay behind their calls. */
function splitConversation(messages: readonly Message[], tokens: number) {
  const lastQuestion = messages.findLastIndex(({ role }) => role === 'user')
  let at = messages.length
  for (let start = messages.length - 1; start >= 0; start--) {
    if (messages[start]?.role === 'tool') continue
    const isTooLong = conversationTokens(messages.slice(start)) > tokens
    if (isTooLong && at < messages.length) break
    at = start
    if (isTooLong) break
  }
  const question = lastQuestion < at ? messages.slice(lastQuestion, lastQuestion + 1) : []
  const older = messages.slice(0, at).filter((message) => !question.includes(message))
  // What was thought goes back while its question is being answered, as services want it, and no longer.
  const before = withoutThoughts(messages.slice(at, Math.max(at, lastQuestion)))
  return {
    older,
    kept: [...question, ...fitNewest([...before, ...messages.slice(Math.max(at, lastQuestion))], tokens)],
  }
}

/** The end alone may be too long: what its tools gave is cut then, each in its frames. */
function fitNewest(messages: readonly Message[], tokens: number): readonly Message[] {
  if (conversationTokens(messages) <= tokens) return messages
  const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
  const share = Math.floor((tokens * 4) / Math.max(1, results.length))
  return messages.map((message) =>
    message.role === 'tool' ? { role: 'tool', results: message.results.map((one) => cutTo(one, share)) } : message,
  )
}

function cutTo(result: ToolResult, mostBytes: number): ToolResult {
  const { images: _, ...rest } = result
  const size = Buffer.byteLength(rest.text)
  if (size <= mostBytes) return rest
  const isFramed = elementsOf(rest.text).length > 0
  const text = isFramed ? cutElements(rest.text, mostBytes, cutNotice) : `${clipBytes(rest.text, mostBytes)}\n[cut]`
  return { ...rest, text }
}

function cutNotice(shown: number, all: number): string {
  return `${shown} of ${all} bytes are kept: call the tool again for the rest.`
}
