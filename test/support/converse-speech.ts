/** Amazon's Converse, as Bedrock streams it: events in frames of bytes; and what is wrong with what it is asked. */

import { crc32 } from 'node:zlib'
import type { Body, Said } from './language-server.ts'

const STOPS = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'guardrail_intervened',
} as const

const USAGE = { input: 10, output: 5, cached: 0 }

export function conversePieces(said: Said): Buffer[] {
  const { calls = [], usage = USAGE, text = [] } = said
  const texts = typeof text === 'string' ? [text] : text
  const finish = said.finish === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : said.finish
  const spoken = texts.map((one) => blockDelta(0, { text: one }))
  const called = calls.flatMap((call, at) => {
    const contentBlockIndex = at + 1
    const written = typeof call.input === 'string' ? call.input : JSON.stringify(call.input)
    const half = Math.ceil(written.length / 2)
    const toolUse = { toolUseId: call.id ?? `tooluse_${at}_${call.tool}`, name: call.tool }
    return [
      converseEvent('contentBlockStart', { contentBlockIndex, start: { toolUse } }),
      ...[written.slice(0, half), written.slice(half)].map((input) =>
        blockDelta(contentBlockIndex, { toolUse: { input } }),
      ),
      ...(finish === null ? [] : [converseEvent('contentBlockStop', { contentBlockIndex })]),
    ]
  })
  const counts = { inputTokens: usage.input, outputTokens: usage.output, cacheReadInputTokens: usage.cached ?? 0 }
  const ending =
    finish === null
      ? []
      : [
          converseEvent('messageStop', { stopReason: STOPS[finish] }),
          converseEvent('metadata', { usage: counts, metrics: { latencyMs: 1 } }),
        ]
  const stop = texts.length > 0 ? [converseEvent('contentBlockStop', { contentBlockIndex: 0 })] : []
  return [converseEvent('messageStart', { role: 'assistant' }), ...spoken, ...stop, ...called, ...ending]
}

export const blockDelta = (contentBlockIndex: number, delta: object) =>
  converseEvent('contentBlockDelta', { contentBlockIndex, delta })

/** A frame: lengths, their sum, headers, payload, and the sum of all. */
export function converseEvent(name: string, payload: object, kind: 'event' | 'exception' = 'event'): Buffer {
  const headers = { ':message-type': kind, [`:${kind}-type`]: name, ':content-type': 'application/json' }
  const head = Buffer.concat(Object.entries(headers).flatMap(headerBytes))
  const body = Buffer.from(JSON.stringify(payload))
  const lengths = Buffer.concat([numberBytes(16 + head.length + body.length), numberBytes(head.length)])
  const all = Buffer.concat([lengths, numberBytes(crc32(lengths)), head, body])
  return Buffer.concat([all, numberBytes(crc32(all))])
}

/** 7 says that a text follows, behind its length. */
function headerBytes([name, value]: [string, string]): Buffer[] {
  return [Buffer.from([name.length]), Buffer.from(name), Buffer.from([7, 0, value.length]), Buffer.from(value)]
}

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** The roles take turns, and each call is answered in the next message. */
export function converseProblems({ messages }: Body): string[] {
  const problems = messages[0]?.role === 'user' ? [] : ['The first message is not of the user.']
  for (const [at, message] of messages.entries()) {
    if (messages[at - 1]?.role === message.role) problems.push(`Message ${at} is of ${message.role} again.`)
    const [called, answered] = [idsOf(messages[at - 1], 'toolUse'), idsOf(message, 'toolResult')]
    if (called !== answered) problems.push(`Message ${at} answers ${answered}, called was ${called}.`)
  }
  return idsOf(messages.at(-1), 'toolUse') === '' ? problems : [...problems, 'The last calls have no answer.']
}

function idsOf(message: Body['messages'][number] | undefined, part: 'toolUse' | 'toolResult'): string {
  const parts = (message?.content ?? []) as readonly Readonly<Record<string, { readonly toolUseId: string }>>[]
  return parts.flatMap((one) => one[part]?.toolUseId ?? []).join()
}
