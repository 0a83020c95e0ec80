import { describe, expect, it } from 'vitest'
import { readAsset } from '../../src/files/home.ts'
import { costOf } from '../../src/models/prices.ts'
import { knownModel } from '../../src/models/service/known-models.ts'
import { fc, forAll } from '../support/property.ts'

describe('the price of a model', () => {
  it('has parts that fit each other, for each listed model', () => {
    const { models } = JSON.parse(Buffer.from(readAsset('models.json')).toString('utf8'))
    const names = Object.keys(models)
    expect(names.length).toBeGreaterThan(300)
    for (const name of names) {
      const { contextTokens = 0, output = 0, price } = knownModel(name) ?? {}
      expect(Math.min(contextTokens, output), name).toBeGreaterThan(0)
      if (price) expect(price.cached ?? 0, name).toBeLessThanOrEqual(price.input)
    }
  })
})

describe('what a request costs', () => {
  const price = { input: 4, cached: 0.2, written: 5, output: 20 }

  it('is unknown without a price, and above what the price is for', () => {
    expect(costOf({ input: 1, cached: 0, output: 1 }, undefined)).toBeUndefined()
    const upTo = { ...price, upTo: 100 }
    const isKnown = (input: number) => costOf({ input, cached: 0, output: 0 }, upTo) !== undefined
    expect([99, 100, 101].map(isKnown)).toEqual([true, true, false])
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
