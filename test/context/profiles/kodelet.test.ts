import { describe, expect, it } from 'vitest'
import type { Shape } from '../../support/tree.ts'
import { paths } from '../../support/workspace.ts'

describe('kodelet reads', () => {
  it.each<[string, Shape, string, readonly string[], readonly string[]]>([
    ['AGENTS.md of the working directory', { 'AGENTS.md': 'a' }, '', [], ['AGENTS.md']],
    ['KODELET.md where there is none', { 'KODELET.md': 'k' }, '', [], ['KODELET.md']],
    ['AGENTS.md before KODELET.md', { 'AGENTS.md': 'a', 'KODELET.md': 'k' }, '', [], ['AGENTS.md']],
    ['nothing above the working directory', { 'AGENTS.md': 'r', 'a/AGENTS.md': 'a' }, 'a', [], ['a/AGENTS.md']],
    ['nothing at all where only directories above have some', { 'AGENTS.md': 'r', 'a/': '' }, 'a', [], []],
    ['nothing for what it touches', { 'AGENTS.md': 'r', 'a/AGENTS.md': 'a' }, '', ['a/x', 'a'], ['AGENTS.md']],
    [
      'the user’s own from ~/.kodelet',
      { 'AGENTS.md': 'r', '~/.kodelet/AGENTS.md': 'u', '~/.ambit/AGENTS.md': 'no' },
      '',
      [],
      ['AGENTS.md', '~/.kodelet/AGENTS.md'],
    ],
    ['the user’s own KODELET.md', { '~/.kodelet/KODELET.md': 'u' }, '', [], ['~/.kodelet/KODELET.md']],
    ['no CLAUDE.md', { 'CLAUDE.md': 'c' }, '', [], []],
    [
      'front matter and @paths as text',
      { 'AGENTS.md': '---\npaths: x\n---\n@b.md', 'b.md': 'b' },
      '',
      [],
      ['AGENTS.md'],
    ],
  ])('%s', async (_, shape, cwd, touched, expected) => {
    expect(await paths(shape, { cwd, touched, profile: 'kodelet' })).toEqual(expected)
  })
})
