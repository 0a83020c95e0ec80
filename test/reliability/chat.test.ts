/**
 * What becomes of an answer when its server ends, or is gone from one moment to the next.
 *
 * @module-tag long
 */

import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { languageServer, type Script } from '../support/language-server.ts'
import { SOON } from '../support/soon.ts'
import { tree } from '../support/tree.ts'
import { type Served, served } from './served.ts'

const ID = 'talk-0123456789abcdef'

/** J18: it goes to the service, and is in nothing that is kept. */
const KEY = 'key-of-the-service-2f8c1d'

interface Message {
  readonly parts: readonly { readonly type: string; readonly text?: string; readonly state?: string }[]
  readonly metadata: { readonly end?: { readonly reason: string } }
}

async function running(script: Script, work: (around: { start(): Promise<Served>; asked(): number }) => Promise<void>) {
  using at = tree({ '.git/': '', 'AGENTS.md': 'Tests first.\n' })
  await using model = await languageServer('chat', script)
  const named = { AMBIT_MODEL: 'openai-compatible/m', AMBIT_MODEL_URL: model.url, AMBIT_MODEL_KEY: KEY }
  const env = { ...named, AMBIT_DB: at.at('a.db') }
  await work({ start: () => served(at.base, { env }), asked: () => model.asked.length })
  const kept = ['a.db', 'a.db-wal'].flatMap((name) =>
    existsSync(at.at(name)) ? [readFileSync(at.at(name), 'latin1')] : [],
  )
  expect([model.asked.length > 0, kept.join('').includes(KEY)]).toEqual([true, false])
}

function asked({ url, token }: Served, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return fetch(`${url}${path}`, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
}

function question(server: Served, text: string): Promise<Response> {
  const message = { id: `question-${text}`, role: 'user', parts: [{ type: 'text', text }] }
  return asked(server, '/api/chat', { id: ID, messages: [message], place: '.' })
}

async function answerOf(server: Served): Promise<Message | undefined> {
  const response = await asked(server, `/api/conversations.show?id=${ID}`)
  if (!response.ok) return undefined
  const { messages } = (await response.json()) as { messages: Message[] }
  return messages.at(-1)
}

/** What a service sends first of a text, and no more. */
const HALF = {
  stream: {
    pieces: [
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content: 'Half' }, finish_reason: null }] })}\n\n`,
    ],
    end: 'hang',
  },
} as const

const textIn = (message: Message | undefined) => message?.parts.find(({ type }) => type === 'text')?.text

describe('J an answer whose server', () => {
  it(
    'is killed is there as far as it was seen, and the conversation goes on with the next server',
    () =>
      running([HALF, { text: 'Whole.' }], async ({ start, asked: requests }) => {
        await using first = await start()
        const stream = await question(first, 'One')
        await expect.poll(async () => textIn(await answerOf(first))).toBe('Half')
        await first.ended('SIGKILL')
        await expect(stream.text()).rejects.toThrow()
        await using second = await start()
        expect((await answerOf(second))?.metadata).not.toHaveProperty('end')
        expect((await asked(second, `/api/chat/${ID}/stream`)).status).toBe(204)
        expect(await (await question(second, 'Two')).text()).toContain('Whole.')
        expect([textIn(await answerOf(second)), requests()]).toEqual(['Whole.', 2])
      }),
    30_000,
  )

  it(
    'is told to end is stopped where nobody listens, and kept as stopped',
    () =>
      running([HALF], async ({ start }) => {
        await using first = await start()
        const stream = await question(first, 'One')
        await expect.poll(async () => textIn(await answerOf(first))).toBe('Half')
        await stream.body?.cancel()
        await sleep(100)
        const { code, ms } = await first.ended('SIGTERM')
        expect([code, ms < SOON, first.written().includes('"internal"')]).toEqual([0, true, false])
        await using second = await start()
        expect(await answerOf(second)).toMatchObject({ metadata: { end: { reason: 'cancelled' } } })
      }),
    30_000,
  )
})
