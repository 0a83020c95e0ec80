import { describe, expect, it } from 'vitest'
import { diffProfiles } from '../../../src/context/diff.ts'
import { SILENT } from '../../../src/core/flow.ts'
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

describe('settings of a project', () => {
  const told = (context: object) => JSON.stringify({ context })

  /** All that is shown of a project. */
  async function shownOf(shape: Shape): Promise<string[]> {
    using planted = project(shape)
    const { files } = await diffProfiles({ place: planted.root, profiles: ['gemini'], home: planted.home }, SILENT)
    return files.flatMap(({ title, seen }) => (seen.gemini?.decision === 'left' ? [] : [title])).sort()
  }

  it.each<[string, Shape]>([
    ['a secret of the project', { '.gemini/settings.json': told({ fileName: '.env' }), '.env': 'KEY=1' }],
    ['a path out of it', { '.gemini/settings.json': told({ fileName: '../x.md' }), '../x.md': 'x' }],
    [
      'what Gemini CLI keeps in the home directory',
      { '.gemini/settings.json': told({ fileName: 'oauth_creds.json' }), '~/.gemini/oauth_creds.json': '{}' },
    ],
    [
      'a file elsewhere in the home directory',
      { '.gemini/settings.json': told({ fileName: 'a/x.md' }), '~/.gemini/a/x.md': 'x' },
    ],
    [
      'a directory beside it',
      { '.gemini/settings.json': told({ includeDirectories: ['../out'] }), '../out/GEMINI.md': 'x' },
    ],
    [
      'a directory of the home directory',
      { '.gemini/settings.json': told({ includeDirectories: ['~/notes'] }), '~/notes/GEMINI.md': 'x' },
    ],
  ])('do not bring in %s', async (_, shape) => {
    expect(await shownOf(shape)).toEqual([])
  })

  it('name Markdown that is right in the folder of the home directory', async () => {
    const shape = {
      '.gemini/settings.json': told({ fileName: 'RULES.md' }),
      '~/.gemini/RULES.md': 'r',
      'RULES.md': 'p',
    }
    expect(await shownOf(shape)).toEqual(['RULES.md', '~/.gemini/RULES.md'])
  })
})
