import { describe, expect, it } from 'vitest'
import type { Shape } from '../../../support/tree.ts'
import { look, open, project, seen } from '../../../support/workspace.ts'

const root = 'AGENTS.md project: the working directory'

describe('the home directory', () => {
  it.each<[string, Shape, readonly string[], readonly string[]]>([
    ['brings in .ambit', { '~/.ambit/AGENTS.md': 'a' }, ['~/.ambit/AGENTS.md home: home'], []],
    [
      'brings in both, .ambit first',
      { '~/.kodelet/AGENTS.md': 'k', '~/.ambit/KODELET.md': 'a' },
      ['~/.ambit/KODELET.md home: home', '~/.kodelet/AGENTS.md home: home'],
      [],
    ],
    [
      'takes the first name of each folder',
      { '~/.ambit/KODELET.md': 'k', '~/.ambit/CLAUDE.md': 'c' },
      ['~/.ambit/KODELET.md home: home'],
      ['~/.ambit/CLAUDE.md: shadowed'],
    ],
    ['brings in nothing of its own', { '~/AGENTS.md': 'x', '~/.ambit/': '' }, [], []],
    [
      'knows no .gitignore',
      { '~/.ambit/AGENTS.md': 'a', '~/.gitignore': '*', '~/.ambit/.gitignore': '*' },
      ['~/.ambit/AGENTS.md home: home'],
      [],
    ],
    [
      'may have files that are links inside itself',
      { '~/.ambit/AGENTS.md -> ../notes/me.md': '', '~/notes/me.md': 'a' },
      ['~/.ambit/AGENTS.md home: home'],
      [],
    ],
    [
      'has no say through links out of it',
      { '~/.ambit/AGENTS.md -> ../../out/x.md': '', '../out/x.md': 'a' },
      [],
      ['~/.ambit/AGENTS.md: denied'],
    ],
    [
      'may have the same file in both folders',
      { '~/.ambit/AGENTS.md': 'a', '~/.kodelet/AGENTS.md -> ../.ambit/AGENTS.md': '' },
      ['~/.ambit/AGENTS.md home: home'],
      ['~/.kodelet/AGENTS.md: duplicate'],
    ],
  ])('%s', async (_, shape, contexts, left) => {
    expect(await look({ ...shape, 'AGENTS.md': 'r' })).toEqual({ contexts: [root, ...contexts], left })
  })

  it('comes last, after everything that was touched', async () => {
    const { contexts } = await look(
      { 'AGENTS.md': 'r', 'a/AGENTS.md': 'a', '~/.ambit/AGENTS.md': 'h' },
      { touched: ['a/x'] },
    )
    expect(contexts).toEqual(['a/AGENTS.md nested: touched a/x', root, '~/.ambit/AGENTS.md home: home'])
  })

  it.each([
    ['nowhere', 'it does not exist'],
    ['a file', 'it is a file'],
    ['', 'it is the empty text'],
  ])('may be missing: %s', async (home) => {
    using planted = project({ 'AGENTS.md': 'r', '../a file': '' })
    const workspace = await open(planted, { options: { home: home && planted.at(home) } })
    expect(await seen(planted, workspace)).toEqual({ contexts: [root], left: [] })
  })

  it.each(['/', '/etc', '/proc/self'])('that is a directory of the operating system is left out: %s', async (home) => {
    expect((await look({ 'AGENTS.md': 'r' }, { options: { home } })).contexts).toEqual([root])
  })

  it.each([
    ['.ambit', { '~/.ambit/AGENTS.md': 'h', '~/.kodelet/AGENTS.md': 'k' }, ['~/.ambit/AGENTS.md home: home']],
    ['.kodelet', { '~/.ambit/AGENTS.md': 'h', '~/.kodelet/AGENTS.md': 'k' }, ['~/.kodelet/AGENTS.md home: home']],
    ['my', { '~/my/KODELET.md': 'h', '~/.ambit/AGENTS.md': 'no' }, ['~/my/KODELET.md home: home']],
  ])('may be given as the folder itself: %s', async (folder, shape, expected) => {
    using planted = project({ ...shape, 'AGENTS.md': 'r' })
    const workspace = await open(planted, { options: { home: `${planted.home}/${folder}` } })
    expect((await seen(planted, workspace)).contexts).toEqual([root, ...expected])
  })

  it('may be the project itself', async () => {
    using planted = project({ 'AGENTS.md': 'r', '.ambit/AGENTS.md': 'h' })
    const workspace = await open(planted, { options: { home: planted.root }, touched: ['.ambit/x'] })
    const contexts = await workspace.relevantContexts()
    expect(contexts.map(({ path, scope }) => `${planted.name(path)} ${scope}`)).toEqual([
      '.ambit/AGENTS.md nested',
      'AGENTS.md project',
    ])
  })

  it.each([
    ['beside another folder', { '~/.kodelet/': '' }],
    ['where there was none', {}],
  ])('is noticed when it appears later, %s', async (_, shape) => {
    using planted = project({ 'AGENTS.md': 'r', ...shape })
    const workspace = await open(planted)
    expect((await seen(planted, workspace)).contexts).toEqual([root])
    planted.plant({ '~/.ambit/AGENTS.md': 'h' })
    expect((await seen(planted, workspace)).contexts).toEqual([root, '~/.ambit/AGENTS.md home: home'])
  })
})
