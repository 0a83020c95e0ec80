import { describe, expect, it } from 'vitest'
import type { LanguageModel, Usage } from '../../src/models/language.ts'
import { BudgetedModel, objectIn } from '../../src/research/model/ask.ts'

describe('an answer in which JSON is expected', () => {
  it('that has no sense is given up in a moment, whatever its length', () => {
    const began = performance.now()
    expect(objectIn(`{"${'"'.repeat(390_000)}`)).toBeUndefined()
    expect(performance.now() - began).toBeLessThan(1000)
  })

  it('may be long, if it is JSON, and malformed, if it is not that long', () => {
    const items = Array.from({ length: 50_000 }, (_, at) => at)
    expect(objectIn(JSON.stringify({ items }))).toEqual({ items })
    const text = 'word '.repeat(15_000)
    expect(objectIn(`{ "text": "${text}", }`)).toEqual({ text })
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
})
