import { describe, expect, it } from 'vitest'
import type { Shape } from '../../support/tree.ts'
import { look, open, paths, project } from '../../support/workspace.ts'

describe('Gemini reads', () => {
  it.each<[string, Shape, string, readonly string[], readonly string[]]>([
    ['GEMINI.md', { 'GEMINI.md': 'g' }, '', [], ['GEMINI.md']],
    [
      'those at and above the working directory',
      { 'GEMINI.md': 'r', 'a/GEMINI.md': 'a', 'a/b/': '' },
      'a/b',
      [],
      ['a/GEMINI.md', 'GEMINI.md'],
    ],
    [
      'those above what it touches',
      { 'GEMINI.md': 'r', 'a/b/GEMINI.md': 'b' },
      '',
      ['a/b/x.ts'],
      ['a/b/GEMINI.md', 'GEMINI.md'],
    ],
    ['those of a directory that it lists', { 'a/GEMINI.md': 'a' }, '', ['a'], ['a/GEMINI.md']],
    ['none below otherwise', { 'a/GEMINI.md': 'a' }, '', [], []],
    ['none above the root', { '../GEMINI.md': 'x' }, '', [], []],
    ['no other names', { 'AGENTS.md': 'a', 'CLAUDE.md': 'c', 'gemini.md': 'g' }, '', [], []],
    [
      'the user’s own from ~/.gemini',
      { '~/.gemini/GEMINI.md': 'u', '~/GEMINI.md': 'no' },
      '',
      [],
      ['~/.gemini/GEMINI.md'],
    ],
    ['front matter as text', { 'GEMINI.md': '---\npaths: "*.py"\n---\nx' }, '', [], ['GEMINI.md']],
  ])('%s', async (_, shape, cwd, touched, expected) => {
    expect(await paths(shape, { cwd, touched, profile: 'gemini' })).toEqual(expected)
  })

  it('imports, five deep and within the root', async () => {
    const chain = Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`${level}.md`, `@./${level + 1}.md`]))
    const shape = { ...chain, 'GEMINI.md': '@./1.md\n`@./code.md`\n@../out.md', 'code.md': 'x', '../out.md': 'x' }
    const { contexts, left } = await look(shape, { profile: 'gemini' })
    expect(contexts.map((line) => line.split(' ')[0])).toEqual(['GEMINI.md', '1.md', '2.md', '3.md', '4.md', '5.md'])
    expect(left).toEqual(['../out.md: denied', '6.md: over-limit'])
  })

  it('the user’s own first, then from the root down', async () => {
    using planted = project({ 'GEMINI.md': 'r', 'a/GEMINI.md': 'a', 'B/GEMINI.md': 'b', '~/.gemini/GEMINI.md': 'u' })
    const workspace = await open(planted, {
      profile: 'gemini',
      touched: ['a/x', 'B/x'],
      options: { filenames: 'relative' },
    })
    const { text } = await workspace.prompt()
    expect([...text.matchAll(/filename="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      '~/.gemini/GEMINI.md',
      'GEMINI.md',
      'B/GEMINI.md',
      'a/GEMINI.md',
    ])
  })
})
