import { describe, expect, it } from 'vitest'
import { anthropic } from '../../src/models/providers/language-anthropic.ts'
import { chatCompletions } from '../../src/models/providers/language-compatible.ts'
import { openai } from '../../src/models/providers/language-openai.ts'
import { languageServer, type Script, SPEECHES, type Speech } from '../support/language-server.ts'
import { askedOf, look, PROVIDERS, QUICK } from './answering.ts'

const PRICE = { input: 4, cached: 1, output: 20 }
const MODELS = { chat: chatCompletions, responses: openai, messages: anthropic } as const
const call = (at: string) => ({ calls: [{ tool: 'look', input: { at } }] })
const used = (input: number, output: number, cached = 0) => ({ usage: { input, output, cached } })

async function asked(
  speech: Speech,
  script: Script,
  { cost, isPriced = true }: { cost?: number; isPriced?: boolean } = {},
) {
  await using server = await languageServer(speech, script)
  const settings = { provider: PROVIDERS[speech], model: 'm', url: server.url, ...(isPriced && { price: PRICE }) }
  const model = MODELS[speech](settings, QUICK)
  return await askedOf(model, server, { tools: [look()], ...(cost !== undefined && { limits: { cost } }) })
}

describe.each(SPEECHES)('what an answer of a model that speaks %s costs', (speech) => {
  it('is the sum of its steps', async () => {
    const { outcome, events } = await asked(speech, [
      { ...call('a'), ...used(1000, 100) },
      { text: 'So.', ...used(1200, 50) },
    ])
    expect(outcome.usage).toEqual({ input: 2200, cached: 0, output: 150, cost: 0.0118 })
    expect(events.flatMap((event) => (event.type === 'usage' ? [event.step.cost] : []))).toEqual([0.006, 0.0058])
  })

  it('counts what the provider had kept as that', async () => {
    const { outcome } = await asked(speech, [{ text: 'So.', ...used(1000, 0, 400) }])
    // Anthropic tells the fresh part alone, the others all of it.
    const fresh = speech === 'messages' ? 1000 : 600
    expect(outcome.usage.cost).toBeCloseTo((fresh * 4 + 400 * 1) / 1e6, 10)
  })

  it('is not told without a price', async () => {
    const { outcome } = await asked(speech, [{ text: 'So.' }], { isPriced: false })
    expect(outcome.usage).not.toHaveProperty('cost')
  })

  it('is not told where a step broke off before it said what it took', async () => {
    const first = { ...call('a'), ...used(1000, 100) }
    const { outcome } = await asked(speech, [first, { text: 'So', finish: null, end: 'cut' }])
    expect([outcome.reason, outcome.usage]).toEqual(['interrupted', { input: 1000, cached: 0, output: 100 }])
    const refused = await asked(speech, [first, { fault: { status: 400 } }])
    expect([refused.outcome.reason, refused.outcome.usage]).toEqual(['failed', { input: 1000, cached: 0, output: 100 }])
  })

  it('J15: is limited: at the limit no more is asked, just below it is', async () => {
    const script: Script = [(body) => ({ ...call(String(body.messages.length)), ...used(1000, 100) })]
    for (const [cost, steps] of [
      [0.012, 2],
      [0.0121, 3],
    ] as const) {
      const { outcome, server } = await asked(speech, script, { cost })
      expect([outcome.reason, server.asked.length]).toEqual(['cost-limit', steps])
    }
  })
})

// A service may report no usage, or what no request takes.
describe.each([used(0, 0), used(-1000, -100)])('a service that reports %j', (usage) => {
  const script: Script = [(body) => ({ ...call(String(body.messages.length)), ...usage })]

  it.each(['tokens', 'cost'] as const)('does not get round the limit of %s', async (limit) => {
    await using server = await languageServer('chat', script)
    const model = chatCompletions({ provider: PROVIDERS.chat, model: 'm', url: server.url, price: PRICE }, QUICK)
    const limits = { tokens: 1000, cost: 0.004 }
    const { outcome } = await askedOf(model, server, {
      tools: [look()],
      limits: { steps: 100, [limit]: limits[limit] },
    })
    expect(outcome.reason).toBe(limit === 'tokens' ? 'token-limit' : 'cost-limit')
    expect(outcome.usage).toMatchObject({ input: 0, output: 0 })
  })
})

describe('a request that may take more tokens than are left', () => {
  const asked = async (tokens: number) => {
    const script: Script = [
      { ...call('a'), ...used(900, 100) },
      { text: 'So.', ...used(900, 100) },
    ]
    await using server = await languageServer('chat', script)
    const model = chatCompletions({ provider: PROVIDERS.chat, model: 'm', url: server.url }, QUICK)
    const { outcome } = await askedOf(model, server, {
      tools: [look()],
      question: 'x'.repeat(4000),
      limits: { tokens },
    })
    const limits = server.asked.map(({ body }) => body.max_tokens)
    return [outcome.reason, outcome.error?.hint, limits]
  }

  it('is not made', async () => {
    const [, hint = ''] = await asked(1000)
    const least = Number(/^Give (\d+) tokens or more\.$/.exec(String(hint))?.[1])
    expect(least).toBeGreaterThan(1500)
    expect(await asked(least - 1)).toEqual(['token-limit', hint, []])
    expect(await asked(least)).toEqual(['token-limit', undefined, [500]])
    expect(await asked(9000)).toEqual(['done', undefined, [undefined, undefined]])
  })
})
