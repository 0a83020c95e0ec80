import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/quilt/packages/json.ts'
import { pythonJson, pythonNumber } from '../../../src/quilt/packages/top-hash.ts'
import { fc, forAll } from '../../support/property.ts'
import { rowsOf } from '../../support/rows.ts'

describe('a number as Python prints it', () => {
  // Integers are what was written, floats by repr.
  it.each(
    rowsOf(
      '0 0 | -0 0 | 12345678901234567890123 12345678901234567890123 | 1.0 1.0 | 1.50 1.5 | -0.0 -0.0 | -0e5 -0.0 | ' +
        '0.1 0.1 | 1e15 1000000000000000.0 | 1e16 1e+16 | 12345678901234567.0 1.2345678901234568e+16 | ' +
        '9999999999999998.0 9999999999999998.0 | 100000000000000000000.0 1e+20 | 1e22 1e+22 | 0.0001 0.0001 | ' +
        '0.00012 0.00012 | 0.00001 1e-05 | 1E-5 1e-05 | 1.5e-10 1.5e-10 | 1e100 1e+100 | 5e-324 5e-324 | ' +
        '1.7976931348623157e308 1.7976931348623157e+308 | 1e400 Infinity | -1e400 -Infinity | 123456.789 123456.789 | ' +
        '0.30000000000000004 0.30000000000000004',
    ),
  )('is for %s: %s', (source = '', printed = '') => {
    expect(pythonNumber(source)).toBe(printed)
  })

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
