import { expect, it } from 'vitest'
import { isOverflow } from '../../src/agent/loop/meter.ts'
import { ContextError, type ErrorCode } from '../../src/core/errors.ts'

it.each<[string, ErrorCode, boolean]>([
  ['refused the text: prompt is too long: 210000 tokens > 200000 maximum', 'invalid-input', true],
  ["refused the text: This model's maximum context length is 8192 tokens.", 'invalid-input', true],
  ['refused the text: Your input exceeds the context window of this model.', 'invalid-input', true],
  ['refused the text: the request exceeds the available context size', 'invalid-input', true],
  ['refused the text: Input is too long for requested model.', 'invalid-input', true],
  ['refused the text: context_length_exceeded', 'invalid-input', true],
  ['refused the text: max_tokens: 9000 > 8192, the maximum of output tokens', 'invalid-input', false],
  ['refused the text: tools.0.name is too long', 'invalid-input', false],
  ['did not answer: the prompt is too long', 'unavailable', false],
])('%s (%s): %s', (message, code, isTold) => {
  expect(isOverflow(new ContextError(code, `The language model service at http://a ${message}`))).toBe(isTold)
})
