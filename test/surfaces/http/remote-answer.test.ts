import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Conversations, openConversations } from '../../../src/agent/conversations.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { RemoteAnswer } from '../../../src/surfaces/http/chat/remote-answer.ts'
import { ANSWER_STREAM_LIMITS } from '../../../src/surfaces/http/events/event-stream.ts'
import { exchange } from '../../stores/conversations.contract.ts'
import { tree } from '../../support/tree.ts'

const ID = 'talk-0123456789abcdef'
const STEP = { type: 'step-start' }
const text = (said: string) => ({ type: 'text', text: said, state: 'done' })
const given = (id: string, parts: readonly object[], end: string | null = null) =>
  exchange(id, { end, shown: { parts, facts: {} } })

/** Two processes of one store, with a conversation. */
async function both(work: (one: Conversations, elsewhere: RemoteAnswer, logged: readonly unknown[]) => Promise<void>) {
  using at = tree({})
  const [one, other] = [openSqlite(at.at('a.db')), openSqlite(at.at('a.db'))]
  await one.conversations.begin({ id: ID, title: 'What?', place: '.', model: 'm' })
  const logged: unknown[] = []
  const logBug = (error: unknown) => logged.push(error)
  const parts = { limits: ANSWER_STREAM_LIMITS, allowWrite: false, logBug }
  const elsewhere = new RemoteAnswer(ID, openConversations(other.conversations), parts)
  try {
    await work(openConversations(one.conversations), elsewhere, logged)
  } finally {
    await one.close()
    await other.close()
  }
}

/** All that comes to who joins. */
async function joined(elsewhere: RemoteAnswer, drop = () => {}): Promise<{ readonly text: Promise<string> }> {
  const stream = await elsewhere.join(drop)
  if (!stream) throw new Error('None is given.')
  return { text: new Response(stream.body()).text() }
}

const saidIn = (stream: string) => [...stream.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta).join('')

it('an answer may be of any length for whoever comes late', () =>
  both(async (one, elsewhere) => {
    const long = { type: 'dynamic-tool', toolCallId: 'c', toolName: 'read', state: 'output-available', input: {} }
    const parts = [STEP, { ...long, output: 'x'.repeat(ANSWER_STREAM_LIMITS.backlog * 1.2) }]
    let dropped = 0
    await one.runExclusively(ID, async () => {
      await one.put(ID, 0, given('question-1', [...parts, text('Half')]))
      const reading = await joined(elsewhere, () => dropped++)
      await sleep(100)
      await one.put(ID, 0, given('question-1', [...parts, text('Half and whole.')], 'done'))
      expect(saidIn(await reading.text)).toBe('Half and whole.')
    })
    expect(dropped).toBe(0)
  }))

it.each([
  ['another question', 'question-2', 1],
  ['the same question again', 'question-1', 0],
])('who comes before %s is kept is told the answer that is given, and not the one that was cut off', (_, id, at) =>
  both(async (one, elsewhere) => {
    await one.put(ID, 0, given('question-1', [STEP, text('Old, and cut')]))
    await one.runExclusively(ID, async () => {
      const reading = await joined(elsewhere)
      await sleep(100)
      await one.put(ID, at, given(id, [STEP, text('New,')]))
      await sleep(200)
      await one.put(ID, at, given(id, [STEP, text('New, and whole')], 'done'))
      const told = await reading.text
      expect(saidIn(told)).toBe('New, and whole')
      expect(told).toContain('"finish"')
    })
  }),
)

it('a stop is of the answer that was given when it was said', () =>
  both(async (one, elsewhere) => {
    const heard: string[] = []
    const words = async () => heard.push(...(await one.receiveCommands(ID)).map(({ type }) => type))
    await one.runExclusively(ID, async () => {
      await elsewhere.stop()
      await words()
      await elsewhere.stop()
    })
    await one.runExclusively(ID, words)
    await elsewhere.stop()
    await one.runExclusively(ID, words)
    expect(heard).toEqual(['stop'])
  }))

it('of what is said to calls, that is kept which one waits for', () =>
  both(async (one, elsewhere) => {
    const waits = { type: 'dynamic-tool', toolCallId: 'c', toolName: 'set', state: 'approval-requested', input: {} }
    await one.runExclusively(ID, async () => {
      await one.put(ID, 0, given('question-1', [STEP, { ...waits, approval: { id: 'asked' } }]))
      const others = Array.from({ length: 5_000 }, (_, at) => [`made up ${at}`, false] as const)
      const say = (said: readonly (readonly [string, boolean])[]) =>
        elsewhere.joinAfterApproval(new Map(said), () => {})
      expect(await say(others)).toBeUndefined()
      expect(await say([...others, ['asked', false]])).toBeDefined()
      expect(await one.receiveCommands(ID)).toEqual([{ type: 'approvals', approvals: [['asked', false]] }])
    })
  }))

it('who follows an answer whose giver ends without a word is told so', () =>
  both(async (one, elsewhere) => {
    let reading: Awaited<ReturnType<typeof joined>> | undefined
    await one.runExclusively(ID, async () => {
      await one.put(ID, 0, given('question-1', [STEP, text('Half')]))
      reading = await joined(elsewhere)
      await sleep(100)
    })
    expect(await reading?.text).toContain('cut off')
  }))

it('who follows an answer that cannot be read is told so, the log hears why, and the process goes on', () =>
  both(async (one, elsewhere, logged) => {
    await one.runExclusively(ID, async () => {
      await one.put(ID, 0, exchange('question-1', { end: null, shown: { parts: [null], facts: {} } }))
      expect(await (await joined(elsewhere)).text).toContain('"errorText":"The server failed."')
    })
    expect(logged).toEqual([expect.any(TypeError)])
  }))
