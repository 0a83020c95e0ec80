import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { elementsOf } from '../../../src/text/elements.ts'
import { record, valuesIn } from '../../contract/recorded.ts'
import { call, FILES, results, standing } from './standing.ts'

const SHAPE = {
  ...FILES,
  'pkg/main.ts': 'const a = 1\nconst b = 2\n',
  'pkg/.env': 'KEY=1',
  '../beside.txt': 'No.',
  'loose/lines.md': '# Root\n\nTwo.\nThree.\n',
  'loose/empty.txt': '',
  'loose/hidden.md': 'A\u202eB\n',
  'loose/b.bin': Uint8Array.of(0, 1, 2),
  'loose/in.md -> lines.md': '',
  'loose/out.txt -> ../../beside.txt': '',
  'loose/keys.txt -> ../pkg/.env': '',
}
const NESTED = { ...SHAPE, 'pkg/src/AGENTS.md': 'In this src be kind.\n', 'pkg/src/here.ts': '' }
const disk = { shape: SHAPE, parts: { disk: true } }

describe('files on disk that are in no collection', () => {
  it('are read, listed and searched so, and refused so', () => {
    const calls = valuesIn('calls/tools.jsonl')
    const script = [...calls.map(([tool, input]) => call(tool, input)), { text: 'Yes.' }]
    return standing(script, { shape: SHAPE, parts: { disk: true, limits: { steps: 99 } } }, async (it) => {
      await it.ask('Well?')
      const shown = results(it.assistant).map(({ isError, text }, at) => {
        const plain = text.replaceAll(dirname(it.planted.file('')), '/base').replaceAll(/ score="[^"]*"/g, '')
        return `# ${isError ? 'refused: ' : ''}${JSON.stringify(calls[at])}\n${plain}`
      })
      await record(shown, 'tools')
    })
  })

  it('are numbered, cited, and count as touched: what applies there is told before the next request', () =>
    standing(
      [call('read', { path: './pkg/main.ts' }), { text: 'It is 1 [3].' }],
      disk,
      async ({ ask, assistant, planted, server }) => {
        const { citations } = await ask('What is a?')
        expect(citations).toEqual([{ number: 3, place: `file://${planted.file('pkg/main.ts')}` }])
        const told = assistant.messages.flatMap((message) => (message.role === 'context' ? [message.text] : []))
        expect([told[0]?.includes('In pkg be exact.'), told[1]?.includes('In pkg be exact.')]).toEqual([false, true])
        expect(JSON.stringify(server.asked[1]?.body)).toContain('In pkg be exact.')
        for (const { text } of results(assistant)) expect(elementsOf(text).length).toBeGreaterThan(0)
      },
    ))

  it.each([
    ['list', { path: 'src' }, /here\.ts/],
    ['context_for', { place: 'src' }, /In this src be kind\./],
  ])('are found from where the person stands, not from the directory of the process: %s %j', (tool, input, text) =>
    standing([call(tool, input), { text: 'Yes.' }], { ...disk, shape: NESTED, place: 'pkg' }, async (it) => {
      const { ask, assistant, engine } = it
      await (await engine.library()).collections.add({ name: 'process', root: process.cwd() })
      await ask('Well?')
      expect(results(assistant)).toMatchObject([{ isError: false, text: expect.stringMatching(text) }])
    }),
  )

  it.each([
    ['where the surface does not let it', { shape: SHAPE }],
    ['where the person stands in a collection', { ...disk, place: 'ambit://docs' }],
  ])('are not read %s', (_, around) =>
    standing([call('read', { path: './pkg/main.ts' }), { text: 'No.' }], around, async ({ ask, assistant }) => {
      await ask('Well?')
      expect(results(assistant)).toMatchObject([{ isError: true, text: expect.not.stringContaining('const a') }])
    }),
  )
})
