import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SOON } from '../../support/soon.ts'
import type { Shape } from '../../support/tree.ts'
import { type Look, look, open, paths, project, seen } from '../../support/workspace.ts'

const claude = (shape: Shape, looking: Look = {}) => paths(shape, { ...looking, profile: 'claude' })

it('Claude Code reads AGENTS.md again, when the CLAUDE.md is gone, and it is told who stood before it', async () => {
  using planted = project({ 'AGENTS.md': 'a', 'a/CLAUDE.md': 'c' })
  const workspace = await open(planted, { cwd: 'a', profile: 'claude' })
  const row = (await workspace.ledger()).find(({ title }) => title === 'AGENTS.md')
  expect(row).toMatchObject({ why: 'shadowed', detail: 'a/CLAUDE.md is read instead.' })
  rmSync(planted.file('a/CLAUDE.md'))
  expect((await seen(planted, workspace)).contexts).toEqual(['AGENTS.md project: the working directory'])
})

describe('Claude Code’s rules', () => {
  it('stand after the CLAUDE files of their directory', async () => {
    const shape = { 'CLAUDE.md': 'c', '.claude/CLAUDE.md': 'd', '.claude/rules/x.md': 'x', 'CLAUDE.local.md': 'l' }
    expect(await claude(shape)).toEqual(['CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md', '.claude/rules/x.md'])
  })

  it.each<[string, Shape, readonly string[], readonly string[]]>([
    ['files inside', { '.claude/rules/x.md -> ../../docs/x.md': '', 'docs/x.md': 'x' }, ['.claude/rules/x.md'], []],
    ['a folder', { '.claude/rules/shared -> ../../docs': '', 'docs/x.md': 'x' }, ['.claude/rules/shared/x.md'], []],
    ['a folder inside for them', { '.claude/rules -> ../docs': '', 'docs/x.md': 'x' }, ['.claude/rules/x.md'], []],
    ['no files', { '.claude/rules/x.md -> /out/x.md': '', '../out/x.md': 'x' }, [], ['.claude/rules/x.md: denied']],
    ['no folders', { '.claude/rules/shared -> /out': '', '../out/x.md': 'x' }, [], ['.claude/rules/shared: denied']],
    ['no folder outside for all', { '.claude/rules -> /out': '', '../out/x.md': 'x' }, [], ['.claude/rules: denied']],
    [
      'circles',
      { '.claude/rules/loop -> .': '', '.claude/rules/up -> ..': '', '.claude/rules/x.md': 'x' },
      ['.claude/rules/x.md'],
      [],
    ],
    ['nothing', { '.claude/rules/x.md -> no': '', '.claude/rules/d -> no': '' }, [], ['.claude/rules/x.md: missing']],
  ])('may be links to %s', async (_, shape, expected, left) => {
    const looked = await look(shape, { profile: 'claude' })
    expect(looked.contexts.map((line) => line.split(' ')[0])).toEqual(expected)
    expect(looked.left).toEqual(left)
  })

  it('in circles without end take no time', async () => {
    const links = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`.claude/rules/l${index} -> .`, '']))
    const began = performance.now()
    expect(await claude({ ...links, '.claude/rules/x.md': 'x' })).toEqual(['.claude/rules/x.md'])
    expect(performance.now() - began).toBeLessThan(SOON)
  })

  it('are noticed when they come, change and go', async () => {
    using planted = project({ '.claude/rules/': '' })
    const workspace = await open(planted, { profile: 'claude' })
    const now = async () => (await workspace.relevantContexts()).map(({ content }) => content)
    expect(await now()).toEqual([])
    planted.plant({ '.claude/rules/deep/x.md': 'one' })
    expect(await now()).toEqual(['one'])
    planted.plant({ '.claude/rules/deep/x.md': 'two', '.claude/rules/deep/y.md': 'three' })
    expect(await now()).toEqual(['two', 'three'])
  })
})

describe('Claude Code’s imports', () => {
  it('nest four deep', async () => {
    const shape = Object.fromEntries([1, 2, 3, 4, 5].map((level) => [`${level}.md`, `@${level + 1}.md`]))
    const { contexts, left } = await look({ ...shape, 'CLAUDE.md': '@1.md' }, { profile: 'claude' })
    expect(contexts.map((line) => line.split(' ')[0])).toEqual(['CLAUDE.md', '1.md', '2.md', '3.md', '4.md'])
    expect(left).toEqual(['5.md: over-limit'])
  })
})

it('Claude Code’s text goes from the user’s own, by the root, to the working directory', async () => {
  using planted = project({
    '~/.claude/CLAUDE.md': 'user',
    'CLAUDE.md': 'root',
    '.claude/rules/x.md': 'rule of the root',
    'CLAUDE.local.md': 'local of the root',
    'a/CLAUDE.md': 'a',
    'a/.claude/CLAUDE.md': 'folder of a',
    'a/b/CLAUDE.md': 'b',
  })
  const workspace = await open(planted, { cwd: 'a/b', profile: 'claude', options: { filenames: 'relative' } })
  const { text } = await workspace.prompt()
  expect(text.match(/filename="[^"]*"/g)).toEqual(
    (
      '~/.claude/CLAUDE.md CLAUDE.md CLAUDE.local.md .claude/rules/x.md a/CLAUDE.md a/.claude/CLAUDE.md ' +
      'a/b/CLAUDE.md'
    )
      .split(' ')
      .map((name) => `filename="${name}"`),
  )
  const contexts = await workspace.relevantContexts()
  expect(contexts.map(({ path, scope }) => `${planted.name(path)} ${scope}`)).toEqual([
    'a/b/CLAUDE.md nested',
    'a/CLAUDE.md nested',
    'a/.claude/CLAUDE.md nested',
    'CLAUDE.md project',
    'CLAUDE.local.md project',
    '.claude/rules/x.md project',
    '~/.claude/CLAUDE.md home',
  ])
})
