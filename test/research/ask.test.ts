import { describe, expect, it } from 'vitest'
import type { LanguageModel, Usage } from '../../src/models/language.ts'
import { askForText, BudgetedModel, objectIn, workWithModel } from '../../src/research/model/ask.ts'

describe('an answer in which JSON is expected', () => {
  it.each([`{"${'"'.repeat(390_000)}`, '{"a" "b" "c"} '.repeat(28_000)])(
    'that has no sense is given up in some seconds',
    (answer) => {
      const began = performance.now()
      expect(objectIn(answer)).toBeUndefined()
      expect(performance.now() - began).toBeLessThan(10_000)
    },
  )

  const items = Array.from({ length: 3000 }, (_, at) => ({ id: `F${at}`, text: 'word '.repeat(20) }))
  const text = JSON.stringify({ items })

  it.each([
    ['is JSON', text],
    ['is malformed', text.replace(']}', ',],}')],
    ['is cut off', text.slice(0, -3)],
  ])('may be long, if it %s', (_, answer) => {
    expect(objectIn(answer)?.items).toEqual(items)
  })
})

describe('a model within limits', () => {
  const price = { input: 10, output: 20 }
  const request = { system: 'word '.repeat(1000), messages: [], tools: [] }

  it.each<Usage>([
    { input: 0, cached: 0, output: 0 },
    { input: 0, cached: 0, output: 500 },
  ])('pays for what the service does not report: %j', async (usage) => {
    const model: LanguageModel = {
      name: 'own/silent',
      canSee: false,
      price,
      async *step() {
        yield { type: 'text', text: 'word '.repeat(400) }
        yield { type: 'finish', reason: 'stop', usage }
      },
    }
    const budgeted = new BudgetedModel(model, { calls: 10, tokens: 1e6, cost: 1 })
    await Array.fromAsync(budgeted.step(request))
    const { input, output, cost } = budgeted.spent
    expect([input, output]).toEqual([1503, 500])
    expect(cost).toBeCloseTo((1503 * price.input + 500 * price.output) / 1e6, 6)
  })

  it.each([
    ['calls', { calls: 1, tokens: 1e6, cost: 1 }],
    ['tokens', { calls: 2, tokens: 4000, cost: 1 }],
  ])(
    'keeps an answer that was cut off where no %s are left for another, and says that none ran out',
    async (_, limits) => {
      const model: LanguageModel = {
        name: 'own/short',
        canSee: false,
        price: undefined,
        async *step() {
          yield { type: 'text', text: 'word '.repeat(2000) }
          yield { type: 'finish', reason: 'length', usage: { input: 100, cached: 0, output: 3000 } }
        },
      }
      const { signal } = new AbortController()
      const asked = { prompt: { version: 1, text: 'Write.' }, task: () => ({}), signal }
      const work = (budgeted: BudgetedModel) => askForText(budgeted, asked)
      const result = await workWithModel(model, { limits, work, substitute: () => 'nothing' })
      expect(result).toMatchObject({ by: 'own/short', isCut: true, spent: { calls: 1 } })
      expect(result).not.toHaveProperty('exhausted')
    },
  )
})
