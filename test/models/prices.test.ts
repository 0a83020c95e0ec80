import { describe, expect, it } from 'vitest'
import { readAsset } from '../../src/files/home.ts'
import { costOf, priceOf } from '../../src/models/prices.ts'
import { knownModel } from '../../src/models/service/known-models.ts'
import { fc, forAll } from '../support/property.ts'

describe('the price of a model', () => {
  it.each<[string, string, number | undefined]>([
    ['is that of its name', 'anthropic/claude-opus-5', 5],
    ['is that of the model for a dated version', 'anthropic/claude-haiku-4-5-20251001', 1],
    ['is that of the model for a date with dashes', 'openai/gpt-5.4-2026-03-05', 2.5],
    ['is not guessed for another of its family', 'anthropic/claude-opus-9', undefined],
    ['is not guessed for a longer name', 'openai/gpt-5.4-large', undefined],
    ['is known of a model of a cloud, by its name there', 'bedrock/anthropic.claude-opus-5', 5],
    ['is not that of another provider', 'bedrock/claude-opus-5', undefined],
    ['is nothing for what is built in', 'local/extractive', 0],
    ['is not a property of objects', 'constructor', undefined],
  ])('%s: %s', (_, name, input) => {
    expect(priceOf(name)?.input).toBe(input)
  })

  it('has parts that fit each other, for each listed model', () => {
    const { models } = JSON.parse(Buffer.from(readAsset('models.json')).toString('utf8'))
    const names = Object.keys(models)
    expect(names.length).toBeGreaterThan(300)
    for (const name of names) {
      const { reads = 0, output = 0, price } = knownModel(name) ?? {}
      expect(Math.min(reads, output), name).toBeGreaterThan(0)
      if (price) expect(price.cached ?? 0, name).toBeLessThanOrEqual(price.input)
    }
  })
})

describe('what a request costs', () => {
  const price = { input: 4, cached: 0.2, written: 5, output: 20 }

  it('is unknown without a price, and above what the price is for', () => {
    expect(costOf({ input: 1, cached: 0, output: 1 }, undefined)).toBeUndefined()
    const upTo = { ...price, upTo: 100 }
    expect([99, 100, 101].map((input) => costOf({ input, cached: 0, output: 0 }, upTo) !== undefined)).toEqual([
      true,
      true,
      false,
    ])
  })

  it('never shrinks when more is used', () => {
    const tokens = fc.nat(1_000_000)
    forAll(tokens, tokens, tokens, (input, output, more) => {
      const usage = { input, cached: 0, output }
      const [one = 0, two = 0] = [costOf(usage, price), costOf({ ...usage, output: output + more }, price)]
      expect(two).toBeGreaterThanOrEqual(one)
    })
  })
})
