import { describe, expect, it } from 'vitest'
import { instructionFile, patternsFor } from '../../../src/context/discovery/instruction-file.ts'
import type { Scoping } from '../../../src/context/profiles/profile.ts'
import { openRoot } from '../../../src/files/disk.ts'
import { readText } from '../../../src/files/text-file.ts'
import { tree } from '../../support/tree.ts'

async function read(content: string) {
  using planted = tree({ 'x.md': content })
  const file = readText(openRoot(planted.base), 'x.md')
  if (!file.ok) throw new Error(file.detail)
  return instructionFile(file)
}

const ALL: Scoping = { keys: ['paths', 'globs', 'applyTo'], bare: 'anywhere', always: true }

describe('front matter', () => {
  it.each([
    ['paths: src/**', ['src/**']],
    ['paths:\n  - "src/**"\n  - "*.md"', ['src/**', '*.md']],
    ['paths: ["src/**", "*.md"]', ['src/**', '*.md']],
    ['globs: src/**/*.ts, lib/*.{js,mjs}', ['src/**/*.ts', 'lib/*.{js,mjs}']],
    ['globs: **/*.ts,**/*.js', ['**/*.ts', '**/*.js']],
    ['globs: *.{ts,tsx}', ['*.{ts,tsx}']],
    ['applyTo: "**/*.py"', ['**/*.py']],
    ['applyTo: **', ['**']],
    ['globs:\nalwaysApply: false', undefined],
    ['globs: ""', undefined],
    ['globs: []', undefined],
    ['description: none', undefined],
    ['globs: a\nalwaysApply: true', undefined],
    ['globs: **/*.ts\nalwaysApply: true', undefined],
    ['paths: {}', undefined],
    ['paths: 7', undefined],
  ])('%j: is for %j', async (matter, expected) => {
    expect(patternsFor(await read(`---\n${matter}\n---\nText`), ALL)).toEqual(expected)
  })

  it.each([
    ['paths: a\nglobs: b\napplyTo: c', { keys: ['globs'], bare: 'here' }, ['b']],
    ['paths: a\nglobs: b\napplyTo: c', { keys: ['paths', 'applyTo'], bare: 'here' }, ['a', 'c']],
    ['paths: a\nalwaysApply: true', { keys: ['paths'], bare: 'here' }, ['a']],
    ['paths: a', undefined, undefined],
  ] as const)('%j, where a tool looks at %j: is for %j', async (matter, scoping, expected) => {
    expect(patternsFor(await read(`---\n${matter}\n---\nText`), scoping)).toEqual(expected)
  })

  it('that asks for too much is told', async () => {
    const { warnings } = await read(`---\npaths: "${'{a,b}'.repeat(40)}"\n---\n`)
    expect(warnings).toEqual(['1 patterns ask for too much and match nothing.'])
  })

  it('imports nothing', async () => {
    expect((await read('---\ndescription: see @a.md\n---\n@b.md')).imports).toEqual(['b.md'])
  })
})

it('only so many imports are read, and it is told', async () => {
  const { imports, warnings } = await read(Array.from({ length: 300 }, (_, at) => `@${at}.md`).join('\n'))
  expect(imports.length).toBe(256)
  expect(warnings).toEqual(['Of its 300 imports only the first 256 are read.'])
})
