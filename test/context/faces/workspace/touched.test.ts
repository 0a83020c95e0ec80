import { describe, expect, it } from 'vitest'
import { look, open, paths, project, seen } from '../../../support/workspace.ts'

const TREE = {
  'AGENTS.md': 'root',
  'foo/AGENTS.md': 'foo',
  'foo/bar/AGENTS.md': 'bar',
  'foo/bar/x.ts': '',
  'foo/empty/': '',
  'foobar/AGENTS.md': 'foobar',
  'foobar/x.ts': '',
  'z/y/x.ts': '',
}

it.each([
  ['', ['AGENTS.md']],
  ['foo', ['foo/AGENTS.md', 'AGENTS.md']],
  ['foo/bar', ['foo/bar/AGENTS.md', 'foo/AGENTS.md', 'AGENTS.md']],
  ['foo/empty', ['foo/AGENTS.md', 'AGENTS.md']],
  ['z/y', ['AGENTS.md']],
])('the working directory %j brings in those at and above it, the nearest first', async (cwd, expected) => {
  expect(await paths(TREE, { cwd })).toEqual(expected)
})

describe('a touched path', () => {
  const bar = ['foo/bar/AGENTS.md', 'foo/AGENTS.md', 'AGENTS.md']
  it.each([
    ['a file', '', 'foo/bar/x.ts', bar],
    ['a file that does not exist', '', 'foo/bar/new.ts', bar],
    ['a path in directories that do not exist', '', 'foo/bar/new/dir/x.ts', bar],
    ['a directory', '', 'foo/bar', bar],
    ['the context file itself', '', 'foo/bar/AGENTS.md', bar],
    ['relative to the working directory', 'foo/bar', 'x.ts', bar],
    ['above', 'foo/bar', '../../foobar/x.ts', ['foo/bar/AGENTS.md', 'foo/AGENTS.md', 'foobar/AGENTS.md', 'AGENTS.md']],
    ['the root', 'foo', '..', ['foo/AGENTS.md', 'AGENTS.md']],
    ['a sibling whose name goes on', 'foo', '../foobar/x.ts', ['foo/AGENTS.md', 'foobar/AGENTS.md', 'AGENTS.md']],
    ['a path through a file', '', 'foo/bar/x.ts/y.ts', bar],
  ])('%s brings in those above it', async (_, cwd, path, expected) => {
    expect(await paths(TREE, { cwd, touched: [path] })).toEqual(expected)
  })

  it('may be absolute', async () => {
    using planted = project(TREE)
    const workspace = await open(planted, { cwd: 'foobar' })
    await workspace.touch(planted.file('foo/bar/x.ts'))
    const { contexts } = await seen(planted, workspace)
    expect(contexts).toEqual([
      'foo/bar/AGENTS.md nested: touched foo/bar/x.ts',
      'foo/AGENTS.md nested: touched foo/bar/x.ts',
      'foobar/AGENTS.md nested: the working directory',
      'AGENTS.md project: the working directory',
    ])
  })

  it('is told as the reason, the first by name of several', async () => {
    const { contexts } = await look(TREE, { touched: ['foo/z.ts', 'foo/bar/x.ts', 'foo/bar/a.ts'] })
    expect(contexts).toEqual([
      'foo/bar/AGENTS.md nested: touched foo/bar/a.ts',
      'foo/AGENTS.md nested: touched foo/bar/a.ts',
      'AGENTS.md project: the working directory',
    ])
  })

  it('counts once more when it has become a directory', async () => {
    using planted = project({ 'AGENTS.md': 'root' })
    const workspace = await open(planted, { touched: ['new'] })
    expect((await seen(planted, workspace)).contexts.length).toBe(1)
    planted.plant({ 'new/AGENTS.md': 'new' })
    await workspace.touch('new')
    expect((await seen(planted, workspace)).contexts).toEqual([
      'new/AGENTS.md nested: touched new',
      'AGENTS.md project: the working directory',
    ])
  })

  it('a thousand levels down overflows nothing', async () => {
    const { contexts } = await look(TREE, { touched: ['d/'.repeat(1000), `foo/${'x'.repeat(5000)}`] })
    expect(contexts.length).toBe(2)
  })
})

describe('a touch outside the root', () => {
  const outside = { ...TREE, '../out/AGENTS.md': 'outside', '../w-evil/AGENTS.md': 'evil', '../wx/AGENTS.md': 'x' }
  it.each([['../out/x.ts'], ['../w-evil/x.ts'], ['..'], ['/etc/passwd']])(
    'is in the ledger, and nothing there is read: %s',
    async (path) => {
      using planted = project(outside)
      const workspace = await open(planted, { touched: [path] })
      const { contexts } = await seen(planted, workspace)
      expect(contexts).toEqual(['AGENTS.md project: the working directory'])
      const rows = (await workspace.ledger()).filter(({ decision }) => decision === 'left')
      expect(rows).toEqual([expect.objectContaining({ why: 'denied', tokensBefore: 0, tokensAfter: 0 })])
      expect(rows[0]?.detail).toBe('Touched, but outside the project root: never read.')
      expect((await workspace.prompt()).text).not.toMatch(/outside|evil/)
    },
  )

  it('is one inside when a link outside leads in, also to what does not exist yet', async () => {
    const { contexts, left } = await look({ ...TREE, '../link -> w': '' }, { touched: ['../link/foo/new.ts'] })
    expect([contexts[0], left]).toEqual([expect.stringMatching(/^foo\/AGENTS\.md/), []])
  })

  it('is told when it is longer than a path can be', async () => {
    const { left } = await look(TREE, { touched: [`../${'a/'.repeat(100_000)}`] })
    expect(left).toHaveLength(1)
  })

  it('is told once', async () => {
    const { left } = await look(outside, { touched: ['../out/x.ts', '../out/x.ts', '../out/y.ts'] })
    expect(left).toEqual(['../out/x.ts: denied', '../out/y.ts: denied'])
  })

  it('does not keep touches inside from counting', async () => {
    expect(await paths(outside, { touched: ['../out/x.ts', 'foo/x.ts'] })).toEqual(['foo/AGENTS.md', 'AGENTS.md'])
  })
})
