import { describe, expect, it } from 'vitest'
import { elementsOf } from '../../../src/text/elements.ts'
import { call, FILES, results, standing } from './standing.ts'

const SHAPE = { ...FILES, 'pkg/main.ts': 'const a = 1\nconst b = 2\n', 'pkg/.env': 'KEY=1', '../beside.txt': 'No.' }
const disk = { shape: SHAPE, parts: { disk: true } }

describe('files on disk that are in no collection', () => {
  it.each<[string, object, RegExp, boolean]>([
    [
      'read',
      { path: './pkg/main.ts' },
      /<document filename="[^"]*\/pkg\/main\.ts" lines="1-2" total="2">\nconst a = 1/,
      false,
    ],
    ['read', { path: 'pkg/main.ts', lines: '2' }, /lines="2-2" total="2">\nconst b = 2\n/, false],
    ['read', { path: './nothing.ts' }, /not-found: There is no .*nothing\.ts/, true],
    ['read', { path: 'nothing.ts' }, /not-found/, true],
    ['read', { path: './pkg/.env' }, /denied: .*the name of a secret/, true],
    ['read', { path: '../beside.txt' }, /denied: .*outside of the project/, true],
    ['read', { path: '/etc/passwd' }, /denied: .*outside of the project/, true],
    ['read', { path: 'file:///etc/pass%77d' }, /denied: \/etc\/passwd is outside of the project/, true],
    ['list', { path: './pkg' }, /<listing path="[^"]*\/pkg">\nAGENTS\.md\nmain\.ts\n<\/listing>/, false],
    ['list', { path: './docs' }, /api/, false],
    ['read', { path: 'ambit://nowhere/a' }, /not-found/, true],
  ])('%s of %j', (tool, input, text, isError) =>
    standing([call(tool, input), { text: 'Yes.' }], disk, async ({ ask, assistant }) => {
      await ask('Well?')
      expect(results(assistant)).toMatchObject([{ tool, isError, text: expect.stringMatching(text) }])
    }),
  )

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
    ['where the surface does not let it', { shape: SHAPE }],
    ['where the person stands in a collection', { ...disk, place: 'ambit://docs' }],
  ])('are not read %s', (_, around) =>
    standing([call('read', { path: './pkg/main.ts' }), { text: 'No.' }], around, async ({ ask, assistant }) => {
      await ask('Well?')
      expect(results(assistant)).toMatchObject([{ isError: true, text: expect.not.stringContaining('const a') }])
    }),
  )
})
