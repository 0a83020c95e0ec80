import { execFileSync } from 'node:child_process'
import { renameSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { open, type Project, project } from '../../../support/workspace.ts'

/** Longer than a file counts as just written. */
const RESTED_MS = 150

function put(planted: Project, name: string, content: string): void {
  writeFileSync(planted.file(name), content)
}

/** Writes other bytes of the same size, and puts the old times back. */
function inSecret(planted: Project, name: string, content: string): void {
  const script = 'touch -r "$1" "$1.times" && printf %s "$2" > "$1" && touch -r "$1.times" "$1"'
  execFileSync('/bin/sh', ['-c', script, 'sh', planted.file(name), content])
}

describe('a workspace sees at the next call', () => {
  it.each<[string, (planted: Project) => void, readonly string[]]>([
    ['an edit', (planted) => put(planted, 'AGENTS.md', 'three'), ['three']],
    ['an edit of the same size', (planted) => put(planted, 'AGENTS.md', 'two'), ['two']],
    ['an edit of the same size with the old mtime', (planted) => inSecret(planted, 'AGENTS.md', 'two'), ['two']],
    ['a deletion', (planted) => unlinkSync(planted.file('AGENTS.md')), []],
    ['a new file', (planted) => put(planted, 'a/AGENTS.md', 'new'), ['new', 'one']],
    ['a name taken first', (planted) => put(planted, 'AGENTS.md', '') ?? put(planted, 'a/CLAUDE.md', 'new'), ['new']],
    ['a directory where a touched path was', (planted) => planted.plant({ 'b/c/AGENTS.md': 'new' }), ['new', 'one']],
    [
      'a file in place of another',
      (planted) => {
        put(planted, 'other', 'two')
        renameSync(planted.file('other'), planted.file('AGENTS.md'))
      },
      ['two'],
    ],
    [
      'a link in place of a file',
      (planted) => {
        put(planted, 'other', 'two')
        unlinkSync(planted.file('AGENTS.md'))
        symlinkSync('other', planted.file('AGENTS.md'))
      },
      ['two'],
    ],
    ['a directory that went with its file', (planted) => rmSync(planted.file('a'), { recursive: true }), ['one']],
    ['a new .gitignore', (planted) => put(planted, '.gitignore', 'AGENTS.md'), []],
  ])('%s, also right after the call before', async (_, change, expected) => {
    using planted = project({ 'AGENTS.md': 'one', 'a/': '' })
    const workspace = await open(planted, { touched: ['a/x', 'b/c/x'] })
    const now = async () => (await workspace.relevantContexts()).map(({ content }) => content)
    expect(await now()).toEqual(['one'])
    change(planted)
    expect(await now()).toEqual(expected)
  })

  it.each<[string, (planted: Project) => void, readonly string[]]>([
    ['an edit', (planted) => put(planted, 'AGENTS.md', 'two'), ['two']],
    ['an edit with the old mtime', (planted) => inSecret(planted, 'AGENTS.md', 'two'), ['two']],
    ['an edit of a link’s target', (planted) => inSecret(planted, 'target.md', 'two'), ['two']],
    [
      'a link to somewhere else',
      (planted) => {
        put(planted, 'target.md', 'one')
        put(planted, 'elsewhere.md', 'two')
        unlinkSync(planted.file('AGENTS.md'))
        symlinkSync('elsewhere.md', planted.file('AGENTS.md'))
      },
      ['two'],
    ],
    ['a new file', (planted) => put(planted, 'a/AGENTS.md', 'new'), ['new', 'one']],
    ['a deletion', (planted) => unlinkSync(planted.file('AGENTS.md')), []],
  ])('%s, also when all had been at rest', async (what, change, expected) => {
    const linked = what.includes('link')
    using planted = project(
      linked ? { 'target.md': 'one', 'AGENTS.md -> target.md': '', 'a/': '' } : { 'AGENTS.md': 'one', 'a/': '' },
    )
    const workspace = await open(planted, { touched: ['a/x'] })
    const now = async () => (await workspace.relevantContexts()).map(({ content }) => content)
    await now()
    await setTimeout(RESTED_MS)
    expect(await now()).toEqual(['one'])
    change(planted)
    expect(await now()).toEqual(expected)
  })

  it('edits in quick succession, each of them', async () => {
    using planted = project({ 'AGENTS.md': '00' })
    const [path, at] = [planted.file('AGENTS.md'), new Date(1_700_000_000_000)]
    utimesSync(path, at, at)
    const workspace = await open(planted)
    for (let edit = 10; edit < 35; edit++) {
      writeFileSync(path, `${edit}`)
      utimesSync(path, at, at)
      const [context] = await workspace.relevantContexts()
      expect(context?.content).toBe(`${edit}`)
    }
  })
})

it('what is at rest is assembled once, and read once', async () => {
  using planted = project({ 'AGENTS.md': 'one', 'a/AGENTS.md': 'a' })
  const workspace = await open(planted, { touched: ['a/x'] })
  await workspace.prompt()
  await setTimeout(RESTED_MS)
  const [first] = await workspace.relevantContexts()
  const [second] = await workspace.relevantContexts()
  expect(second).toBe(first)
})
