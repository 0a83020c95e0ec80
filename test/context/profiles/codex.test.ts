import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utf8Length } from '../../../src/core/tokens.ts'
import { PIPE, type Shape } from '../../support/tree.ts'
import { look, open, paths, project } from '../../support/workspace.ts'

const CAP = 32 * 1024
const codex = (shape: Shape, cwd = '', touched: readonly string[] = []) =>
  paths(shape, { cwd, touched, profile: 'codex' })

/** The files of a text, in its order, without their frames. */
async function printed(shape: Shape, cwd = '') {
  using planted = project(shape)
  const workspace = await open(planted, { cwd, profile: 'codex', options: { filenames: 'relative' } })
  const { text } = await workspace.prompt()
  const files = [...text.matchAll(/<context filename="([^"]*)">\n(.*?)\n<\/context>\n/gs)]
  return { files: files.map(([, name, content]) => [name, content] as const), ledger: await workspace.ledger() }
}

describe('Codex reads', () => {
  it.each<[string, Shape, string, readonly string[]]>([
    ['nothing where nothing is', {}, '', []],
    ['AGENTS.md', { 'AGENTS.md': 'a' }, '', ['AGENTS.md']],
    ['AGENTS.override.md instead', { 'AGENTS.md': 'a', 'AGENTS.override.md': 'o' }, '', ['AGENTS.override.md']],
    [
      'the override of one directory only',
      { 'AGENTS.override.md': 'o', 'a/AGENTS.md': 'a' },
      'a',
      ['a/AGENTS.md', 'AGENTS.override.md'],
    ],
    [
      'one file in each directory, from the root to the working directory',
      { 'AGENTS.md': 'r', 'a/AGENTS.md': 'a', 'a/b/AGENTS.md': 'b', 'c/AGENTS.md': 'c' },
      'a/b',
      ['a/b/AGENTS.md', 'a/AGENTS.md', 'AGENTS.md'],
    ],
    ['from the root, over directories without', { 'AGENTS.md': 'r', 'a/b/': '' }, 'a/b', ['AGENTS.md']],
    ['up to a .git file too', { '.git': 'gitdir: x', 'AGENTS.md': 'r', 'a/': '' }, 'a', ['AGENTS.md']],
    [
      'only the working directory without a root',
      { 'other/.git/': '', 'AGENTS.md': 'r', 'a/AGENTS.md': 'a' },
      'a',
      ['a/AGENTS.md'],
    ],
    [
      'only up to the nearest root',
      { 'AGENTS.md': 'r', 'a/.git/': '', 'a/AGENTS.md': 'a', 'a/b/': '' },
      'a/b',
      ['a/AGENTS.md'],
    ],
    ['past a directory called AGENTS.md', { 'AGENTS.md/': '' }, '', []],
    ['AGENTS.md where the override is a directory', { 'AGENTS.override.md/': '', 'AGENTS.md': 'a' }, '', ['AGENTS.md']],
    ['past a named pipe', { 'AGENTS.md': PIPE }, '', []],
    ['past an empty file', { 'AGENTS.md': ' \n\t', 'a/AGENTS.md': 'a' }, 'a', ['a/AGENTS.md']],
    ['not AGENTS.md beside an empty override', { 'AGENTS.override.md': '', 'AGENTS.md': 'a' }, '', []],
    ['links', { 'AGENTS.md -> docs/x.md': '', 'docs/x.md': 'x' }, '', ['AGENTS.md']],
    ['no other names', { 'CLAUDE.md': 'c', 'KODELET.md': 'k', 'AGENTS.local.md': 'l', 'agents.md': 'a' }, '', []],
    [
      'the user’s own from ~/.codex',
      { 'AGENTS.md': 'a', '~/.codex/AGENTS.md': 'u', '~/.ambit/AGENTS.md': 'no' },
      '',
      ['AGENTS.md', '~/.codex/AGENTS.md'],
    ],
    [
      'the user’s own override',
      { '~/.codex/AGENTS.md': 'u', '~/.codex/AGENTS.override.md': 'o' },
      '',
      ['~/.codex/AGENTS.override.md'],
    ],
    ['front matter as text', { 'AGENTS.md': '---\npaths: "*.py"\n---\nx' }, '', ['AGENTS.md']],
    ['@paths as text', { 'AGENTS.md': '@b.md', 'b.md': 'b' }, '', ['AGENTS.md']],
  ])('%s', async (_, shape, cwd, expected) => {
    expect(await codex(shape, cwd)).toEqual(expected)
  })

  it('nothing because it was touched', async () => {
    const shape = { 'AGENTS.md': 'r', 'a/AGENTS.md': 'a' }
    expect(await codex(shape, '', ['a/x.ts', 'a'])).toEqual(['AGENTS.md'])
  })

  it('no AGENTS.md beside an override, and tells it', async () => {
    const { left } = await look({ 'AGENTS.override.md': 'o', 'AGENTS.md': 'a' }, { profile: 'codex' })
    expect(left).toEqual(['AGENTS.md: shadowed'])
  })

  it('the user’s own first, then from the root down', async () => {
    const { files } = await printed({ 'AGENTS.md': 'root', 'a/AGENTS.md': 'a', '~/.codex/AGENTS.md': 'user' }, 'a')
    expect(files.map(([name]) => name)).toEqual(['~/.codex/AGENTS.md', 'AGENTS.md', 'a/AGENTS.md'])
  })
})

