import { expect, it } from 'vitest'
import type { QuestionField } from '../../../src/agent/tool.ts'
import { makeServerPrompt } from '../../../src/surfaces/cli/person.ts'

const field = (type: QuestionField['type'], more: Partial<QuestionField> = {}): QuestionField => ({
  name: 'n',
  about: 'Which',
  type,
  isRequired: true,
  ...more,
})

/** What is given to the server, and how often the person was asked. */
async function given(fields: readonly QuestionField[], lines: readonly string[], url?: string) {
  const shown: string[] = []
  let asked = 0
  const stream = { write: (text: string) => void shown.push(text) }
  const answer = makeServerPrompt({ err: stream as never }, async () => lines[asked++] ?? '')
  const question = { server: 'wiki', message: 'Hello?', fields, ...(url !== undefined && { url }) }
  return { values: await answer(question, new AbortController().signal), asked, shown: shown.join('') }
}

it.each<[string, QuestionField, readonly string[], unknown]>([
  ['a text', field('text'), ['y', 'red'], { n: 'red' }],
  ['one of several, asked again', field('text', { choices: ['red'] }), ['y', 'blue', 'red'], { n: 'red' }],
  ['a whole number, asked again', field('integer'), ['yes', '1.5', '', '2'], { n: 2 }],
  ['a number', field('number'), ['y', '1.5'], { n: 1.5 }],
  ['yes or no', field('yes-no'), ['y', 'hm', 'n'], { n: false }],
  ['several', field('list', { choices: ['a', 'b'] }), ['y', 'a, c', 'a, b'], { n: ['a', 'b'] }],
  ['nothing, where it may', field('text', { isRequired: false }), ['y', ''], {}],
  ['something, where it may be nothing', field('text', { isRequired: false }), ['y', 'red'], { n: 'red' }],
  ['nothing, after three tries', field('integer'), ['y', 'a', 'b', 'c'], {}],
  ['a refusal', field('text'), ['n'], undefined],
  ['a refusal by saying nothing', field('text'), [''], undefined],
])('a person gives a server %s', async (_, one, lines, values) => {
  const told = await given([one], lines)
  expect([told.values, told.asked]).toEqual([values, lines.length])
  expect(told.shown).toBe('The MCP server wiki asks: Hello?\n')
})

it('a person is shown the address that a server wants opened', async () => {
  const { values, shown } = await given([], ['y'], 'https://a.example/pay')
  expect(values).toEqual({})
  expect(shown).toContain('https://a.example/pay')
})
