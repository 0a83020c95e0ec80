import { expect, it } from 'vitest'
import { approveBy } from '../../../src/surfaces/cli/person.ts'
import type { Streams } from '../../../src/surfaces/cli/streams.ts'

async function asked(input: unknown): Promise<string> {
  let written = ''
  const err = { write: (text: string) => (written += text) } as unknown as Streams['err']
  const approve = approveBy({ err }, async () => true)
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
