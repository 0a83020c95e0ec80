import { expect, it } from 'vitest'
import {
  conversationTokens,
  isOverflow,
  LoopDetector,
  learnPromptLimit,
  maxPromptTokens,
} from '../../src/agent/loop/meter.ts'
import { ContextError, type ErrorCode } from '../../src/core/errors.ts'
import type { LanguageModel } from '../../src/models/language.ts'

it.each<[string, ErrorCode, boolean]>([
  ['refused the text: prompt is too long: 210000 tokens > 200000 maximum', 'invalid-input', true],
  ['refused the text: max_tokens: 9000 > 8192, the maximum of output tokens', 'invalid-input', false],
  ['refused the text: tools.0.name is too long', 'invalid-input', false],
  ['did not answer: the prompt is too long', 'unavailable', false],
])('%s (%s): %s', (message, code, isTold) => {
  expect(isOverflow(new ContextError(code, `The language model service at http://a ${message}`))).toBe(isTold)
})

it.each<[string, number, number]>([
  ['prompt is too long: 210000 tokens > 200000 maximum', 150_000, 114_285],
  ["This model's maximum context length is 8192 tokens. However, your messages resulted in 10,000 tokens.", 8000, 5242],
  [
    "This model's maximum context length is 8192 tokens. However, you requested 9500 tokens (8500 in the messages, 1000 in the completion).",
    9500,
    6553,
  ],
  ['gpt-4-0613 was given 9000 tokens, and its limit is 8192 tokens', 9000, 6553],
  ['the request exceeds the available context size (4096)', 9000, 3276],
  ['the prompt is too long', 9000, 4500],
])('a refusal teaches what can be sent: %s', (message, size, most) => {
  const model = { name: 'openai/any' } as LanguageModel
  const limits = { promptTokens: 150_000 }
  expect(maxPromptTokens(model, limits)).toBe(150_000)
  expect(learnPromptLimit(model, new ContextError('invalid-input', message), size)).toBe(most)
  expect(maxPromptTokens(model, limits)).toBe(most)
})

it.each([
  ['aaa', true],
  ['abab', true],
  ['aab', false],
  ['babc', false],
])('the calls %s are a loop: %s, in whatever order their names are', (steps, isLoop) => {
  const detector = new LoopDetector()
  const inputs = [...steps].map((at, index) => ({ at: index % 3 ? { at, of: [1] } : { of: [1], at } }))
  expect(inputs.map((input) => detector.isLoop([{ tool: 'look', input }])).at(-1)).toBe(isLoop)
})

it.each([
  ['text/plain', 4000, 750],
  ['application/pdf', 4, 1600],
  ['application/pdf', 40_000, 1600],
  ['application/pdf', 40_004, 3200],
  ['image/png', 80_000, 1600],
])('a file of %s with %i characters in base64 counts as %i tokens', (mediaType, length, tokens) => {
  const question = { role: 'user' as const, text: 'What?' }
  const file = { mediaType, data: 'A'.repeat(length) }
  const sent = { ...question, files: [{ ...file, name: 'a' }] }
  expect(conversationTokens([sent]) - conversationTokens([question])).toBe(tokens)
  const result = { id: '1', tool: 'look', text: 'seen', isError: false }
  const sizeWith = (images: (typeof file)[]) => conversationTokens([{ role: 'tool', results: [{ ...result, images }] }])
  expect(sizeWith([file, file]) - sizeWith([])).toBe(3200)
})
