/** Group J: models and the agent loop, against scripted services on loopback that speak as OpenAI's and Anthropic's do. */

import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/agent/events.ts'
import { ContextError } from '../../src/core/errors.ts'
import { bedrock } from '../../src/models/providers/language-bedrock.ts'
import { pauseAfter } from '../../src/models/service/attempts.ts'
import { type Asking, asked, askedOf, brokenRules, CANARY, look, modelAt, QUICK } from '../agent/answering.ts'
import { languageServer, messagesIn, type Script, SPEECHES, streamed } from '../support/language-server.ts'
import { fc, forAll } from '../support/property.ts'
import { SOON } from '../support/soon.ts'

const OK: Script[number] = { text: 'Because.' }
const call = (at: unknown, tool = 'look') => ({ tool, input: typeof at === 'string' ? { at } : (at as object) })
const fault = (status: number, message = 'no', headers: Readonly<Record<string, string>> = {}, code?: string) => ({
  fault: {
    status,
    headers,
    body: JSON.stringify({ type: 'error', error: { type: 'e', message, ...(code && { code }) } }),
  },
})

/** One behaviour of a service or a tool, and what must come of it. */
interface Row {
  readonly title: string
  readonly script: Script
  readonly asking?: () => Asking
  readonly end: string
  /** What the tool was called with, and ran. */
  readonly ran?: readonly string[]
  readonly answer?: string
  /** In what the person is told, or the model. */
  readonly told?: RegExp
}

/** `end`: how it ends, and after how many requests that the service saw: `done 2`. */
function row(title: string, script: Script, end: string, rest: Partial<Row> = {}): Row {
  return { title, script, end, ...rest }
}

const CALL = { calls: [call('a')] }
const CALL_B = { calls: [call('b')] }
const HANGING = { text: 'Be', finish: null, end: 'hang' } as const
const CUT = { text: 'Be', finish: null, end: 'cut' } as const
const wrong = (input: string) => ({ tool: 'look', input })
const NOT_ALLOWED = /denied: The person did not allow look/
const writing = (more: Partial<Asking>) => () => ({
  ...more,
  tools: [{ ...look(), effect: 'write' as const, run: () => Promise.reject(new Error('ran')) }],
})