describe('Codex’s cap of 32 KiB', () => {
  const rows = (ledger: Awaited<ReturnType<typeof printed>>['ledger']) =>
    Object.fromEntries(ledger.map(({ title, decision, why }) => [title, why ? `${decision} ${why}` : decision]))

  it.each([
    ['one byte less', CAP - 1, CAP - 1, 'kept'],
    ['exactly so much', CAP, CAP, 'kept'],
    ['one byte more', CAP + 1, CAP, 'truncated over-limit'],
    ['twice as much', 2 * CAP, CAP, 'truncated over-limit'],
  ])('leaves of a file of %s', async (_, size, shown, decision) => {
    const { files, ledger } = await printed({ 'AGENTS.md': 'x'.repeat(size) })
    expect(files.map(([, content]) => content?.length)).toEqual([shown])
    expect(rows(ledger)).toEqual({ 'AGENTS.md': decision })
  })

  it.each([
    ['the sum fits', [CAP - 10, 10], [CAP - 10, 10], ['kept', 'kept']],
    ['the nearer crosses it', [CAP - 10, 11], [CAP - 10, 10], ['kept', 'truncated over-limit']],
    ['the root fills it', [CAP, 1], [CAP], ['kept', 'left over-limit']],
    ['the root is over it', [CAP + 1, 1], [CAP], ['truncated over-limit', 'left over-limit']],
    ['the middle crosses it', [CAP - 5, 10, 5], [CAP - 5, 5], ['kept', 'truncated over-limit', 'left over-limit']],
  ])('counts from the root: %s', async (_, sizes, shown, decisions) => {
    const places = ['', 'a/', 'a/b/']
    const shape = Object.fromEntries(sizes.map((size, index) => [`${places[index]}AGENTS.md`, 'x'.repeat(size)]))
    const { files, ledger } = await printed({ 'a/b/': '', ...shape }, 'a/b')
    expect(files.map(([, content]) => content?.length)).toEqual(shown)
    const told = rows(ledger)
    expect(sizes.map((_, index) => told[`${places[index]}AGENTS.md`])).toEqual(decisions)
  })

  it('does not count the user’s own, nor empty files', async () => {
    const shape = {
      '~/.codex/AGENTS.md': 'u'.repeat(CAP),
      'AGENTS.md': ' '.repeat(CAP),
      'a/AGENTS.md': 'a'.repeat(CAP),
    }
    const { files } = await printed(shape, 'a')
    expect(files.map(([name, content]) => [name, content?.length])).toEqual([
      ['~/.codex/AGENTS.md', CAP],
      ['a/AGENTS.md', CAP],
    ])
  })

  it.each([
    ['two bytes', 'é', 2],
    ['three bytes', '€', 3],
    ['four bytes', '😀', 4],
  ])('never cuts within a character of %s', async (_, char, bytes) => {
    for (const before of [0, 1, 2, 3]) {
      const { files } = await printed({ 'AGENTS.md': 'x'.repeat(before) + char.repeat(CAP) })
      const content = files[0]?.[1] ?? ''
      expect(utf8Length(content)).toBe(before + bytes * Math.floor((CAP - before) / bytes))
      expect(content.endsWith(char)).toBe(true)
    }
  })

  it('holds for any sizes, and shows each file from its beginning', async () => {
    const size = fc.integer({ min: 1, max: CAP })
    await fc.assert(
      fc.asyncProperty(size, size, size, async (root, a, b) => {
        const shape = { 'AGENTS.md': 'r'.repeat(root), 'a/AGENTS.md': 'a'.repeat(a), 'a/b/AGENTS.md': 'b'.repeat(b) }
        const { files } = await printed(shape, 'a/b')
        expect(files.map(([, content]) => content).join('')).toBe(Object.values(shape).join('').slice(0, CAP))
      }),
      { numRuns: 15 },
    )
  })
})
