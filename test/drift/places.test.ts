import { symlinkSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PathResolver, TreeLookup } from '../../src/drift/lookup/lookup.ts'
import { openRoot } from '../../src/files/disk.ts'
import { rowsBy } from '../support/rows.ts'
import { tree } from '../support/tree.ts'
import { driftIn, plant } from './fixtures.ts'

it.each([
  ['', '/'],
  ...rowsBy({
    'a/b.md': 'a/b.md same/b.md same/up/a/b.md own/b.md',
    'a/': 'a',
    absent: `a/none a/b.md/none nowhere loop/x turn ../outside a/../../outside/here a/${'x/'.repeat(100_000)}y`,
    outside: 'out out/here out/none dangling back/here',
  }),
])('finds where %s leads', (path, expected) => {
  using planted = tree({
    'root/a/b.md': '',
    'root/a/up -> ..': '',
    'outside/here': '',
    'root/same -> a': '',
    'root/own -> /root/a': '',
    'root/out -> /outside': '',
    'root/dangling -> /outside/none': '',
    'root/nowhere -> a/none': '',
    'root/loop -> loop/x': '',
    'root/turn -> turned': '',
    'root/turned -> turn': '',
    'root/back -> ../outside': '',
  })
  const place = new PathResolver(openRoot(planted.at('root'))).at(path)
  const shown = typeof place === 'string' ? place : place.path + (place.isDirectory ? '/' : '')
  expect(shown).toBe(expected)
})

it('follows no endless chain of links, and says so', () => {
  using planted = tree({ 'end/': '' })
  symlinkSync('end', planted.at('l0'))
  for (let index = 1; index <= 3000; index++) symlinkSync(`l${index - 1}`, planted.at(`l${index}`))
  expect(new PathResolver(openRoot(planted.base)).at('l3000')).toBe('outside')
  expect(new PathResolver(openRoot(planted.base)).at('l40')).toBe('outside')
  expect(new PathResolver(openRoot(planted.base)).at('l39')).toEqual({ path: 'end', isDirectory: true })
})

it('says nothing of what there is outside the root', async () => {
  using planted = plant({ 'docs/guide.md': '' })
  symlinkSync('/', `${planted.root}/e`)
  symlinkSync('/etc/none-such.md', `${planted.root}/f.md`)
  const cited = ['e/etc/passwd.md', 'e/etc/none-such.md', 'e/', 'e/none-such/', 'f.md']
  const text = cited.map((path) => `\`${path}\` [a](${path}) [b](${path}#c) @${path}`).join('\n')
  const commands = cited.map((path) => `node ${path.replace('.md', '.js')}\ncd ${path}\nnpm run x`).join('\n')
  expect(await driftIn(planted, `${text}\n\`\`\`sh\n${commands}\n\`\`\``)).toEqual([])
  expect(await driftIn(planted, '`docs/none.md`')).toHaveLength(1)
})

it.each(['over-limit', 'unreadable'] as const)('has seen all of a tree unless a directory is too large: %s', (why) => {
  using planted = tree({ 'a.md': '' })
  const root = Object.assign(openRoot(planted.base), { list: () => ({ ok: false, why, detail: '' }) as const })
  expect(new TreeLookup(root, { levels: 3, directories: 1 }).isComplete).toBe(why !== 'over-limit')
})

it.each([
  [2, false, []],
  [3, true, ['b/c.md']],
])('has seen all of a tree of three directories within %i: %s', (directories, isComplete, paths) => {
  using planted = tree({ 'a/': '', 'b/c.md': '' })
  const lookup = new TreeLookup(openRoot(planted.base), { levels: 3, directories })
  expect([lookup.isComplete, lookup.pathsNamed('c.md')]).toEqual([isComplete, paths])
})