const ROWS: readonly Row[] = [
  row('J0: an answer is given', [OK], 'done 1', { answer: 'Because.' }),
  row(
    'J0: tools are called side by side, and told in order',
    [{ text: 'Hm.', calls: [call('a'), call('b')] }, OK],
    'done 2',
    { ran: ['a', 'b'], answer: 'Because.' },
  ),
  row('J1: 429 with seconds is asked again', [fault(429, 'slow', { 'retry-after': '0' }), OK], 'done 2'),
  row(
    'J1: 429 with milliseconds is asked again, then',
    [fault(429, 'slow', { 'retry-after-ms': '30' }), OK],
    'done 2',
    { told: /"waiting","ms":30/ },
  ),
  row('J1: 429 without a time is asked again', [fault(429), OK], 'done 2'),
  row(
    'J2: 429 that means no money is not asked again',
    [fault(429, 'No more quota', {}, 'insufficient_quota'), OK],
    'failed 1',
    { told: /accepts no more requests/ },
  ),
  row('J2: 402 is not asked again', [fault(402), OK], 'failed 1', { told: /over-limit/ }),
  row('J2: a refused key is not asked again', [fault(401), OK], 'failed 1', { told: /AMBIT_MODEL_KEY/ }),
  row('J3: 500 once is asked again', [fault(500), OK], 'done 2'),
  row('J3: 529 twice is asked again', [fault(529), fault(529), OK], 'done 3'),
  row('J3: 503 for ever is asked three times, all together', [fault(503)], 'failed 3', { told: /503/ }),
  row('J3: 400 is not asked again', [fault(400, 'odd'), OK], 'failed 1', { told: /odd/ }),
  row('J3: 404 is not asked again', [fault(404), OK], 'failed 1', { told: /AMBIT_MODEL/ }),
  row('J4: a service that does not begin is given up', [{ fault: 'hang' }], 'failed 1', {
    asking: () => ({ timing: { ...QUICK, timeouts: { answerMs: 250, chunkMs: 5000 } } }),
    told: /did not begin to answer/,
  }),
  row('J4: one that stops in the middle is given up, its part stays', [HANGING], 'failed 1', {
    asking: () => ({ timing: { ...QUICK, timeouts: { answerMs: 5000, chunkMs: 60 } } }),
    answer: 'Be',
    told: /stopped in the middle/,
  }),
  row('J5: a stream without its end is interrupted, not done', [{ text: 'Be', finish: null }], 'interrupted 1', {
    answer: 'Be',
  }),
  row('J5: a connection that breaks is interrupted', [CUT], 'interrupted 1', { answer: 'Be' }),
  row(
    'J6: a call that the wire cut never runs, and is not kept',
    [{ text: 'Hm.', calls: [wrong('{"at":"a')], finish: null, end: 'cut' }, OK],
    'interrupted 1',
    { ran: [] },
  ),
  row(
    'J6: a call that looks whole does not run without an end',
    [{ calls: [call('a')], finish: null }, OK],
    'interrupted 1',
    { ran: [] },
  ),
  row(
    'J6: calls of an answer that was cut by its length never run',
    [{ text: 'Hm.', calls: [call('a'), wrong('{"at":"b')], finish: 'length' }, OK],
    'token-limit 1',
    { ran: [], answer: 'Hm.' },
  ),
  row('J7: arguments that are no JSON are mended once', [{ calls: [wrong('{at: a}')] }, CALL, OK], 'done 3', {
    ran: ['a'],
    told: /The arguments are not JSON/,
  }),
  row(
    'J7: arguments that are no JSON twice end it',
    [{ calls: [wrong('{at: a}')] }, { calls: [wrong('{at: b}')] }, OK],
    'failed 2',
    { ran: [] },
  ),
  row('J7: no arguments at all are an empty object', [{ calls: [wrong('')] }, OK], 'done 2', {
    ran: [],
    told: /at must be a text/,
  }),
  row('J8: a tool that is not there is told to the model', [{ calls: [call('a', 'delete_all')] }, OK], 'done 2', {
    ran: [],
    told: /not-found: There is no tool called .*Tools: look/,
  }),
  row('J8: a wrong type is told to the model', [{ calls: [call({ at: 7 })] }, OK], 'done 2', {
    ran: [],
    told: /invalid-input: at must be a text/,
  }),
  row('J8: an input too many is told to the model', [{ calls: [call({ at: 'a', rm: true })] }, OK], 'done 2', {
    ran: [],
    told: /no input called rm/,
  }),
  row(
    'J8: a prototype in the arguments is refused',
    [{ calls: [{ tool: 'look', input: '{"at":"a","__proto__":{"at":"b"}}' }] }, OK],
    'done 2',
    { ran: [], told: /no input called __proto__/ },
  ),
  row('J9: the same call for ever is stopped before the third', [CALL], 'loop 3', { ran: ['a', 'a'] }),
  row('J9: two calls that alternate are stopped', [CALL, CALL_B, CALL, CALL_B], 'loop 4', { ran: ['a', 'b', 'a'] }),
  row(
    'J9: other calls for ever end with the steps',
    [(body) => ({ text: 'Hm.', calls: [call(String(body.messages.length))] })],
    'step-limit 5',
    { asking: () => ({ limits: { steps: 5 } }), answer: 'Hm.' },
  ),
  row(
    'J10: of a hundred calls at once sixteen are done',
    [{ calls: Array.from({ length: 100 }, (_, at) => ({ ...call(String(at)), id: `id${at}` })) }, OK],
    'done 2',
    { ran: Array.from({ length: 16 }, (_, at) => String(at)), told: /over-limit: At most 16 calls/ },
  ),
  row('J11: a tool that hangs is given up, though it hears nothing', [CALL, OK], 'done 2', {
    asking: () => ({ tools: [look(() => new Promise(() => {}))], limits: { callMs: 50 } }),
    told: /look took longer than 0.05 seconds/,
  }),
  row('J11: a tool that throws says no more than that', [CALL, OK], 'done 2', {
    asking: () => ({ tools: [look(() => Promise.reject(new TypeError('at /home/me/secret.ts')))] }),
    told: /^(?!.*secret\.ts).*internal: The tool failed/s,
  }),
  row('J11: what a tool gives is cut, and the model is told', [CALL, OK], 'done 2', {
    asking: () => ({ tools: [look(async () => 'é'.repeat(25_000_000))] }),
    told: /"é{24000}\\n\[cut: 48000 of 50000000 bytes are shown\]"/,
  }),
  row('J13: an empty answer is told', [{ text: '' }], 'failed 1', { told: /empty answer/ }),
  row('J13: what the provider filters is refused', [{ text: 'Be', finish: 'content_filter' }], 'refused 1'),
  row(
    'J13: calls of an answer that was filtered never run',
    [{ calls: [call('a')], finish: 'content_filter' }],
    'refused 1',
    { ran: [] },
  ),
  row('J15: an answer cut by its length ends with its part', [{ text: 'Be', finish: 'length' }], 'token-limit 1', {
    answer: 'Be',
  }),
  row(
    'J15: tokens of all steps together are limited',
    [(body) => ({ calls: [call(String(body.messages.length))], usage: { input: 400, output: 100 } })],
    'token-limit 2',
    { asking: () => ({ limits: { tokens: 1400 } }) },
  ),
  row(
    'J15: an answer of 10 MB is broken off',
    [{ text: Array.from({ length: 160 }, () => 'x'.repeat(65_536)) }],
    'token-limit 1',
    { asking: () => ({ limits: { tokens: 100_000 } }) },
  ),
  row('J15: a conversation that is too long is not sent', [OK], 'token-limit 0', {
    asking: () => ({ question: 'why '.repeat(2000), limits: { promptTokens: 1000 } }),
    told: /At most 1000 can be sent/,
  }),
  row('J15: the time of all steps is limited', [HANGING], 'time-limit 1', {
    asking: () => ({ limits: { ms: 400 } }),
    answer: 'Be',
  }),
  row('J18: a service that tells the key does not have it told on', [fault(400, `bad key ${CANARY}`)], 'failed 1', {
    told: /bad key …/,
  }),
  row('J19: what writes is refused where nobody is asked', [CALL, OK], 'done 2', {
    asking: writing({}),
    told: NOT_ALLOWED,
  }),
  row('J19: what writes is refused when the person says no', [CALL, OK], 'done 2', {
    asking: writing({ approve: async () => false }),
    told: NOT_ALLOWED,
  }),
  row('J19: what writes is done when the person says yes', [CALL, OK], 'done 2', {
    asking: () => ({ tools: [{ ...look(), effect: 'write' }], approve: async ({ input }) => Object(input).at === 'a' }),
    told: /seen a/,
  }),
  row('J20: what cannot be loaded before the next request ends the answer', [CALL, OK], 'failed 1', {
    asking: () => ({ between: () => Promise.reject(new ContextError('not-found', 'There is no place.')) }),
    told: /not-found","There is no place/,
  }),
  row('J20: a service that fails does not have a tool run again', [CALL, fault(503), fault(503), OK], 'done 4', {
    ran: ['a'],
  }),
]

