import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { afterEach, describe, expect, it } from 'vitest'
import { ContextError } from '../../src/core/errors.ts'
import { type Script, SPEECHES } from '../support/language-server.ts'
import { asked, CANARY, look, PROVIDERS } from './answering.ts'

interface Recorded {
  readonly name: string
  readonly parent: string | undefined
  readonly attributes: Record<string, unknown>
  isFailed: boolean
  isEnded: boolean
}

/** What an SDK would do, as far as it is looked at: the names, the parents, the attributes. */
function recording(): Recorded[] {
  const spans: Recorded[] = []
  const known = new WeakMap<Span, Recorded>()
  const begun = (name: string, attributes: Attributes = {}, within: Context = context.active()): Span => {
    const parent = trace.getSpan(within)
    const recorded: Recorded = {
      name,
      parent: parent && known.get(parent)?.name,
      attributes: { ...attributes },
      isFailed: false,
      isEnded: false,
    }
    spans.push(recorded)
    const span = {
      setAttribute: (key: string, value: unknown) => {
        recorded.attributes[key] = value
      },
      setAttributes: (more: Attributes) => Object.assign(recorded.attributes, more),
      setStatus: ({ code, message }: { code: SpanStatusCode; message?: string }) => {
        recorded.isFailed = code === SpanStatusCode.ERROR
        if (message !== undefined) recorded.attributes.message = message
      },
      end: () => {
        recorded.isEnded = true
      },
    } as unknown as Span
    known.set(span, recorded)
    return span
  }
  const storage = new AsyncLocalStorage<Context>()
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (one, work, self, ...given) => storage.run(one, () => work.call(self as never, ...given)),
    bind: (_, target) => target,
    enable() {
      return this
    },
    disable() {
      return this
    },
  })
  trace.setGlobalTracerProvider({
    getTracer: () => ({
      startSpan: (name: string, options?: { attributes?: Attributes }, within?: Context) =>
        begun(name, options?.attributes, within),
      startActiveSpan: (name: string, options: { attributes?: Attributes }, work: (span: Span) => unknown) => {
        const span = begun(name, options.attributes)
        return context.with(trace.setSpan(context.active(), span), () => work(span))
      },
    }),
  } as unknown as Parameters<typeof trace.setGlobalTracerProvider>[0])
  return spans
}

afterEach(() => {
  trace.disable()
  context.disable()
})

const SECRET = 'zebra-41'
const call = (at: string) => ({ tool: 'look', input: { at } })

describe.each(SPEECHES)('spans of an answer by a model that speaks %s', (speech) => {
  it('are one for it, one for each request, and one for each call, by the conventions', async () => {
    const spans = recording()
    const script: Script = [
      { calls: [call('a'), call('b')], usage: { input: 100, output: 10 } },
      { text: 'So.', usage: { input: 120, output: 20 } },
    ]
    await asked(speech, script, { tools: [look()] })
    expect(spans.map(({ name, parent }) => [name, parent])).toEqual([
      ['invoke_agent ambit', undefined],
      ['chat m', 'invoke_agent ambit'],
      ['execute_tool look', 'invoke_agent ambit'],
      ['execute_tool look', 'invoke_agent ambit'],
      ['chat m', 'invoke_agent ambit'],
    ])
    expect(spans.every(({ isEnded, isFailed }) => isEnded && !isFailed)).toBe(true)
    expect(spans[0]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'ambit',
      'gen_ai.provider.name': PROVIDERS[speech],
      'gen_ai.request.model': 'm',
      'gen_ai.usage.input_tokens': 220,
      'gen_ai.usage.output_tokens': 30,
    })
    expect(spans[1]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.cache_read.input_tokens': 0,
      'gen_ai.response.finish_reasons': ['stop'],
    })
    expect(spans[2]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.call.id': expect.any(String),
    })
  })

  it('hold nothing of what was asked, said, given and got, also where it went wrong', async () => {
    const spans = recording()
    const tool = look(async () => {
      throw new ContextError('not-found', `There is no ${SECRET}.`, { hint: SECRET })
    })
    const script: Script = [
      { text: SECRET, calls: [call(SECRET), { tool: `rm ${SECRET}`, input: {} }] },
      { fault: { status: 400, body: JSON.stringify({ error: { message: SECRET } }) } },
    ]
    await asked(speech, script, { tools: [tool], question: `What of ${SECRET}?` })
    expect(JSON.stringify(spans)).not.toMatch(new RegExp(`${SECRET}|${CANARY}|You help`))
    expect(
      spans.filter(({ isFailed }) => isFailed).map(({ name, attributes }) => [name, attributes['error.type']]),
    ).toEqual([
      ['invoke_agent ambit', 'invalid-input'],
      ['execute_tool look', 'not-found'],
      ['execute_tool unknown', 'not-found'],
      ['chat m', 'invalid-input'],
    ])
  })

  it('end when it is cancelled', async () => {
    const spans = recording()
    const controller = new AbortController()
    await asked(speech, [{ text: 'Be', finish: null, end: 'hang' }], {
      signal: controller.signal,
      on: ({ type }) => type === 'text' && controller.abort(),
    })
    expect(spans.map(({ isEnded, isFailed, attributes }) => [isEnded, isFailed, attributes['error.type']])).toEqual([
      [true, true, 'cancelled'],
      [true, true, 'cancelled'],
    ])
  })
})

it('end, too, when a bug of ours ends the answer', async () => {
  const spans = recording()
  const between = () => Promise.reject(new TypeError('a bug'))
  await expect(asked('chat', [{ calls: [call('a')] }], { tools: [look()], between })).rejects.toThrow('a bug')
  expect(spans[0]).toMatchObject({ isEnded: true, attributes: { 'error.type': '_OTHER' } })
})

it('records nothing where nobody does', async () => {
  const { outcome } = await asked('chat', [{ text: 'So.' }])
  expect(outcome.reason).toBe('done')
})
