import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SYSTEM } from '../../../src/agent/assistant/system.ts'
import { Assistant } from '../../../src/agent/assistant.ts'
import { operations } from '../../../src/operations/index.ts'
import { assistantTools } from '../../../src/operations/tools.ts'
import { elementsOf } from '../../../src/text/elements.ts'
import { type Body, messagesIn, SPEECHES } from '../../support/language-server.ts'
import type { Shape } from '../../support/tree.ts'
import { CANARY } from '../answering.ts'
import { call, expectFramed, FILES, results, standing } from './standing.ts'

const times = (text: string, part: string) => text.split(part).length - 1
/** The elements of what the model was told of places. */
const told = (assistant: Assistant) =>
  assistant.messages.flatMap((message) =>
    message.role === 'context' ? [elementsOf(message.text).map(({ tag, body }) => `${tag}: ${body.trim()}`)] : [],
  )

describe.each(SPEECHES)('an assistant whose model speaks %s', (speech) => {
  it('tells what applies where the person stands once, and adds to what was sent', () =>
    standing(
      [{ text: 'One.' }, call('search', { query: 'timeout' }), { text: 'Twice [3].' }, { text: 'Three.' }],
      { speech },
      async ({ server, ask, sent }) => {
        expect((await ask('One?')).citations).toEqual([])
        expect(await ask('What after a timeout?')).toMatchObject({
          answer: 'Twice [3].',
          citations: [{ number: 3, place: 'ambit://docs/errors.md' }],
        })
        await ask('Three?')
        expect([server.problems, server.asked.length]).toEqual([[], 4])
        expect([times(sent(), 'Tests first.'), times(sent(), 'Never log a password.')]).toEqual([1, 1])
        const all = server.asked.map(({ body }) => messagesIn(body))
        for (const [at, messages] of all.entries()) {
          expect(messages.slice(0, all[at - 1]?.length ?? 0)).toEqual(all[at - 1] ?? [])
        }
        expect(new Set(server.asked.map(({ body }) => JSON.stringify(body.tools))).size).toBe(1)
        expect(JSON.stringify(server.asked.map(({ body }) => body))).not.toContain(CANARY)
      },
    ))

  it('marks for Anthropic what may be kept: the system, and the end', () =>
    standing([{ text: 'One.' }], { speech }, async ({ ask, server }) => {
      await ask('One?')
      const [{ body } = { body: undefined }] = server.asked
      expect(times(JSON.stringify(body), '"cache_control"')).toBe(speech === 'messages' ? 2 : 0)
      const system = speech === 'messages' ? body?.system : body?.messages[0]?.content
      expect(JSON.stringify(system)).toContain(JSON.stringify(SYSTEM).slice(1, -1))
    }))
})

it('keeps its model where another is unknown', () =>
  standing([{ text: 'Yes.' }], async ({ ask, assistant }) => {
    await expect(assistant.useModel('nowhere/m')).rejects.toMatchObject({ code: 'invalid-input' })
    expect((await ask('Well?')).answer).toBe('Yes.')
  }))

