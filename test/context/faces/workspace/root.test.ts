import { describe, expect, it } from 'vitest'
import { Workspace } from '../../../../src/context/workspace/workspace.ts'
import { type Shape, tree } from '../../../support/tree.ts'

describe('the project root', () => {
  it.each<[string, Shape, string, string]>([
    ['is the directory that holds a .git directory', { 'w/.git/': '', 'w/a/b/': '' }, 'w/a/b', 'w'],
    ['is the directory that holds a .git file', { 'w/.git': 'gitdir: elsewhere', 'w/a/': '' }, 'w/a', 'w'],
    ['is the working directory when that holds it', { '.git/': '', 'w/.git/': '' }, 'w', 'w'],
    ['is the working directory without one', { 'w/a/': '' }, 'w/a', 'w/a'],
    ['is not marked by what is only called alike', { 'w/.gitignore': '', 'w/.github/': '', 'w/a/': '' }, 'w/a', 'w/a'],
    ['is not marked by a link to nothing', { 'w/.git -> nowhere': '', 'w/a/': '' }, 'w/a', 'w/a'],
  ])('%s', async (_, shape, cwd, root) => {
    using planted = tree(shape)
    expect((await Workspace.open({ cwd: planted.at(cwd), home: false })).root).toBe(planted.at(root))
  })

  it.each<[string, Shape, string, string]>([
    ['above the marked one', { 'w/.git/': '', 'AGENTS.md': 'above' }, 'w', '.'],
    ['below the marked one', { 'w/.git/': '', 'w/a/b/': '' }, 'w/a/b', 'w/a'],
    ['that is the working directory', { 'w/.git/': '', 'w/a/': '' }, 'w/a', 'w/a'],
  ])('can be given: %s', async (_, shape, cwd, root) => {
    using planted = tree(shape)
    const workspace = await Workspace.open({ cwd: planted.at(cwd), root: planted.at(root), home: false })
    expect(workspace.root).toBe(planted.at(root))
  })

  it('decides what is read: nothing above it', async () => {
    using planted = tree({ 'AGENTS.md': 'above', 'w/.git/': '', 'w/AGENTS.md': 'root', 'w/a/': '' })
    const workspace = await Workspace.open({ cwd: planted.at('w/a'), home: false })
    expect((await workspace.relevantContexts()).map(({ content }) => content)).toEqual(['root'])
    const wider = await Workspace.open({ cwd: planted.at('w/a'), root: planted.base, home: false })
    expect((await wider.relevantContexts()).map(({ content }) => content)).toEqual(['root', 'above'])
  })

  it('behind a link is told by the link, and touches by its real path are inside', async () => {
    using planted = tree({ 'real/.git/': '', 'real/a/AGENTS.md': 'a', 'link -> real': '' })
    const workspace = await Workspace.open({ cwd: planted.at('link'), home: false })
    await workspace.touch(planted.at('real/a/x.ts'))
    const [context] = await workspace.relevantContexts()
    expect(context?.path).toBe(planted.at('link/a/AGENTS.md'))
  })
})

describe('a workspace is refused', () => {
  it.each([
    ['/', 'denied'],
    ['/usr/lib', 'denied'],
    ['/nowhere/at/all', 'not-found'],
  ])('at %s: %s', async (cwd, code) => {
    await expect(Workspace.open({ cwd, home: false })).rejects.toMatchObject({ name: 'ContextError', code })
  })

  it.each<[string, Shape, object, string]>([
    ['at a file', { 'a.md': 'x' }, { cwd: 'a.md' }, 'not-found'],
    ['below a root that does not exist', { 'a/': '' }, { cwd: 'a', root: 'b' }, 'not-found'],
    ['beside its root', { 'a/': '', 'b/': '' }, { cwd: 'a', root: 'b' }, 'invalid-input'],
    ['beside a root of a longer name', { 'a/': '', 'ab/': '' }, { cwd: 'ab', root: 'a' }, 'invalid-input'],
    ['above its root', { 'a/': '' }, { cwd: '.', root: 'a' }, 'invalid-input'],
  ])('%s', async (_, shape, options: { cwd?: string; root?: string }, code) => {
    using planted = tree(shape)
    const placed = Object.fromEntries(Object.entries(options).map(([key, path]) => [key, planted.at(path)]))
    await expect(Workspace.open({ ...placed, home: false })).rejects.toMatchObject({ name: 'ContextError', code })
  })

  it.each([
    [{ budget: 0 }],
    [{ reserve: -0.1 }],
    [{ reserve: 1.1 }],
    [{ reserve: Number.NaN }],
    [{ exclude: ['x'.repeat(300)] }],
  ])('with %j, with a hint', async (options) => {
    using planted = tree({ '.git/': '' })
    const opened = Workspace.open({ cwd: planted.base, home: false, ...options })
    await expect(opened).rejects.toMatchObject({ code: 'invalid-input', hint: expect.stringMatching(/\w/) })
  })
})
