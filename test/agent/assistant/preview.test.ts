import { describe, expect, it } from 'vitest'
import { BOUNDS } from '../../../src/core/bounds.ts'
import { openWith } from '../../../src/open.ts'
import { record, valuesIn } from '../../contract/recorded.ts'
import { pdf } from '../../ingest/extract/documents.ts'
import { type Body, SPEECHES, type Speech } from '../../support/language-server.ts'
import { PNG } from '../../support/tree.ts'
import { FILES, results, standing } from './standing.ts'

const GIF = Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1')
const WEBP = Buffer.from('RIFF\x0a\x00\x00\x00WEBPVP8 ', 'latin1')
const JPEG = Buffer.from('\xff\xd8\xff\xe0\x00\x10JFIF', 'latin1')
const SHAPE = {
  ...FILES,
  'docs/plot.png': PNG,
  'docs/moves.gif': GIF,
  'docs/small.webp': WEBP,
  'docs/photo.jpg': JPEG,
  'docs/paper.pdf': pdf([['First page.'], ['Second page, <b>bold</b>.'], []]),
  'docs/liar.png': 'I am a text.',
  'docs/huge.png': Buffer.concat([PNG, Buffer.alloc(BOUNDS.image)]),
  'loose.png': PNG,
  '../beside.png': PNG,
}
const call = (input: object) => ({ calls: [{ tool: 'preview', input }] })
const BASE64 = PNG.toString('base64')

/** Where the picture is in a request, and as what. */
const SHOWN: Readonly<Record<Speech, (body: Body) => unknown>> = {
  chat: ({ messages }) => messages.at(-1),
  responses: ({ messages }) => messages.at(-1),
  messages: ({ messages }) => Object(messages.at(-1)).content[0],
}
const AS: Readonly<Record<Speech, unknown>> = {
  chat: {
    role: 'user',
    content: [
      { type: 'text', text: 'What preview shows:' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${BASE64}` } },
    ],
  },
  responses: {
    type: 'function_call_output',
    output: [{ type: 'input_text' }, { type: 'input_image', image_url: `data:image/png;base64,${BASE64}` }],
  },
  messages: {
    type: 'tool_result',
    content: [{ type: 'text' }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: BASE64 } }],
  },
}

describe.each(SPEECHES)('a picture, for a model that speaks %s', (speech) => {
  it('is on the wire as the service takes it, and stays as it was', () =>
    standing(
      [call({ place: 'docs/plot.png' }), { text: 'A dot.' }, { text: 'Still.' }],
      { speech, shape: SHAPE, canSee: true },
      async ({ ask, server }) => {
        await ask('What is on the plot?')
        await ask('And now?')
        expect(server.problems).toEqual([])
        const [, second, third] = server.asked.map(({ body }) => body)
        expect(second && SHOWN[speech](second)).toMatchObject(Object(AS[speech]))
        expect(JSON.stringify(third).split(BASE64).length).toBe(2)
      },
    ))

  it('is not sent to one that cannot see, which is told so', () =>
    standing(
      [call({ place: 'docs/plot.png' }), { text: 'I cannot see it.' }],
      { speech, shape: SHAPE, canSee: false },
      async ({ ask, server, assistant }) => {
        await ask('What is on the plot?')
        expect(JSON.stringify(server.asked.at(-1)?.body)).not.toContain(BASE64.slice(0, 40))
        expect(results(assistant)).toMatchObject([{ text: expect.stringContaining('You cannot look at pictures') }])
      },
    ))
})

it('is shown so, and refused so, whatever it is', () => {
  const inputs = valuesIn('calls/previews.jsonl')
  const script = inputs.flatMap((input) => [call(input), { text: 'Yes.' }])
  return standing(
    script,
    { shape: SHAPE, canSee: true, parts: { disk: true } },
    async ({ ask, assistant, planted }) => {
      for (const _ of inputs) await ask('Well?')
      const shown = results(assistant).map(({ text, images = [] }, at) => {
        const types = images.map(({ mediaType }) => mediaType)
        return `# ${JSON.stringify(inputs[at])} ${types}\n${text.replaceAll(planted.base, '/base')}`
      })
      await record(shown, 'previews')
    },
  )
})

it.each([
  ['anthropic', undefined, true],
  ['openai', undefined, true],
  ['openai', false, false],
  ['openai-compatible', undefined, false],
  ['openai-compatible', true, true],
  ['local', undefined, false],
] as const)('which models can see of %s, told %s: %s', async (provider, canSee, sees) => {
  const model = {
    provider,
    model: provider === 'local' ? 'extractive' : 'm',
    url: 'http://127.0.0.1:9/v1',
    ...(canSee !== undefined && { canSee }),
  }
  const engine = openWith({ db: ':memory:', model, file: undefined, unknown: [] })
  expect((await engine.language()).canSee).toBe(sees)
  await engine.close()
})

it('shows no package of a bucket that was made no collection, where a server answers', async () => {
  const engine = openWith({ db: ':memory:', file: undefined, unknown: [] })
  const look = await engine.placeReader('collections')
  const place = 'quilt+s3://somewhere#package=team/data&path=plot.png'
  await expect(look.readPreview(place, undefined, AbortSignal.timeout(5000))).rejects.toMatchObject({
    code: 'denied',
    message: expect.stringContaining('somewhere'),
  })
  await engine.close()
})