/** Gemini gives calls as JSON, whole. */
const HAS_TEXT = /"input":"/

describe.each([...SPEECHES, 'converse', 'gemini'] as const)('a model that speaks %s', (speech) => {
  const rows = ROWS.filter(({ script }) => speech !== 'gemini' || !HAS_TEXT.test(JSON.stringify(script)))
  it.each(rows.map((row) => [row.title, row] as const))('%s', async (_, row) => {
    const { script, asking, end, ran, answer, told } = row
    const tool = look()
    const answered = await asked(speech, script, { tools: [tool], ...asking?.() })
    const { outcome, events, server } = answered
    expect(`${outcome.reason} ${server.asked.length}`).toBe(end)
    expect(brokenRules(answered)).toEqual([])
    if (ran) expect(tool.ran).toEqual(ran)
    if (answer !== undefined) expect(outcome.answer).toBe(answer)
    const { error } = outcome
    if (told) expect(JSON.stringify([events, error?.code, error?.message, error?.hint])).toMatch(told)
  })
})

describe.each(SPEECHES)('a model that speaks %s', (speech) => {
  it('J6: wherever the stream of a call is cut, nothing runs and no call is kept', async () => {
    const { pieces } = streamed(speech, { text: 'Hm.', calls: [call('a'), call('b')], finish: null })
    const all = pieces.join('')
    const tool = look()
    for (const at of fc.sample(fc.nat(all.length), { numRuns: 25, seed: 7 })) {
      const answered = await asked(
        speech,
        [{ stream: { pieces: [all.slice(0, at)], ...(at % 2 && { end: 'cut' }) } }],
        { tools: [tool] },
      )
      expect(['interrupted', 'failed']).toContain(answered.outcome.reason)
      expect([tool.ran, brokenRules(answered)]).toEqual([[], []])
    }
  })

  it('J12: however a stream is cut into pieces, the answer is the same', async () => {
    const whole = streamed(speech, { text: ['Grüße, ', '世界 👩‍🚀'], calls: [call('ü👩‍🚀')] })
    const bytes = Buffer.from(whole.pieces.join(''))
    const forms = [
      [...bytes].map((_, at) => bytes.subarray(at, at + 1)),
      [Buffer.from(bytes.toString().replaceAll('\n', '\r\n'))],
      [`: a comment\n\n`, bytes],
      fc
        .sample(fc.integer({ min: 1, max: 9 }), { numRuns: 1, seed: 3 })
        .flatMap((size) =>
          Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size)),
        ),
    ]
    for (const pieces of forms) {
      const tool = look()
      const { outcome } = await asked(speech, [{ stream: { pieces } }, OK], { tools: [tool] })
      expect([outcome.reason, tool.ran]).toEqual(['done', ['ü👩‍🚀']])
      expect(outcome.messages[0]).toMatchObject({ parts: [{ text: 'Grüße, 世界 👩‍🚀' }, { type: 'call' }] })
    }
  })

  it.each<[string, Script, (event: AgentEvent) => boolean]>([
    ['before there is an answer', [{ fault: 'hang' }], ({ type }) => type === 'step'],
    ['while it waits to ask again', [fault(429, 'slow', { 'retry-after': '30' })], ({ type }) => type === 'waiting'],
    ['in the middle of a text', [{ text: 'Be', finish: null, end: 'hang' }], ({ type }) => type === 'text'],
    ['while a tool works', [{ calls: [call('a')] }, OK], ({ type }) => type === 'tool-started'],
  ])('J14: cancelled %s it ends at once, asks no more, and closes its request', async (_, script, isTime) => {
    const controller = new AbortController()
    let at = 0
    const answered = await asked(speech, script, {
      tools: [look(() => new Promise(() => {}))],
      signal: controller.signal,
      on: (event, server) => {
        if (!isTime(event)) return
        // On a busy machine the request is not there at once.
        const stop = () => {
          if (server.asked.length === 0) return void setTimeout(stop, 5)
          at = performance.now()
          controller.abort()
        }
        setTimeout(stop, 20)
      },
    })
    expect(performance.now() - at).toBeLessThan(SOON)
    expect([answered.outcome.reason, answered.server.asked.length]).toEqual(['cancelled', 1])
    expect(brokenRules(answered)).toEqual([])
  })

  it('J14: cancelled while the person is asked, who never answers, it ends at once and does nothing', async () => {
    const controller = new AbortController()
    const tool = { ...look(), effect: 'write' as const }
    const answered = await asked(speech, [{ calls: [call('a')] }, OK], {
      tools: [tool],
      signal: controller.signal,
      approve: () => {
        setTimeout(() => controller.abort(), 20)
        return new Promise(() => {})
      },
    })
    expect([answered.outcome.reason, answered.server.asked.length, tool.ran]).toEqual(['cancelled', 1, []])
    expect(brokenRules(answered)).toEqual([])
  })

  it('J14: cancelled before it began, it asks nothing', async () => {
    const { outcome, server, events } = await asked(speech, [OK], { signal: AbortSignal.abort() })
    expect([outcome.reason, server.asked.length, events.map(({ type }) => type)]).toEqual(['cancelled', 0, ['end']])
  })

  it('J14: cancelled within a call, it begins no other', async () => {
    const controller = new AbortController()
    const tool = look(async (at) => {
      controller.abort()
      return at
    })
    const script = [{ calls: [call('a'), call('b')] }, OK]
    const answered = await asked(speech, script, { tools: [tool], signal: controller.signal, limits: { atOnce: 1 } })
    expect([answered.outcome.reason, answered.server.asked.length, tool.ran]).toEqual(['cancelled', 1, ['a']])
    expect(answered.outcome.messages).toEqual([])
    expect(brokenRules(answered)).toEqual([])
  })

  it('J14: the request that is under way is closed', async () => {
    const controller = new AbortController()
    let closed = () => 0
    await asked(speech, [{ text: 'Be', finish: null, end: 'hang' }], {
      signal: controller.signal,
      on: (event, server) => {
        closed = () => server.closed
        if (event.type === 'text') controller.abort()
      },
    })
    await expect.poll(closed).toBe(1)
  })

  it('J18: the key is sent, in the header alone', async () => {
    const { server } = await asked(speech, [OK])
    const [request] = server.asked
    expect(speech === 'messages' ? request?.headers['x-api-key'] : request?.headers.authorization).toContain(CANARY)
    expect(JSON.stringify(request?.body)).not.toContain(CANARY)
  })
})

