import { describe, expect, it } from 'vitest'
import {
  importsIn,
  importWordsIn,
  instructionFile,
  looksLikeFile,
} from '../../../src/context/discovery/instruction-file.ts'
import { fc, forAll } from '../../support/property.ts'

describe('an import', () => {
  it.each([
    ['@docs/guide.md', ['docs/guide.md']],
    ['See @docs/guide.md for more.', ['docs/guide.md']],
    ['See @docs/guide.md.', ['docs/guide.md']],
    ['See @docs/guide.md, @other.md; and @third.md!', ['docs/guide.md', 'other.md', 'third.md']],
    ['(@docs/guide.md)', ['docs/guide.md']],
    ['- @./a.md\n- @../b.md\n* @~/c.md\n1. @/d.md', ['./a.md', '../b.md', '~/c.md', '/d.md']],
    ['@README and @package.json', ['README', 'package.json']],
    ['@Design\\ Docs/api.md', ['Design Docs/api.md']],
    ['@Design Docs/api.md', ['Design']],
    ['@a.md @a.md @b.md', ['a.md', 'b.md']],
    ['> @quoted.md', ['quoted.md']],
    ['| @cell.md |', ['cell.md']],
    ['# @heading.md', ['heading.md']],
    ['**bold** @a.md', ['a.md']],
    ['@docs/überblick.md', ['docs/überblick.md']],
    ['@a.md\r\n@b.md\r@c.md', ['a.md', 'b.md', 'c.md']],
    ['\t@a.md', ['a.md']],
    ['@.claude/x_y-z+1.md', ['.claude/x_y-z+1.md']],
  ])('is found in %j', (text, expected) => {
    expect(importsIn(text)).toEqual(expected)
  })

  it.each([
    ...['no at sign', 'someone@example.com', 'user@host:path/x.md', '"@docs/guide.md"', '\\@docs/guide.md', '@'],
    ...['@ docs.md', '@... and @--', '@@a.md', '`@docs/guide.md`', '``a ` @docs/guide.md``'],
    ...['`one` and `@two.md` and `three`', '`a span\n@a.md over lines`', '```\n@a.md\n```', '```md\n@a.md\n```'],
    ...['~~~\n@a.md\n~~~', '````\n```\n@a.md\n```\n@b.md\n````', '```\n~~~\n@a.md\n```', '```\n@a.md'],
    ...['   ```\n   @a.md\n   ```', '- list\n\n      ```\n      @a.md\n      ```', '1. ```\n   @a.md\n   ```'],
    ...['> ```\n> @a.md\n> ```', '```\n@a.md\n``` not closed\n@b.md'],
  ])('is not in %j', (text) => {
    expect(importsIn(text)).toEqual([])
  })

  it.each([
    ['`unclosed @a.md', ['a.md']],
    ['a `` b ` @a.md', ['a.md']],
    ['- one ` tick\n- @a.md\n- another ` tick', ['a.md']],
    ['one ` tick\n\n@a.md\n\nanother ` tick', ['a.md']],
    ['```\n@a.md\n```\n@b.md', ['b.md']],
    ['```\n@a.md\n`````\n@b.md', ['b.md']],
    ['````\n@a.md\n```\n````\n@b.md', ['b.md']],
    ['> ```\n> @a.md\n\n@b.md', ['b.md']],
    ['```inline``` code\n@b.md', ['b.md']],
    ['`@a.md` but @b.md', ['b.md']],
    ['`x` @a.md `y`', ['a.md']],
  ])('stands beside code in %j', (text, expected) => {
    expect(importsIn(text)).toEqual(expected)
  })

  it.each([
    [256, 0],
    [257, 1],
  ])('is read among the first 256: of %i', async (count, warnings) => {
    const content = Array.from({ length: count }, (_, at) => `@${at}.md`).join('\n')
    const read = await instructionFile({ path: 'AGENTS.md', content, warnings: [] } as never)
    expect([read.imports.length, read.warnings.length]).toEqual([256, warnings])
  })

  it.each([
    ['docs/guide.md', true],
    ['guide.md', true],
    ['./guide', true],
    ['../guide', true],
    ['~/guide', true],
    ['/guide', true],
    ['.hidden', true],
    ['someone', false],
    ['types/node', false],
    ['scope/pkg', false],
    ['org/team-name', false],
    ['v1.2', false],
    ['a.toolongtobe', false],
  ])('%s was meant as a path: %s', (path, expected) => {
    expect(looksLikeFile(path)).toBe(expected)
  })
})

it.each([
  ['@acme/api and @docs/x.md.', ['acme/api', 'docs/x.md.']],
  ['`@acme/api`\n```\n@a.md\n```\n@./b.md', ['./b.md']],
  ['<!-- @a.md --> (@b.md) x@c.md @9.md', ['a.md']],
])('of a tool that takes all up to the next space, in %j', (text, expected) => {
  expect(importWordsIn(text)).toEqual(expected)
})

it('a hostile text of any characters ends, with imports that stand in it', () =>
  forAll(
    2000,
    fc.string({ unit: fc.constantFrom('@', 'a', '.', '/', '`', '~', '\n', ' ', '>', '-', '\\') }),
    (text) => {
      for (const path of importsIn(text)) expect(text.replaceAll('\\ ', ' ')).toContain(`@${path}`)
    },
  ))
