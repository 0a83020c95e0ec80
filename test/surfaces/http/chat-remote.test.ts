/** Answers that one process gives, to clients who come to another. */

import type { UIMessage } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readReply } from '../../../src/surfaces/http/chat/request.ts'
import { served } from '../../reliability/served.ts'
import { languageServer } from '../../support/language-server.ts'
import { FIXTURE } from '../../support/mcp-fixture.ts'
import { type Databases, databases, withPostgres } from '../../support/postgres.ts'
import { tree } from '../../support/tree.ts'
import { askingAt, type ChattingOptions, type Client, call, chatting, gated, piece } from './chatting.ts'

const ID = 'talk-0123456789abcdef'
const shown = async (get: (path: string) => Promise<Response>) =>
  (await (await get(`/api/conversations.show?id=${ID}`)).json()) as { messages: UIMessage[] }

const HALF = { stream: { pieces: [piece('Half')], end: 'hang' } } as const

const at = tree({ 'here/': '' })
let made: Databases | undefined
let last = 0
afterAll(async () => {
  await made?.drop()
  at[Symbol.dispose]()
})

const file = async () => ({ db: at.at(`${++last}.db`) })

describe('an answer that another process gives, over SQLite', () => isSeen(file))

withPostgres('an answer that another process gives, over PostgreSQL', () => {
  beforeAll(async () => {
    made = await databases()
  })
  isSeen(async () => ({ database: { url: (await made?.create()) ?? '' } }))
})

function isSeen(store: () => Promise<NonNullable<ChattingOptions['store']>>): void {
  it('is joined from its beginning, and comes to the same end', async () => {
    const gate = gated('load')
    await chatting(
      [{ text: 'I look.', ...call('context_for', { place: 'docs' }) }, { text: ['Fou', 'nd.'] }],
      { operations: gate.operations, store: await store() },
      async ({ client, beside, logged }) => {
        const other = await beside()
        expect((await other.get(`/api/chat/${ID}/stream`)).status).toBe(204)
        const one = client(ID)
        const sent = one.sendMessage({ text: 'What is there?' })
        await one.until((parts) => parts.includes('context_for input-available'))
        await expect.poll(async () => (await shown(other.get)).messages[1]?.parts).toHaveLength(3)
        const two = other.client(ID, (await shown(other.get)).messages)
        const joined = two.resumeStream()
        await two.until((parts) => parts.length === 2)
        gate.open()
        await Promise.all([sent, joined])
        expect(two.last).toEqual(['I look.', 'context_for output-available', 'Found.'])
        expect(two.facts).toEqual(one.facts)
        expect(JSON.parse(JSON.stringify(two.messages))).toEqual((await shown(other.get)).messages)
        expect((await other.get(`/api/chat/${ID}/stream`)).status).toBe(204)
        expect(logged).toEqual([])
      },
    )
  })

  it('is stopped by name, and the conversation goes on wherever it is asked', async () => {
    await chatting([HALF, { text: 'Whole.' }], { store: await store() }, async ({ client, beside, model }) => {
      const other = await beside()
      const one = client(ID)
      const sent = one.sendMessage({ text: 'What?' })
      await one.until((parts) => parts.includes('Half'))
      expect((await other.post(`/api/chat/${ID}/stop`, {})).status).toBe(204)
      await sent
      expect(one.facts.end).toMatchObject({ reason: 'cancelled' })
      await expect.poll(() => model.closed).toBe(1)
      const two = await other.client(ID, one.messages).say('And?')
      expect([two.error, two.last]).toEqual([undefined, ['Whole.']])
    })
  })

  it('is the only one of its conversation', async () => {
    const gate = gated('load')
    await chatting(
      [call('context_for', { place: 'docs' }), { text: 'Found.' }],
      { operations: gate.operations, store: await store() },
      async ({ client, beside }) => {
        const one = client(ID)
        const sent = one.sendMessage({ text: 'What is there?' })
        await one.until((parts) => parts.length > 0)
        const two = (await beside()).client(ID)
        await two.sendMessage({ text: 'And here?' })
        expect([two.status, two.error?.message]).toEqual(['error', expect.stringContaining('An answer is being given')])
        gate.open()
        await sent
        expect(one.last).toEqual(['context_for output-available', 'Found.'])
      },
    )
  })

  it.each([
    [true, 'output-available', [{ context: 'The manual' }]],
    [false, 'output-denied', []],
  ] as const)('asks whether something may be written, and hears it: %s', async (approved, state, contexts) => {
    await chatting(
      [call('set_path_context', { path: 'docs', text: 'The manual' }), { text: 'Then.' }],
      { parts: { allowWrite: true }, store: await store() },
      async ({ client, beside, engine }) => {
        const other = await beside()
        const one = await client(ID).say('Say that docs is the manual.')
        const two = other.client(ID, one.messages)
        const id = two.approval
        // Somebody else who looks at it sees that it waits.
        const third = other.client(ID, (await shown(other.get)).messages)
        await third.resumeStream()
        expect(third.last).toEqual(['set_path_context approval-requested'])
        await two.addToolApprovalResponse({ id, approved })
        await two.until(() => two.facts.end !== undefined)
        expect(two.last).toEqual([`set_path_context ${state}`, 'Then.'])
        expect(await (await engine.contexts()).list()).toMatchObject(contexts)
        expect((await shown(other.get)).messages[1]?.parts).toEqual(JSON.parse(JSON.stringify(two.messages[1]?.parts)))
        const again = { type: 'dynamic-tool', state: 'approval-responded', approval: { id, approved } }
        const messages = [{ id: 'answer-12', role: 'assistant', parts: [again] }]
        expect((await other.post('/api/chat', { id: ID, messages })).status).toBe(409)
      },
    )
  })
}

