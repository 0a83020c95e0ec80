/** Amazon's Converse, as Bedrock streams it: events in frames of bytes; and what is wrong with what it is asked. */

import { crc32 } from 'node:zlib'
import type { Body } from './language-server.ts'
import { type Said, spelledOut } from './said.ts'
import { turnProblems } from './turns.ts'

const STOPS = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'guardrail_intervened',
} as const

export function conversePieces(said: Said): Buffer[] {
  const { texts, calls, finish, usage } = spelledOut(said)
  const spoken = texts.map((one) => blockDelta(0, { text: one }))
  const called = calls.flatMap(({ tool: name, id: toolUseId, halves }, at) => [
    converseEvent('contentBlockStart', { contentBlockIndex: at + 1, start: { toolUse: { toolUseId, name } } }),
    ...halves.map((input) => blockDelta(at + 1, { toolUse: { input } })),
    ...(finish === null ? [] : [converseEvent('contentBlockStop', { contentBlockIndex: at + 1 })]),
  ])
  const counts = { inputTokens: usage.input, outputTokens: usage.output, cacheReadInputTokens: usage.cached }
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

export function converseProblems({ messages }: Body): string[] {
  const turns = messages.map(({ role, content = [] }) => {
    const parts = content as readonly Readonly<Record<string, { readonly toolUseId: string }>>[]
    const ids = (part: 'toolUse' | 'toolResult') => parts.flatMap((one) => one[part]?.toolUseId ?? [])
    return { role: String(role), calls: ids('toolUse'), answers: ids('toolResult') }
  })
  return turnProblems(turns, true)
}
