import { describe, expect, it } from 'vitest'
import { fc, forAllAsync } from '../../support/property.ts'
import type { Shape } from '../../support/tree.ts'
import { open, project } from '../../support/workspace.ts'

const CAP = 32 * 1024

/** The files of a text, in its order, without their frames. */
async function printed(shape: Shape, cwd = '') {
  using planted = project(shape)
  const workspace = await open(planted, { cwd, profile: 'codex', options: { filenames: 'relative' } })
  const { text } = await workspace.prompt()
  const files = [...text.matchAll(/<context filename="([^"]*)">\n(.*?)\n<\/context>\n/gs)]
  return { files: files.map(([, name, content]) => [name, content] as const), ledger: await workspace.ledger() }
}

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

  it('holds for any sizes, and shows each file from its beginning', async () => {
    const size = fc.integer({ min: 1, max: CAP })
    await forAllAsync(15, size, size, size, async (root, a, b) => {
      const shape = { 'AGENTS.md': 'r'.repeat(root), 'a/AGENTS.md': 'a'.repeat(a), 'a/b/AGENTS.md': 'b'.repeat(b) }
      const { files } = await printed(shape, 'a/b')
      expect(files.map(([, content]) => content).join('')).toBe(Object.values(shape).join('').slice(0, CAP))
    })
  })
})
