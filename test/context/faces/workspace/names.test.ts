import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PIPE, type Shape, sparse } from '../../../support/tree.ts'
import { withNobody } from '../../../support/with-nobody.ts'
import { look, open, project, seen } from '../../../support/workspace.ts'
import { asNobody } from './as-nobody.ts'

const here = 'project: the working directory'

describe('of the names in a directory', () => {
  it.each([
    [['AGENTS.md', 'KODELET.md', 'CLAUDE.md'], ['AGENTS.md'], ['KODELET.md: shadowed', 'CLAUDE.md: shadowed']],
    [['KODELET.md', 'CLAUDE.md'], ['KODELET.md'], ['CLAUDE.md: shadowed']],
    [['CLAUDE.md'], ['CLAUDE.md'], []],
    [['Agents.MD', 'KODELET.md'], ['KODELET.md'], []],
  ])('%j, the first is taken: %j', async (names, expected, left) => {
    const seen = await look(Object.fromEntries(names.map((name) => [name, `I am ${name}`])))
    expect(seen).toEqual({ contexts: expected.map((name) => `${name} ${here}`), left })
  })

  it('the first is taken for each directory by itself', async () => {
    const shape = { 'KODELET.md': 'root', 'a/AGENTS.md': 'a', 'a/KODELET.md': 'hidden', 'a/b/CLAUDE.md': 'b' }
    expect(await look(shape, { touched: ['a/b/x'] })).toEqual({
      contexts: ['a/b/CLAUDE.md nested: touched a/b/x', 'a/AGENTS.md nested: touched a/b/x', `KODELET.md ${here}`],
      left: ['a/KODELET.md: shadowed'],
    })
  })

  it.each([
    [['NOTES.md', 'AGENTS.md'], 'NOTES.md', ['AGENTS.md: shadowed']],
    [['NOTES.md'], 'NOTES.md', []],
    [['docs/RULES.md', 'NOTES.md'], 'docs/RULES.md', ['NOTES.md: shadowed']],
  ])('one of one’s own is taken: %j', async (patterns, expected, left) => {
    const shape = { 'AGENTS.md': 'a', 'NOTES.md': 'n', 'docs/RULES.md': 'r' }
    expect(await look(shape, { options: { patterns } })).toEqual({ contexts: [`${expected} ${here}`], left })
  })

  it('those that lead out of the root are denied', async () => {
    const seen = await look({ '../out/AGENTS.md': 'x' }, { options: { patterns: ['../out/AGENTS.md'], home: false } })
    expect(seen).toEqual({ contexts: [], left: ['../out/AGENTS.md: denied'] })
  })
})

describe('a first name that cannot be read gives way to the next:', () => {
  it.each([
    ['a directory', { 'AGENTS.md/': '' }, 'unreadable'],
    ['a named pipe', { 'AGENTS.md': PIPE }, 'unreadable'],
    ['a binary file', { 'AGENTS.md': 'a\0b' }, 'binary'],
    ['a link out of the root', { 'AGENTS.md -> ../out/secret.md': '', '../out/secret.md': 'secret' }, 'denied'],
    ['a file of 4 MiB and a byte', { 'AGENTS.md': sparse(4 * 1024 * 1024 + 1) }, 'over-limit'],
    ['an ignored file', { 'AGENTS.md': 'x', '.gitignore': 'AGENTS.md' }, 'excluded'],
    ['a link to a secret', { 'AGENTS.md -> .env': '', '.env': 'KEY=1' }, 'denied'],
    ['a secret by a linked directory', { 'AGENTS.md -> d/config': '', 'd -> .git': '', '.git/config': 'x' }, 'denied'],
  ])('%s', async (_, shape, why) => {
    expect(await look({ ...shape, 'KODELET.md': 'k', 'CLAUDE.md': 'c' })).toEqual({
      contexts: [`KODELET.md ${here}`],
      left: [`AGENTS.md: ${why}`, 'CLAUDE.md: shadowed'],
    })
  })

  it('and is told in a warning', async () => {
    using planted = project({ 'AGENTS.md/': '' })
    const workspace = await open(planted)
    const [row] = await workspace.ledger()
    expect(row).toMatchObject({
      title: 'AGENTS.md',
      why: 'unreadable',
      detail: 'AGENTS.md is a directory, not a file.',
    })
  })
})

