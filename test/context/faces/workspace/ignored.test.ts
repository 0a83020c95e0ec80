import { describe, expect, it } from 'vitest'
import type { Shape } from '../../../support/tree.ts'
import { look, open, paths, project, seen } from '../../../support/workspace.ts'

const TREE: Shape = { 'AGENTS.md': 'root', 'a/AGENTS.md': 'a', 'a/b/AGENTS.md': 'b' }
const [b, a, root] = ['a/b/AGENTS.md', 'a/AGENTS.md', 'AGENTS.md']
const touched = ['a/b/x']

describe('.gitignore', () => {
  it.each<[string, Shape, readonly string[]]>([
    ['keeps out what it names', { '.gitignore': 'a/b/AGENTS.md' }, [a, root]],
    ['keeps out what is in a directory that it names', { '.gitignore': 'a/' }, [root]],
    ['counts from its own directory on', { 'a/.gitignore': 'AGENTS.md' }, [root]],
    ['of a deeper directory wins', { '.gitignore': 'AGENTS.md', 'a/.gitignore': '!AGENTS.md' }, [b, a]],
    ['cannot bring back an ignored directory', { '.gitignore': 'a/b/', 'a/b/.gitignore': '!AGENTS.md' }, [a, root]],
    ['may be a directory', { '.gitignore/': '' }, [b, a, root]],
    ['out of the root is not read', { '../.gitignore': '*', '.gitignore -> ../.gitignore': '' }, [b, a, root]],
    ['above the root does not count', { '../.gitignore': '*' }, [b, a, root]],
  ])('%s', async (_, shape, expected) => {
    const { contexts, left } = await look({ ...TREE, ...shape }, { touched })
    expect(contexts.map((line) => line.split(' ')[0])).toEqual(expected)
    expect(left).toEqual([b, a, root].filter((path) => !expected.includes(path)).map((path) => `${path}: excluded`))
  })

  it('does not keep out personal overrides', async () => {
    const shape = { 'CLAUDE.md': 'c', 'CLAUDE.local.md': 'mine', '.gitignore': '*.md' }
    expect(await look(shape, { profile: 'claude' })).toEqual({
      contexts: ['CLAUDE.local.md project: the working directory'],
      left: ['CLAUDE.md: excluded'],
    })
  })

  it('may be switched off', async () => {
    expect(await paths({ ...TREE, '.gitignore': '*' }, { touched, options: { gitignore: false } })).toEqual([
      b,
      a,
      root,
    ])
  })

  it('is read again when it has come, changed or gone', async () => {
    using planted = project(TREE)
    const workspace = await open(planted, { touched })
    const now = async () => (await seen(planted, workspace)).contexts.map((line) => line.split(' ')[0])
    expect(await now()).toEqual([b, a, root])
    planted.plant({ '.gitignore': 'a/b/' })
    expect(await now()).toEqual([a, root])
    planted.plant({ '.gitignore': 'a/c/' })
    expect(await now()).toEqual([b, a, root])
    planted.plant({ 'a/.gitignore': 'AGENTS.md' })
    expect(await now()).toEqual([root])
    planted.plant({ 'a/b/.gitignore': '!AGENTS.md' })
    expect(await now()).toEqual([b, root])
  })
})

describe('exclude patterns', () => {
  it.each([
    [['a/**'], [root]],
    [['**', '!AGENTS.md'], [root]],
    [
      ['A/**', 'agents.md'],
      [b, a, root],
    ],
    [[], [b, a, root]],
  ])('%j leave %j', async (exclude, expected) => {
    const { contexts, left } = await look(TREE, { touched, options: { exclude } })
    expect(contexts.map((line) => line.split(' ')[0])).toEqual(expected)
    expect(left.length).toBe(3 - expected.length)
  })

  it('hold for imports, not for the home directory', async () => {
    const shape = { 'AGENTS.md': '@docs/x.md', 'docs/x.md': 'x', '~/.ambit/AGENTS.md': 'h' }
    expect(await look(shape, { options: { exclude: ['docs/**', '.ambit/**'] } })).toEqual({
      contexts: ['AGENTS.md project: the working directory', '~/.ambit/AGENTS.md home: home'],
      left: ['docs/x.md: excluded'],
    })
  })
})