describe('what a tool server asks the person', () => {
  const fix = { mcpServers: { fix: FIXTURE } }
  const script = [call('find_tools', { query: 'asks' }), call('fix__asks', {}), { text: 'So.' }]
  const asked = ({ messages }: Client) => messages.at(-1)?.parts.find(({ type }) => type === 'data-question')

  it.each([
    ['here', { size: 3, colour: 'red' }, 'answered', '"accept","content":{"size":3,"colour":"red"}'],
    ['at another process', { size: 3 }, 'answered', '"accept","content":{"size":3}'],
    ['at another process', undefined, 'declined', '"decline"'],
  ])('is answered %s by %j', async (where, values, state, heard) =>
    chatting(script, { ...fix, store: await file() }, async ({ client, beside, post, get, model }) => {
      const at = where === 'here' ? { post } : await beside()
      const one = client(ID, [], { place: '.', questions: true })
      const sent = one.sendMessage({ text: 'Ask me.' })
      await one.until(() => asked(one) !== undefined)
      await expect.poll(async () => JSON.stringify(await shown(get))).toContain('data-question')
      const { id: question } = Object(asked(one))
      const reply = async (body: object) => (await at.post(`/api/chat/${ID}/answer`, body)).status
      expect(await reply({ question: 'another' })).toBe(409)
      for (const wrong of [{}, { size: 1.5 }, { size: 1, colour: 'green' }])
        expect(await reply({ question, values: wrong })).toBe(400)
      expect(await reply({ question, values })).toBe(204)
      await sent
      expect([asked(one), one.last.at(-1)]).toMatchObject([{ data: { server: 'fix', state } }, 'So.'])
      expect(JSON.stringify(model.asked.at(-1)?.body).replaceAll('\\', '')).toContain(`"action":${heard}`)
      expect((await shown(get)).messages.at(-1)?.parts).toEqual(JSON.parse(JSON.stringify(one.messages.at(-1)?.parts)))
      expect(await reply({ question, values })).toBe(409)
    }),
  )

  it('may have a field of a name that every object has', () => {
    const field = { name: 'constructor', about: 'Builder', type: 'text', isRequired: false } as const
    const data = { server: 'fix', message: 'Who?', fields: [field], state: 'asked' } as const
    const parts = [{ type: 'data-question', id: 'q', data }] as const
    expect(readReply({ question: 'q', values: {} }, parts)).toEqual(['q', {}])
    expect(readReply({ question: 'q', values: { constructor: 'Ann' } }, parts)).toEqual(['q', { constructor: 'Ann' }])
  })

  it('is declined at once where the client cannot ask, and the answer goes on', () =>
    chatting(script, fix, async ({ client, model }) => {
      const one = await client(ID).say('Ask me.')
      expect(one.last.at(-1)).toBe('So.')
      expect(JSON.stringify(model.asked.at(-1)?.body)).toContain('<declined server=')
    }))

  it('is asked no more when the answer is stopped', () =>
    chatting(script, fix, async ({ client, post }) => {
      const one = client(ID, [], { place: '.', questions: true })
      const sent = one.sendMessage({ text: 'Ask me.' })
      await one.until(() => asked(one) !== undefined)
      await post(`/api/chat/${ID}/stop`, {})
      await sent
      expect([asked(one), one.facts.end]).toMatchObject([{ data: { state: 'declined' } }, { reason: 'cancelled' }])
    }))
})