withNobody('without permission', () => {
  it.each<[string, Shape, string, string, readonly string[]]>([
    [
      'a file gives way to the next',
      { 'AGENTS.md': 'a', 'KODELET.md': 'k' },
      'AGENTS.md',
      'ambit',
      ['KODELET.md: kept', 'AGENTS.md: unreadable'],
    ],
    ['a .gitignore is none', { 'AGENTS.md': 'a', '.gitignore': '*' }, '.gitignore', 'ambit', ['AGENTS.md: kept']],
    [
      'a directory is told by the name that comes first',
      { 'AGENTS.md': 'r', 'a/AGENTS.md': 'a' },
      'a',
      'ambit',
      ['AGENTS.md: kept', 'a/AGENTS.md: unreadable'],
    ],
    [
      'a folder of rules is told',
      { 'CLAUDE.md': 'c', '.claude/rules/x.md': 'x' },
      '.claude/rules',
      'claude',
      ['CLAUDE.md: kept', '.claude/rules: unreadable'],
    ],
    [
      'a folder in it is told',
      { '.claude/rules/a/x.md': 'x', '.claude/rules/b.md': 'b' },
      '.claude/rules/a',
      'claude',
      ['.claude/rules/b.md: kept', '.claude/rules/a: unreadable'],
    ],
    ['a rule too', { '.claude/rules/b.md': 'b' }, '.claude/rules/b.md', 'claude', ['.claude/rules/b.md: unreadable']],
  ])('%s', async (_, shape, closed, profile, expected) => {
    using planted = project(shape)
    chmodSync(planted.file(closed), 0)
    const rows = await asNobody(planted.root, profile, ['a/x'])
    chmodSync(planted.file(closed), 0o755)
    expect(rows).toEqual(expected)
  })
})

it.each([
  ['blanks', ' \n\t\r\n'],
  ['hidden characters', '\u200b\u2060\u{e0041}'],
])('an empty file of %s wins its directory, and is left as empty', async (_, content) => {
  expect(await look({ 'AGENTS.md': content, 'KODELET.md': 'k', 'a/AGENTS.md': 'a' }, { touched: ['a/x'] })).toEqual({
    contexts: ['a/AGENTS.md nested: touched a/x'],
    left: ['AGENTS.md: empty', 'KODELET.md: shadowed'],
  })
})

describe('one file by two names is loaded once:', () => {
  it.each([
    ['a link', { 'AGENTS.md': 'x', 'a/AGENTS.md -> ../AGENTS.md': '' }, ['a/AGENTS.md'], ['AGENTS.md: duplicate']],
    ['a linked directory', { 'a/AGENTS.md': 'x', 'b -> a': '' }, ['a/AGENTS.md'], ['b/AGENTS.md: duplicate']],
    [
      'a link out and back in',
      { 'a/AGENTS.md -> ../../back': '', '../back -> w/AGENTS.md': '', 'AGENTS.md': 'x' },
      ['a/AGENTS.md'],
      ['AGENTS.md: duplicate'],
    ],
  ])('%s', async (_, shape, expected, left) => {
    const seen = await look(shape, { touched: ['a/x', 'b/x'] })
    expect(seen.contexts.map((line) => line.split(' ')[0])).toEqual(expected)
    expect(seen.left).toEqual(left)
  })

  it('a hard link', async () => {
    using planted = project({ 'AGENTS.md': 'x', 'a/': '' })
    execFileSync('ln', ['AGENTS.md', 'a/AGENTS.md'], { cwd: planted.root })
    const { contexts, left } = await seen(planted, await open(planted, { touched: ['a/x'] }))
    expect(contexts).toEqual(['a/AGENTS.md nested: touched a/x'])
    expect(left).toEqual(['AGENTS.md: duplicate'])
  })
})

it.each([
  ['to a file inside', { 'AGENTS.md -> docs/x.md': '', 'docs/x.md': 'x' }, '', ['AGENTS.md'], []],
  ['to a directory inside', { 'a -> b': '', 'b/AGENTS.md': 'x' }, 'a/x', ['a/AGENTS.md'], []],
  ['to a directory outside', { 'a -> ../out': '', '../out/AGENTS.md': 'x' }, 'a/x', [], ['a/AGENTS.md: denied']],
  ['to a longer sibling', { 'a -> ../w-evil': '', '../w-evil/AGENTS.md': 'x' }, 'a/x', [], ['a/AGENTS.md: denied']],
  ['to the root', { 'a -> .': '', 'AGENTS.md': 'x' }, 'a/x', ['a/AGENTS.md'], ['AGENTS.md: duplicate']],
])('a link %s', async (_, shape, touched, expected, left) => {
  const seen = await look(shape, { touched: [touched] })
  expect(seen.contexts.map((line) => line.split(' ')[0])).toEqual(expected)
  expect(seen.left).toEqual(left)
})

it('the record of a file holds it as it was read', async () => {
  using planted = project({ 'AGENTS.md': '\uFEFF# Title\r\nText' })
  const [context] = await (await open(planted)).relevantContexts()
  execFileSync('touch', ['-d', '2001-02-03T04:05:06.789Z', planted.file('AGENTS.md')])
  const [later] = await (await open(planted)).relevantContexts()
  expect(context).toMatchObject({ path: planted.file('AGENTS.md'), content: '# Title\r\nText', scope: 'project' })
  expect(later?.lastModified).toEqual(new Date('2001-02-03T04:05:06.789Z'))
})

it('a name that is not UTF-8 disturbs nobody', async () => {
  using planted = project({ 'AGENTS.md': 'x' })
  execFileSync('sh', ['-c', 'mkdir "$(printf "bad\\377")" && touch "$(printf "AGENTS\\377.md")"'], {
    cwd: planted.root,
  })
  expect((await seen(planted, await open(planted, { touched: ['bad\uFFFD/x'] }))).contexts.length).toBe(1)
})
