import { describe, expect, it } from 'vitest'
import { Talk, type TalkParts } from '../../../src/agent/talk.ts'
import type { ShownEvent } from '../../../src/agent/transcript.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { openWith } from '../../../src/open.ts'
import { operations } from '../../../src/operations/index.ts'
import { assistantTools } from '../../../src/operations/tools.ts'
import {
  type LanguageServer,
  languageServer,
  messagesIn,
  type Script,
  type Speech,
} from '../../support/language-server.ts'
import { type Project, project } from '../../support/workspace.ts'
import { FILES } from './standing.ts'

const ID = 'talk-0123456789abcdef'
const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })

interface Around {
  readonly server: LanguageServer
  readonly engine: Engine
  readonly planted: Project
  /** Asks in the conversation as a new process would, that has nothing but the store. */
  ask(text: string, more?: Partial<TalkParts>): Promise<ShownEvent[]>
}

async function openTalk(engine: Engine, planted: Project, more: Partial<TalkParts> = {}) {
  const conversations = await engine.conversations()
  const makeTools = assistantTools(engine, operations)
  return Talk.open({ engine, makeTools, conversations, id: ID, place: planted.file(''), ...more })
}

/** `db`: a file, so that another engine can open it. */
async function talking(script: Script, work: (around: Around) => Promise<void>, speech: Speech = 'chat') {
  using planted = project(FILES)
  await using server = await languageServer(speech, script)
  const provider = speech === 'chat' ? 'openai-compatible' : 'anthropic'
  const model = { provider, model: 'm', url: server.url, key: 'k' } as const
  const opened = () => openWith({ db: planted.at('a.db'), home: planted.home, model, file: undefined, unknown: [] })
  const engine = opened()
  const { collections } = await engine.library()
  await collections.add({ name: 'docs', root: planted.file('docs') })
  await collections.index({})
  const ask = async (text: string, more: Partial<TalkParts> = {}) => {
    const fresh = opened()
    try {
      const talk = await openTalk(fresh, planted, more)
      const events: ShownEvent[] = []
      await talk.ask({ id: `question-${text}`, text }, { emit: (event) => events.push(event) })
      return events
    } finally {
      await fresh.close()
    }
  }
  try {
    await work({ server, engine, planted, ask })
  } finally {
    await engine.close()
  }
}

