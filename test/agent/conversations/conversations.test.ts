import { describe, expect, it } from 'vitest'
import { type Conversations, newConversationId, openConversations } from '../../../src/agent/conversations.ts'
import { ContextError } from '../../../src/core/errors.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { exchange } from '../../stores/conversations.contract.ts'

const about = (id: string) => ({ id, place: '.', model: 'local/extractive' })

async function withConversations(work: (conversations: Conversations) => Promise<void>): Promise<void> {
  const store = openSqlite(':memory:')
  try {
    await work(openConversations(store.conversations))
  } finally {
    await store.close()
  }
}

describe('a conversation', () => {
  it('has 128 random bits for a name', () => {
    const ids = Array.from({ length: 5_000 }, newConversationId)
    expect(new Set(ids).size).toBe(5_000)
    // A word for a command line, and no option.
    for (const id of ids) expect(id).toMatch(/^\w[\w-]{21}$/)
  })

  it.each([
    ['What is this?', 'What is this?'],
    ['  What is this?\nAnd that?', 'What is this?'],
    ['x'.repeat(80), 'x'.repeat(80)],
    ['x'.repeat(81), `${'x'.repeat(80)} …`],
    [`${'word '.repeat(30)}end`, `${'word '.repeat(15)}word …`],
    ['\u001b[31mRed', '\\u{1b}[31mRed'],
    ['\n', 'Conversation'],
  ])('that begins with %j is called %j', (question, title) =>
    withConversations(async (conversations) => {
      await conversations.begin(question, about('a'))
      expect((await conversations.show('a')).title).toBe(title)
    }),
  )

  it.each([
    ['', 'nothing'],
    ['   ', 'spaces'],
    ['x'.repeat(201), 'too much'],
  ])('is not called %j: %s', (title) =>
    withConversations(async (conversations) => {
      await conversations.begin('What?', about('a'))
      await expect(conversations.rename('a', title)).rejects.toMatchObject({ code: 'invalid-input' })
      expect((await conversations.rename('a', 'x'.repeat(200))).title).toHaveLength(200)
    }),
  )

  it('that is none is not found, whatever is asked of it', () =>
    withConversations(async (conversations) => {
      const asked = [
        () => conversations.show('a'),
        () => conversations.export('a'),
        () => conversations.remove('a'),
        () => conversations.rename('a', 'b'),
      ]
      for (const ask of asked)
        await expect(ask()).rejects.toMatchObject({ code: 'not-found', hint: expect.any(String) })
    }))

  it('is listed page after page', () =>
    withConversations(async (conversations) => {
      for (const id of ['a', 'b~c', 'd']) await conversations.begin('What?', about(id))
      const seen: string[] = []
      let after: string | undefined
      do {
        const page = await conversations.list({ limit: 1, after })
        seen.push(...page.conversations.map(({ id }) => id))
        after = page.next
      } while (after !== undefined)
      expect(seen.toSorted()).toEqual(['a', 'b~c', 'd'])
      expect(await conversations.list({ limit: 3 })).not.toHaveProperty('next')
      await expect(conversations.list({ limit: 1, after: 'x' })).rejects.toMatchObject({ code: 'invalid-input' })
    }))

  it('is busy while it is answered, and not where the answer fails because something else is', () =>
    withConversations(async (conversations) => {
      await conversations.begin('What?', about('a'))
      const work = () => Promise.reject(new ContextError('conflict', 'A file is being written.'))
      const answer = (given: () => Promise<never>) => conversations.runExclusively('a', given)
      await expect(answer(work)).rejects.toThrow('A file is being written.')
      await expect(answer(() => answer(work))).rejects.toThrow('An answer is being given in this conversation.')
    }))

  it('is a document: what was said and done, and what it rests on', () =>
    withConversations(async (conversations) => {
      await conversations.begin('What of `errors`?', about('a'))
      const tool = { type: 'dynamic-tool', toolCallId: 'c', toolName: 'search', input: { query: 'a `b`' } }
      const parts = [
        { type: 'step-start' },
        { ...tool, state: 'output-available', output: 'secret output' },
        { ...tool, state: 'output-error', errorText: 'not-found' },
        { ...tool, toolName: 'write', input: {}, state: 'output-denied' },
        { type: 'text', text: 'Twice [1].\n', state: 'done' },
      ]
      const facts = { citations: [{ number: 1, place: 'ambit://docs/a.md' }], end: { reason: 'done' } }
      await conversations.put('a', 0, exchange('q0', { question: 'What of `errors`?', shown: { parts, facts } }))
      const end = { reason: 'failed', message: 'There is no key.' }
      await conversations.put('a', 1, exchange('q1', { question: 'And?', shown: { parts: [], facts: { end } } }))
      await conversations.put('a', 2, exchange('q2', { question: 'Now?', shown: { parts: [], facts: {} }, end: null }))
      const messages = [
        { role: 'user', text: 'Why?', files: [{ name: 'a\n`b`.png', mediaType: 'image/png', data: '' }] },
      ]
      const shown = { parts: [], facts: { end: { reason: 'loop' } } }
      await conversations.put('a', 3, exchange('q3', { question: 'Why?', shown, messages }))
      expect((await conversations.export('a')).markdown).toBe(
        [
          '# What of `errors`?',
          '## You',
          'What of `errors`?',
          '## Ambit',
          '- `` search {"query":"a `b`"} ``',
          '- `` search {"query":"a `b`"} `` (failed)',
          '- `write {}` (refused)',
          'Twice [1].',
          '- [1] `ambit://docs/a.md`',
          '## You',
          'And?',
          '## Ambit',
          '*There is no key.*',
          '## You',
          'Now?',
          '## Ambit',
          '*The answer was cut off.*',
          '## You',
          '- Sent: `` a\\n`b`.png ``',
          'Why?',
          '## Ambit',
          '*The answer ended: loop.*\n',
        ].join('\n\n'),
      )
    }))
})