describe('what an assistant tells of a place', () => {
  it('begins with what a bare word means, told to the person once', () => {
    const notices: string[] = []
    const parts = { place: 'docs', notice: (text: string) => notices.push(text) }
    return standing([{ text: 'Yes.' }], { parts }, async ({ ask }) => {
      for (const question of ['One?', 'Two?']) {
        await ask(question)
        expect(notices).toEqual([expect.stringContaining('docs means the path on disk.')])
      }
    })
  })

  it('is what is new, when a file has changed, is gone, and is there again as it was', () =>
    standing([{ text: 'Yes.' }], async ({ planted, ask, assistant }) => {
      const file = planted.file('AGENTS.md')
      await ask('One?')
      writeFileSync(file, '# Root\n\nTests last.\n')
      await ask('Two?')
      writeFileSync(file, '# Root\n\nTests first.\n')
      await ask('Three?')
      rmSync(file)
      await ask('Four?')
      await ask('Five?')
      writeFileSync(file, '# Root\n\nTests first.\n')
      await ask('Six?')
      const seen = told(assistant).map((parts) => parts.filter((part) => /^(context|notice)/.test(part)))
      expect(seen).toEqual([
        ['context: # Constitution\n\n- Never log a password.', 'context: # Root\n\nTests first.'],
        ['context: # Root\n\nTests last.'],
        ['context: # Root\n\nTests first.'],
        [`notice: This no longer applies: ${file}`],
        ['context: # Root\n\nTests first.'],
      ])
    }))

  it('grows by what applies to a document that was read, before the next request', () =>
    standing([call('read', { path: 'docs/errors.md' }), { text: 'Yes.' }], async ({ ask, assistant, server }) => {
      await ask('What of errors?')
      expect(assistant.messages.map(({ role }) => role)).toEqual(
        'context user assistant tool context assistant'.split(' '),
      )
      expect(told(assistant)[1]).toContain('context: In docs be brief.')
      expect(server.problems).toEqual([])
    }))

  it('is that of a place in a collection, too, in its own frames', () =>
    standing([{ text: 'Yes.' }], { place: 'ambit://docs/api' }, async ({ ask, assistant }) => {
      await ask('What is it?')
      await ask('And again?')
      expect(told(assistant)).toEqual([
        expect.arrayContaining([
          'place: ambit://docs/api',
          'context-file: # API\n\nThe HTTP interface.',
          'context-file: In docs be brief.',
        ]),
      ])
    }))

  it('is not told again by a tool that asks for it', () =>
    standing(
      [
        call('context_for', { place: 'ambit://docs' }),
        call('context_for', { place: 'ambit://docs/api' }),
        { text: 'Yes.' },
      ],
      async ({ ask, assistant, sent }) => {
        await ask('What of docs?')
        const [first, second] = results(assistant)
        expect(first?.text).toContain('In docs be brief.')
        expect(second?.text).toContain('The HTTP interface.')
        expect(second?.text).toContain('1 of its parts were given before.')
        expect(times(sent(), 'In docs be brief.')).toBe(1)
      },
    ))

  it('is told with the next question when nothing came of the first', () =>
    standing([{ fault: { status: 400 } }, { text: 'Yes.' }], async ({ ask, assistant, sent }) => {
      expect((await ask('One?')).reason).toBe('failed')
      expect(assistant.messages).toEqual([])
      await ask('Two?')
      expect([times(sent(), 'Tests first.'), times(sent(), 'One?')]).toEqual([1, 0])
    }))

  it('is told where the model leads, before it goes on', () => {
    const seen: string[] = []
    return standing(
      [(body: Body) => call('navigate', { place: placeIn(body) }), { text: 'Here.' }],
      { parts: { view: { navigate: (place) => seen.push(place) } } },
      async ({ planted, ask, assistant, server }) => {
        const { reason } = await ask(`Lead me to (${planted.file('pkg')})`)
        expect([reason, seen, assistant.place]).toEqual(['done', [planted.file('pkg')], planted.file('pkg')])
        expect(JSON.stringify(server.asked[1]?.body)).toContain('In pkg be exact.')
        expect(times(JSON.stringify(server.asked[1]?.body), 'Tests first.')).toBe(1)
        expect(server.problems).toEqual([])
      },
    )
  })

  it.each([
    ['a directory', undefined, 'pkg', (at: string) => `${at}/pkg`],
    ['a directory with the name of a collection', undefined, 'docs', (at: string) => `${at}/docs`],
    ['a folder of the collection', 'ambit://docs', 'api', () => 'ambit://docs/api'],
  ])('is that of %s, seen from where the person stands', (_, place, target, expected) =>
    standing(
      [call('navigate', { place: target }), { text: 'Here.' }],
      { ...(place !== undefined && { place }), parts: { view: { navigate: () => {} } } },
      async ({ planted, ask, assistant }) => {
        await ask('Lead me there.')
        expect([assistant.place, results(assistant)[0]?.text]).toEqual([
          expected(planted.root),
          expect.stringContaining(expected(planted.root)),
        ])
      },
    ),
  )

  it.each([
    ['to a place that is not there', true, /not-found: There is no \/nowhere/],
    ['anywhere where nobody shows the person a place', false, /There is no tool called "navigate"/],
  ])('is not changed by a model that leads %s', (_, isShown, text) =>
    standing(
      [call('navigate', { place: '/nowhere/at/all' }), { text: 'No.' }],
      { parts: isShown ? { view: { navigate: () => expect.unreachable() } } : {} },
      async ({ ask, assistant }) => {
        const before = assistant.place
        await ask('Lead me away.')
        expect(results(assistant)).toMatchObject([{ isError: true, text: expect.stringMatching(text) }])
        expect(assistant.place).toBe(before)
      },
    ),
  )
})

/** What stands in brackets in the last question. */
function placeIn({ messages }: Body): string {
  return /Lead me to \((.*)\)/.exec(String(messages.at(-1)?.content))?.[1] ?? ''
}