describe('a conversation that goes on in another process', () => {
  it('is still of its model, where that could not be asked for once', () =>
    talking([{ text: 'A.' }], async ({ server, planted, ask }) => {
      await ask('one')
      const unset = { db: planted.at('a.db'), home: planted.home, file: undefined, unknown: [] }
      const engine = openWith(unset)
      for (const text of ['two', 'three']) await expect(ask(text, { engine })).rejects.toThrow('no URL')
      const conversations = await engine.conversations()
      expect(await conversations.get(ID)).toMatchObject({ head: { model: 'openai-compatible/m', exchanges: 3 } })
      await engine.close()
      await ask('four')
      expect(server.asked).toHaveLength(2)
    }))

  it('is read again by one that has it open, which then takes nothing away', () =>
    talking([{ text: 'A.' }], async ({ engine, planted, ask }) => {
      const conversations = await engine.conversations()
      const resume = (id: string) => Talk.resume({ engine, makeTools: assistantTools(engine, operations) }, id)
      await expect(resume('')).rejects.toThrow('There is no conversation yet.')
      const opened = await openTalk(engine, planted)
      expect(await opened.current()).toBe(opened)
      await opened.ask({ id: 'question-one', text: 'one' }, { emit: () => {} })
      expect((await resume('')).id).toBe(ID)
      expect(await opened.current()).toBe(opened)
      for (const text of ['two', 'three']) await ask(text)
      const current = await opened.current()
      expect(current).not.toBe(opened)
      await current.ask({ id: 'question-four', text: 'four' }, { emit: () => {} })
      const kept = await conversations.get(ID)
      expect(kept?.exchanges.map(({ question }) => question)).toEqual(['one', 'two', 'three', 'four'])
      expect(JSON.stringify(current.assistant.messages)).toContain('three')
    }))

  it.each<Speech>(['chat', 'messages'])(
    'sends a model that speaks %s what was sent, byte for byte, and adds to it',
    (speech) =>
      talking(
        [
          call('read', { path: 'docs/errors.md' }),
          { text: 'Twice [3].' },
          call('search', { query: 'API' }),
          { text: 'Yes [3].' },
        ],
        async ({ ask, server }) => {
          await ask('One?')
          const [, , ...later] = (await ask('Two?')).filter(({ type }) => type === 'facts')
          expect(server.problems).toEqual([])
          const all = server.asked.map(({ body }) => messagesIn(body))
          for (const [at, messages] of all.entries()) {
            expect(messages.slice(0, all[at - 1]?.length ?? 0)).toEqual(all[at - 1] ?? [])
          }
          expect(new Set(server.asked.map(({ body }) => JSON.stringify(body.tools))).size).toBe(1)
          const sent = JSON.stringify(server.asked.at(-1)?.body)
          for (const once of ['Tests first.', 'Never log a password.', 'In docs be brief.']) {
            expect([once, sent.split(once).length - 1]).toEqual([once, 1])
          }
          // The numbers of sources go on, too.
          expect(JSON.stringify(later)).toContain('ambit://docs/errors.md')
        },
        speech,
      ),
  )

  it('goes on from fewer words where it was put into them, and from all of them where that is asked anew', () =>
    talking([{ text: 'word '.repeat(4_000) }], async ({ ask, server, engine }) => {
      const limits = { promptTokens: 14_000 }
      await ask('One?', { limits })
      await ask('Two?', { limits })
      expect((await ask('Three?', { limits })).map(({ type }) => type)).toContain('compacted')
      const short = messagesIn(server.asked.at(-1)?.body ?? { model: '', messages: [] })
      await ask('Four?')
      const next = messagesIn(server.asked.at(-1)?.body ?? { model: '', messages: [] })
      expect(next.slice(0, short.length)).toEqual(short)
      expect(next.join('').split('Tests first.')).toHaveLength(2)
      expect((await (await engine.conversations()).show(ID)).messages).toHaveLength(8)
      await ask('Other?', { keptExchanges: 2 })
      const whole = server.asked.at(-1)?.body.messages ?? []
      expect(whole.filter(({ role }) => role === 'assistant')).toHaveLength(2)
      expect(server.problems).toEqual([])
    }))

  it('has forgotten what is behind the exchange that is asked anew', () =>
    talking([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }], async ({ ask, server, engine }) => {
      await ask('One?')
      await ask('Two?')
      await ask('Other?', { keptExchanges: 1 })
      const sent = JSON.stringify(server.asked.at(-1)?.body)
      expect([sent.includes('Two?'), sent.includes('Two.'), sent.includes('One.')]).toEqual([false, false, true])
      expect(sent.split('Tests first.')).toHaveLength(2)
      const { messages } = await (await engine.conversations()).show(ID)
      expect(messages.map(({ id }) => id)).toEqual([
        'question-One?',
        'question-One?-answer',
        'question-Other?',
        'question-Other?-answer',
      ])
    }))

  it('goes on after an answer that failed, which is kept with its reason', () =>
    talking([{ fault: { status: 401, body: '{}' } }, { text: 'Two.' }], async ({ ask, engine, server }) => {
      expect((await ask('One?')).at(-1)).toMatchObject({ type: 'end', reason: 'failed' })
      await ask('Two?')
      expect(JSON.stringify(server.asked.at(-1)?.body)).not.toContain('One?')
      const { messages } = await (await engine.conversations()).show(ID)
      expect(messages[1]?.metadata).toMatchObject({ end: { reason: 'failed', message: expect.any(String) } })
      expect(messages[3]?.parts).toContainEqual({ type: 'text', text: 'Two.', state: 'done' })
    }))

  it('goes on from what was done when its process ended in the midst of an answer', () =>
    talking(
      [call('read', { path: 'docs/errors.md' }), { stream: { pieces: [], end: 'hang' } }, { text: 'Two.' }],
      async ({ engine, planted, server, ask }) => {
        const conversations = await engine.conversations()
        const talk = await openTalk(engine, planted)
        const ending = new AbortController()
        const run = { signal: ending.signal, emit: () => {} }
        const asked = talk.ask({ id: 'question-One?', text: 'One?' }, run)
        await expect.poll(async () => JSON.stringify(await conversations.get(ID))).toContain('output-available')
        await expect.poll(() => server.asked.length).toBe(2)
        // As another process sees it, while this one is lost.
        await ask('Two?')
        const sent = server.asked.at(-1)?.body.messages ?? []
        expect(server.problems).toEqual([])
        expect(sent.map(({ role }) => role).slice(-4)).toEqual(['user', 'assistant', 'tool', 'user'])
        expect(JSON.stringify(sent).split('In docs be brief.')).toHaveLength(2)
        ending.abort()
        await asked
      },
    ))

  it('is not kept any more when it is removed meanwhile, and is answered all the same', () =>
    talking([{ text: 'One.' }, { text: 'Two.' }], async ({ engine, planted }) => {
      const conversations = await engine.conversations()
      const notices: string[] = []
      const talk = await openTalk(engine, planted, { notice: (text) => notices.push(text) })
      await talk.ask({ id: 'question-1', text: 'One?' }, { emit: () => {} })
      await conversations.remove(ID)
      expect((await talk.ask({ id: 'question-2', text: 'Two?' }, { emit: () => {} })).answer).toBe('Two.')
      expect([await conversations.get(ID), notices]).toEqual([undefined, []])
    }))
})
