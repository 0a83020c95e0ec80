import { describe, expect, expectTypeOf, it } from 'vitest'
import { defineInputs } from '../../src/core/define-inputs.ts'
import { commands } from '../../src/operations/index.ts'
import { newSessionInputs } from '../../src/surfaces/http/sessions/openapi.ts'

const KINDS = ['text', 'path', 'file', 'choice', 'integer', 'number', 'flag']
const PATHS = ['disk', 'directory', 'place', 'collection', 'documents', 'root', 'package', 'profile']

describe('an input', () => {
  it('does not compile as a bare string', () => {
    // @ts-expect-error It does not say what it is.
    defineInputs({ file: { description: 'a file' } })
    // @ts-expect-error A type of JSON Schema is not a kind.
    defineInputs({ file: { type: 'string', description: 'a file' } })
    // @ts-expect-error There is no such kind.
    defineInputs({ file: { is: 'string', description: 'a file' } })
  })

  it('does not compile as a path that does not say what it names', () => {
    // @ts-expect-error It says no `path`.
    defineInputs({ file: { is: 'path', description: 'a file' } })
    // @ts-expect-error There is no such path.
    defineInputs({ file: { is: 'path', path: 'anywhere', description: 'a file' } })
    // @ts-expect-error A text names no file.
    defineInputs({ file: { is: 'text', path: 'disk', description: 'a file' } })
    // @ts-expect-error A choice says of what.
    defineInputs({ way: { is: 'choice', description: 'a way' } })
  })

  it('has the type of its kind, and is there where it is required or has a default', () => {
    const { parse } = defineInputs({
      at: { is: 'path', path: 'disk', required: true, description: 'a path' },
      words: { is: 'text', list: true, description: 'words' },
      ways: { is: 'choice', of: ['in', 'out'], list: true, description: 'ways' },
      count: { is: 'integer', default: 1, description: 'how many' },
      loud: { is: 'flag', description: 'whether' },
    })
    type Given = ReturnType<typeof parse>
    expectTypeOf<Given['at']>().toEqualTypeOf<string>()
    expectTypeOf<Given['words']>().toEqualTypeOf<readonly string[] | undefined>()
    expectTypeOf<Given['ways']>().toEqualTypeOf<readonly ('in' | 'out')[] | undefined>()
    expectTypeOf<Given['count']>().toEqualTypeOf<number>()
    expectTypeOf<Given['loud']>().toEqualTypeOf<boolean | undefined>()
    expect(parse({ at: 'a', ways: ['in'] })).toEqual({ at: 'a', ways: ['in'], count: 1 })
    expect(() => parse({ at: 'a', ways: ['up'] })).toThrow('ways must be one of in, out.')
    expect(() => parse({ at: 'a', loud: 'yes' })).toThrow('loud must be true or false.')
  })

  it.each([
    ['abcdef', 'is "q", and must be written like a or b or c or d or e or f.'],
    ['abcdefg', 'must be one of a, b, c, d, e, f, g.'],
  ])('shows its examples, or lists many: %s', (letters, problem) => {
    const id = { is: 'text', pattern: '^[a-g]$', examples: [...letters], description: 'a letter' } as const
    expect(() => defineInputs({ id }).parse({ id: 'q' })).toThrow(`id ${problem}`)
  })
})

describe('every input of every operation', () => {
  const all = [...commands, { name: 'a session of research', input: newSessionInputs }]

  it.each(all)('says what it is: $name', ({ input }) => {
    expect(Object.keys(input.fields)).toEqual(Object.keys(input.json().properties ?? {}))
    for (const field of Object.values(input.fields)) {
      expect(KINDS).toContain(field.is)
      if (field.is === 'path') expect(PATHS).toContain(field.path)
    }
  })

  it('is a path where its help says so', () => {
    const suspects = all.flatMap(({ name, input }) =>
      Object.entries(input.fields)
        .filter(([, { is, placeholder = '' }]) => is === 'text' && /PATH|FILE|DIR|PLACE|ROOT|ENTRY/.test(placeholder))
        .map(([field]) => `${name}.${field}`),
    )
    expect(suspects).toEqual([])
  })
})
