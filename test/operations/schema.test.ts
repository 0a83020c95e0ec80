import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { defineInputs } from '../../src/core/define-inputs.ts'
import { operations } from '../../src/operations/index.ts'
import { fc, forAll } from '../support/property.ts'

const schema = defineInputs({
  share: { is: 'number', minimum: 0, maximum: 1, description: 'a share' },
  count: { is: 'integer', minimum: 1, maximum: 9, description: 'how many' },
  day: { is: 'text', pattern: '^\\d\\d$', examples: ['07', '31'], description: 'a day' },
  pairs: { is: 'text', list: true, pattern: '=', examples: ['a=b'], description: 'pairs' },
  ways: { is: 'choice', of: ['in', 'out'], list: true, description: 'ways' },
})
const isValid = new Ajv2020({ strict: false }).compile(schema.json() as object)

describe('a schema of inputs', () => {
  it.each([
    [{ share: 1.01 }, 'share must be at most 1.'],
    [{ share: -0.01 }, 'share must be at least 0.'],
    [{ share: Number.NaN }, 'share must be a number.'],
    [{ count: 10 }, 'count must be at most 9.'],
    [{ day: '7' }, 'day is "7", and must be written like 07 or 31.'],
    [{ pairs: ['a=b', 'x'] }, 'pairs is "x", and must be written like a=b.'],
    [{ pairs: 'a=b' }, 'pairs must be a list of texts.'],
    [{ pairs: ['a=b', 1] }, 'pairs must be a list of texts.'],
    [{ ways: ['in', 'up'] }, 'ways must be one of in, out.'],
  ])('refuses %j', (given, message) => {
    expect(() => schema.parse(given)).toThrow(expect.objectContaining({ code: 'invalid-input', message }))
  })

  it('takes what a validator takes that reads its description, and nothing else', () => {
    const word = fc.oneof(fc.constantFrom('', '7', '07', '077', 'a=', '=', 'x', 'in', 'out'), fc.string())
    const value = fc.oneof(fc.double(), fc.integer({ min: -2, max: 12 }), word, fc.array(word), fc.boolean())
    const names = fc.constantFrom('share', 'count', 'day', 'pairs', 'ways', 'other')
    forAll(2000, fc.dictionary(names, value), (given) => {
      // JSON has no such numbers.
      fc.pre(Object.values(given).every((each) => typeof each !== 'number' || Number.isFinite(each)))
      const parse = () => schema.parse(given)
      if (isValid(given)) expect(parse).not.toThrow()
      else expect(parse).toThrow(expect.objectContaining({ code: 'invalid-input' }))
    })
  })

  it('has an example that fits wherever it has a pattern', () => {
    const properties = operations.flatMap(({ input }) => Object.values(input.json().properties ?? {}))
    const formed = properties.flatMap((one) => [one, one.items ?? {}]).filter(({ pattern }) => pattern !== undefined)
    expect(formed.length).toBeGreaterThan(2)
    for (const { pattern = '', examples = [] } of formed) {
      expect(examples.length).toBeGreaterThan(0)
      for (const example of examples) expect(example).toMatch(new RegExp(pattern, 'u'))
    }
  })
})
