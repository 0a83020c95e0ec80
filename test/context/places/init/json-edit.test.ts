import { describe, expect, it } from 'vitest'
import {
  type JsonEdit,
  type JsonValue,
  newJson,
  withEdits,
  withoutEdits,
} from '../../../../src/context/init/json-edit.ts'
import { fc, forAll } from '../../../support/property.ts'

const KNOWN = /ours/
const PUSH: JsonEdit = { at: ['hooks', 'Start'], push: { run: 'ours' }, ownPattern: KNOWN }

function edited(text: string, ...edits: readonly JsonEdit[]): string {
  const result = withEdits(text, edits)
  return 'text' in result ? result.text : result.problem
}

describe('an entry that is put into JSON', () => {
  it('may be one of several, of which all are written or none', () => {
    expect(edited('{"a":1}', { at: ['b'], set: 2 }, { at: ['c', 'd'], set: [] })).toBe('{"a":1,"b":2,"c":{"d":[]}}')
    expect(
      withEdits('{"c":1}', [
        { at: ['b'], set: 2 },
        { at: ['c', 'd'], set: [] },
      ]),
    ).toHaveProperty('problem')
  })

  it('makes a new file that ends in a line end', () => {
    expect(newJson([{ at: ['a'], set: 1 }, PUSH])).toMatch(/^\{\n {2}"a": 1,\n {2}"hooks": \{\n.*\n\}\n$/s)
  })

  it('is refused by what is too deep', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect(JSON.parse(edited(nested(500), PUSH))).toHaveProperty('hooks.Start')
    expect(edited(nested(100_000), PUSH)).toBe('It is not a JSON object.')
  })
})

/** How many code units two texts begin with alike. */
function inCommon(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

function reversed(text: string): string {
  return text.split('').reverse().join('')
}

describe('an entry that is taken out of JSON', () => {
  it('stays where it is not as it was set, and in what is not JSON', () => {
    const edit: JsonEdit = { at: ['a', 'b'], set: [1] }
    expect(withoutEdits('{"a":{"b":[1, 2]}}', [edit])).toEqual({ text: '{"a":{"b":[1, 2]}}' })
    expect(withoutEdits('// {}', [edit])).toHaveProperty('problem')
  })
})

describe('for any JSON object, however it is written', () => {
  const key = fc.oneof(fc.constantFrom('hooks', 'Start', '__proto__', '1'), fc.string())
  const value = fc.letrec<{ json: JsonValue }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.oneof(
        fc.string(),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
      ),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(key, tie('json'), { maxKeys: 3 }) as fc.Arbitrary<JsonValue>,
    ),
  })).json
  const hooks = fc.dictionary(fc.constantFrom('Start', 'Stop'), fc.array(value, { maxLength: 3 }), { maxKeys: 2 })
  const object = fc.tuple(fc.dictionary(key, value, { maxKeys: 4 }), hooks, fc.boolean())
  const indent = fc.constantFrom(undefined, 1, 2, 4, '\t')
  const eol = fc.constantFrom('\n', '\r\n')

  it('what is put in and taken out leaves the text as it was', () => {
    const set: JsonEdit = { at: ['servers', 'own'], set: { run: 1 } }
    forAll(object, indent, eol, ([rest, own, has], space, end) => {
      const { hooks: _, servers: __, ...others } = rest
      const lists = Object.fromEntries(Object.entries(own).filter(([, list]) => list.length > 0))
      const before = has && Object.keys(lists).length > 0 ? { ...others, hooks: lists } : others
      fc.pre(Object.keys(before).length > 0 && !KNOWN.test(JSON.stringify(before)))
      const text = JSON.stringify(before, null, space).replaceAll('\n', end)
      expect(withoutEdits(edited(text, PUSH, set), [PUSH, set])).toEqual({ text })
    })
  })

  it('an entry changes nothing else, and is there in the end', () =>
    forAll(object, indent, eol, ([rest, own, has], space, end) => {
      const { hooks: _, ...others } = rest
      const before = has ? { ...others, hooks: own } : others
      const text = JSON.stringify(before, null, space).replaceAll('\n', end)
      const after = edited(text, { ...PUSH, ownPattern: /(?!)/ })
      const start = has ? (own.Start ?? []) : []
      const expected = { ...others, hooks: { ...(has && own), Start: [...start, { run: 'ours' }] } }
      expect(JSON.parse(after)).toEqual(JSON.parse(JSON.stringify(expected)))
      expect(inCommon(text, after) + inCommon(reversed(text), reversed(after))).toBeGreaterThanOrEqual(text.length)
    }))
})
