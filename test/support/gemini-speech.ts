/** Gemini's contents, as its service streams them, and what is wrong with what it is asked. */

import type { Body } from './language-server.ts'
import { type Said, spelledOut } from './said.ts'
import { turnProblems } from './turns.ts'

const STOPS = { stop: 'STOP', length: 'MAX_TOKENS', tool_calls: 'STOP', content_filter: 'SAFETY' } as const

export function geminiPieces(said: Said): string[] {
  const { texts, calls, finish, usage } = spelledOut(said)
  const counts = {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output,
    totalTokenCount: usage.input + usage.output,
    cachedContentTokenCount: usage.cached,
  }
  return [
    ...texts.map((text) => geminiPiece([{ text }])),
    // A call comes whole, and those side by side come together.
    ...(calls.length === 0
      ? []
      : [geminiPiece(calls.map(({ tool: name, written }) => ({ functionCall: { name, args: JSON.parse(written) } })))]),
    ...(finish === null ? [] : [geminiPiece([{ text: '' }], { finishReason: STOPS[finish] }, counts)]),
  ]
}

export function geminiPiece(parts: readonly object[], more: object = {}, usageMetadata?: object): string {
  const candidates = [{ content: { parts, role: 'model' }, index: 0, ...more }]
  return `data: ${JSON.stringify({ candidates, usageMetadata, modelVersion: 'm', responseId: 'r' })}\r\n\r\n`
}

/** Vertex AI knows calls by their names alone. */
export function geminiProblems({ messages }: Body): string[] {
  const turns = messages.map(({ role, parts: all = [] }) => {
    const parts = all as readonly Readonly<Record<string, { readonly id?: string; readonly name: string }>>[]
    const ids = (part: 'functionCall' | 'functionResponse') =>
      parts.flatMap(({ [part]: one }) => (one ? [one.id ?? one.name] : []))
    const answers = ids('functionResponse')
    // Results are of the user, too, and a question may follow them.
    return { role: answers.length > 0 ? 'tool' : String(role), calls: ids('functionCall'), answers }
  })
  return turnProblems(turns, true)
}
