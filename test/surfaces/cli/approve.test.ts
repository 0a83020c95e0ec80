import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { makeApprovalPrompt, makeLinePrompt, makeTrustPrompt } from '../../../src/surfaces/cli/person.ts'
import type { Streams } from '../../../src/surfaces/cli/streams.ts'

async function asked(input: unknown): Promise<string> {
  let written = ''
  const err = { write: (text: string) => (written += text) } as unknown as Streams['err']
  const approve = makeApprovalPrompt({ err }, async () => true)
  expect(await approve({ id: 'c', tool: 'fix__write', input }, new AbortController().signal)).toBe(true)
  return written
}

it.each<[unknown, string]>([
  [{ path: '/a', text: 'b' }, '  path: /a\n  text: b\n'],
  [{ files: [{ path: '/a' }], force: true, n: null }, '  files: [{"path":"/a"}]\n  force: true\n  n: null\n'],
  [{ text: 'a\nb\u001b[31m' }, expect.not.stringMatching(/\u001b|a\nb/) as unknown as string],
  [{ text: 'ok\u{e0041}\u202ehidden\u200b' }, '  text: ok\\u{e0041}\\u{202e}hidden\\u{200b}\n'],
  [{ text: 'é👩‍🚀'.repeat(2000) }, expect.stringMatching(/ … and \d+ characters more\n$/) as unknown as string],
  [{}, ''],
  ['text', expect.any(String) as unknown as string],
])('a person is shown what %j would write, all of it that is seen and all that is not', async (input, lines) => {
  const text = await asked(input)
  expect(text.startsWith('The assistant wants to do this: fix__write\n')).toBe(true)
  expect(text.slice('The assistant wants to do this: fix__write\n'.length)).toEqual(lines)
})

it.each<[string, boolean | undefined]>([
  ['y', true],
  ['Yes', true],
  ['n', false],
  ['', undefined],
  ['perhaps', undefined],
])('trust is given, refused, or left open by %j', async (said, isTrusted) => {
  let written = ''
  const err = { write: (text: string) => (written += text) } as unknown as Streams['err']
  const trust = makeTrustPrompt({ err }, async () => said)
  expect(await trust('s3://a\u202eb', ['/AGENTS.md (bucket)'])).toBe(isTrusted)
  expect(written).toContain('s3://a\\u{202e}b has instructions for assistants: /AGENTS.md (bucket)\n')
})

it('a question to a person ends with the input, or when the answer is stopped, and nothing is asked after the input', async () => {
  const input = new PassThrough()
  const lines = createInterface({ input, output: new PassThrough() })
  const ask = makeLinePrompt(lines)
  const signal = new AbortController().signal
  const answer = ask('Trust it? ', signal)
  input.write('y\n')
  expect(await answer).toBe('y')
  const stop = new AbortController()
  const stopped = ask('Trust it? ', stop.signal)
  stop.abort()
  expect(await stopped).toBe('')
  const cut = ask('Trust it? ', signal)
  input.end()
  expect([await cut, await ask('Trust it? ', signal)]).toEqual(['', ''])
})