describe('how long is waited', () => {
  const NOW = Date.UTC(2026, 0, 1)
  const failing = (status: number, responseHeaders: Readonly<Record<string, string>> = {}) =>
    Object.assign(new Error('no'), { statusCode: status, responseHeaders })
  const wait = (headers: Readonly<Record<string, string>>, random = 0, attempt = 1) =>
    pauseAfter(failing(429, headers), attempt, { random: () => random, now: () => NOW })

  it.each<[string, Readonly<Record<string, string>>, number]>([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['parts of seconds', { 'retry-after': '0.5' }, 500],
    ['milliseconds, which are more exact', { 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    ['a date', { 'retry-after': new Date(NOW + 12_000).toUTCString() }, 12_000],
    ['a date that is over', { 'retry-after': new Date(NOW - 12_000).toUTCString() }, 0],
    ['a year', { 'retry-after': '31536000' }, 60_000],
    ['nonsense', { 'retry-after': 'soon' }, 0],
    ['less than nothing', { 'retry-after': '-5' }, 0],
    ['nothing', {}, 0],
  ])('J1: %s', (_, headers, ms) => {
    expect(wait(headers)).toBe(ms)
  })

  it('J3: any time up to a bound that doubles, and no less than was asked for', () => {
    expect([wait({}, 1, 1), wait({}, 1, 2), wait({}, 0.5, 2)]).toEqual([1000, 2000, 1000])
    forAll(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(200_000),
      fc.integer({ min: 1, max: 9 }),
      (random, ms, at) => {
        const told = wait({ 'retry-after-ms': String(ms) }, random, at) ?? -1
        expect(told).toBeGreaterThanOrEqual(Math.min(ms, 60_000))
        expect(told).toBeLessThanOrEqual(60_000)
      },
    )
  })

  it.each([400, 401, 402, 403, 404, 413, 422])('J2: not at all after %i', (status) => {
    expect(pauseAfter(failing(status), 1)).toBeUndefined()
  })
})

describe('a conversation', () => {
  it.each(SPEECHES)('J9: is told to %s as it was before, and what is new behind it', async (speech) => {
    const script: Script = [
      { text: 'Hm.', calls: [call('a')] },
      { text: 'One.' },
      { calls: [call('b')] },
      { text: 'Two.' },
    ]
    await using server = await languageServer(speech, script)
    const model = modelAt(speech, server.url)
    const first = await askedOf(model, server, { tools: [look()], question: 'One?' })
    const before = [{ role: 'user' as const, text: 'One?' }, ...first.outcome.messages]
    await askedOf(model, server, { tools: [look()], question: 'Two?', before })
    const sent = server.asked.map(({ body }) => messagesIn(body))
    for (const [at, messages] of sent.entries()) {
      const earlier = sent[at - 1] ?? []
      expect(messages.slice(0, earlier.length)).toEqual(earlier)
    }
    expect([sent.length, server.problems]).toEqual([4, []])
    expect(new Set(server.asked.map(({ body }) => JSON.stringify(body.tools))).size).toBe(1)
  })
})

describe('Bedrock', () => {
  it('J0: says which package is missing', async () => {
    const load = () => Promise.reject(Object.assign(new Error('no'), { code: 'ERR_MODULE_NOT_FOUND' }))
    await expect(bedrock({ provider: 'bedrock', model: 'm' }, { load })).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('npm install -g @ai-sdk/amazon-bedrock'),
    })
  })
})