/** A collection with a package. */
const REGISTRY: Shape = { ...FILES, 'docs/.quilt/named_packages/team/data/latest': 'a'.repeat(64) }

describe('the tools', () => {
  it.each<[string, object, RegExp, boolean, Shape, string?]>([
    ['packages', {}, /There is no tool called "packages"/, true, FILES],
    ['packages', {}, /<listing>\ndocs\/team\/data\n<\/listing>/, false, REGISTRY],
    ['package_diff', { before: 'docs/a/b' }, /after is missing/, true, REGISTRY],
    ['package_diff', { before: 'docs/a/b' }, /after is missing/, true, FILES, 'What is in quilt+s3://b#package=a/c?'],
  ])('%s of %j', (tool, input, text, isError, shape, question = 'Well?') =>
    standing([call(tool, input), { text: 'Yes.' }], { shape }, async ({ ask, assistant }) => {
      await ask(question)
      expect(results(assistant)).toMatchObject([{ tool, isError, text: expect.stringMatching(text) }])
    }),
  )

  it('leave out path contexts without a collection', () =>
    standing([call('path_contexts', {}), { text: 'Yes.' }], {}, async ({ ask, assistant, engine }) => {
      const { collections } = await engine.library()
      await collections.remove('docs')
      await ask('Well?')
      expect(results(assistant)).toMatchObject([{ isError: true, text: expect.stringContaining('There is no tool') }])
    }))

  it('write what a person allows, and show what it is before', () => {
    const asked: unknown[] = []
    const approve = async (one: unknown) => asked.push(one) > 0
    const write = call('set_path_context', { path: 'docs', text: 'The manual' })
    const more = call('set_path_context', { path: 'docs/api', text: 'The interface' })
    return standing(
      [write, call('list', {}), more, call('list', { path: 'docs' }), { text: 'Done.' }],
      { parts: { approve } },
      async ({ ask, assistant }) => {
        await ask('Note that docs is the manual.')
        expect(asked[0]).toMatchObject({ tool: 'set_path_context', input: { path: 'docs', text: 'The manual' } })
        expect(results(assistant)[1]?.text).toContain('The manual')
        expect(results(assistant)[3]?.text).toContain('docs/api/  [The interface]')
      },
    )
  })

  it('cut what is long so that its frame holds, and say how to get the rest', () => {
    const long = `# Long\n\n${'A <line> & more.\n'.repeat(20_000)}`
    return standing(
      [call('read', { path: 'docs/long.md' }), { text: 'Yes.' }],
      { shape: { ...FILES, 'docs/long.md': long } },
      async ({ ask, assistant }) => {
        await ask('Well?')
        const [{ text } = { text: '' }] = results(assistant)
        expect(elementsOf(text).map(({ tag }) => tag)).toEqual(['sources', 'document', 'notice'])
        expectFramed(text)
        expect(text).toMatch(/bytes are given\. Read the rest by its lines/)
        expect(Buffer.byteLength(text)).toBeLessThan(50_000)
      },
    )
  })
})

describe('another model', () => {
  const events = (name: string) => {
    const event = (type: string, rest: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
    const usage = { input_tokens: 1, output_tokens: 1 }
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage }
    return [
      event('message_start', { message }),
      event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
      event('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } }),
      event('content_block_delta', { index: 0, delta: { type: 'signature_delta', signature: name } }),
      event('content_block_stop', { index: 0 }),
      event('content_block_start', { index: 1, content_block: { type: 'text', text: '' } }),
      event('content_block_delta', { index: 1, delta: { type: 'text_delta', text: 'Yes.' } }),
      event('content_block_stop', { index: 1 }),
      event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage }),
      event('message_stop', {}),
    ]
  }

  it('is told what was said, and not what the one before it thought', () =>
    standing(
      [{ stream: { pieces: events('FIRST') } }, { stream: { pieces: events('SECOND') } }, { text: 'So.' }],
      { speech: 'messages' },
      async ({ ask, assistant, server, engine }) => {
        await ask('One?')
        await ask('Two?')
        const other = new Assistant({
          engine,
          makeTools: assistantTools(engine, operations),
          place: assistant.place,
          history: { messages: assistant.messages, state: { ...assistant.state, model: 'anthropic/other' } },
        })
        await other.ask('Three?', { emit: () => {} })
        const sent = server.asked.map(({ body }) => JSON.stringify(body))
        expect([sent[1]?.includes('FIRST'), sent[2]?.includes('FIRST'), sent[2]?.includes('Yes.')]).toEqual([
          true,
          false,
          true,
        ])
      },
    ))
})
