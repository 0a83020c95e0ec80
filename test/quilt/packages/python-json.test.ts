import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/quilt/packages/json.ts'
import { pythonJson, pythonNumber } from '../../../src/quilt/packages/top-hash.ts'
import { fc, forAll } from '../../support/property.ts'

describe('a number as Python prints it', () => {
  it('is the same number, for every float', () => {
    forAll(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const source = value.toExponential()
      expect(Object.is(Number(pythonNumber(source)), Number(source))).toBe(true)
    })
  })
})

describe('a value as Python prints it', () => {
  it('is ASCII, and printed as it is when it is read again', () => {
    forAll(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const printed = pythonJson(parseJson(JSON.stringify(value)))
      expect(printed).toMatch(/^[ -~]*$/)
      expect(pythonJson(parseJson(printed))).toBe(printed)
    })
  })
})