it('what an answer asks the person is approved by nobody who may only read, though it be of their name; refused it may be', () =>
  chatting(
    [call('set_path_context', { path: 'docs', text: 'Planted' }), { text: 'Then.' }],
    { parts: { allowWrite: true } },
    async ({ url, engine }) => {
      const tokens = await engine.tokens()
      const by = async (scopes: readonly string[]) => {
        const { token } = await tokens.create({ name: 'anna', scopes })
        return askingAt(url, { authorization: `Bearer ${token}` })
      }
      const [writer, reader] = [await by(['read', 'write']), await by(['read'])]
      const one = await writer.client(ID, [], { place: 'docs' }).say('Say that docs is the manual.')
      const id = one.approval
      const said = (approved: boolean) => {
        const told = { type: 'dynamic-tool', state: 'approval-responded', approval: { id, approved } }
        return reader.post('/api/chat', { id: ID, messages: [{ id: 'answer-12', role: 'assistant', parts: [told] }] })
      }
      const refused = await said(true)
      expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'denied' }])
      expect(await (await said(false)).text()).toContain('tool-output-denied')
      expect(await (await engine.contexts()).list()).toEqual([])
    },
  ))

it('an answer whose process dies is told to those who follow it elsewhere as cut off, and the conversation goes on there', {
  tags: 'long',
}, async () => {
  await using model = await languageServer('chat', [HALF, { text: 'Whole.' }])
  const env = { AMBIT_MODEL: 'openai-compatible/m', AMBIT_MODEL_URL: model.url }
  const argv = ['--db', at.at('dies.db'), '--root', at.base]
  await using dies = await served(at.base, { argv, env })
  await using stays = await served(at.base, { argv, env })
  const [first, second] = [dies, stays].map(({ url, token }) => askingAt(url, { authorization: `Bearer ${token}` }))
  if (!first || !second) throw new Error('There are two.')
  const one = first.client(ID)
  const sent = one.sendMessage({ text: 'What?' })
  await one.until((parts) => parts.includes('Half'))
  await expect.poll(async () => JSON.stringify((await shown(second.get)).messages)).toContain('Half')
  const two = second.client(ID, (await shown(second.get)).messages)
  const joined = two.resumeStream()
  await two.until((parts) => parts.includes('Half'))
  await dies.ended('SIGKILL')
  await Promise.all([sent, joined])
  expect(two.error?.message).toContain('cut off')
  await two.sendMessage({ text: 'And?' })
  expect([two.error, two.last]).toEqual([undefined, ['Whole.']])
})
