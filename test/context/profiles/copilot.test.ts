import { describe, expect, it } from 'vitest'
import type { Shape } from '../../support/tree.ts'
import { open, paths, project } from '../../support/workspace.ts'

const copilot = (shape: Shape, touched: readonly string[] = [], cwd = '') =>
  paths(shape, { touched, cwd, profile: 'copilot' })
const rule = (matter: string) => `---\n${matter}\n---\nRules.\n`

describe('Copilot reads', () => {
  it.each<[string, Shape, readonly string[], string, readonly string[]]>([
    [
      '.github/copilot-instructions.md',
      { '.github/copilot-instructions.md': 'c' },
      [],
      '',
      ['.github/copilot-instructions.md'],
    ],
    [
      'it from a directory below',
      { '.github/copilot-instructions.md': 'c', 'a/': '' },
      [],
      'a',
      ['.github/copilot-instructions.md'],
    ],
    [
      'AGENTS.md beside it',
      { '.github/copilot-instructions.md': 'c', 'AGENTS.md': 'a' },
      [],
      '',
      ['.github/copilot-instructions.md', 'AGENTS.md'],
    ],
    [
      'the AGENTS.md of what it touches',
      { 'AGENTS.md': 'r', 'a/AGENTS.md': 'a' },
      ['a/x'],
      '',
      ['a/AGENTS.md', 'AGENTS.md'],
    ],
    ['the user’s own', { '~/.copilot/copilot-instructions.md': 'u' }, [], '', ['~/.copilot/copilot-instructions.md']],
    ['no copilot-instructions.md elsewhere', { 'copilot-instructions.md': 'c' }, [], '', []],
    [
      'front matter and @paths as text',
      { 'AGENTS.md': `${rule('applyTo: "*.py"')}@b.md`, 'b.md': 'b' },
      [],
      '',
      ['AGENTS.md'],
    ],
  ])('%s', async (_, shape, touched, cwd, expected) => {
    expect(await copilot(shape, touched, cwd)).toEqual(expected)
  })
})

describe('Copilot’s path-specific instructions', () => {
  it.each<[string, string, readonly string[], boolean]>([
    ['for everything, without a touch', rule('applyTo: "**"'), [], false],
    ['for everything', rule('applyTo: "**"'), ['a/b.c'], true],
    ['for everything, written longer', rule('applyTo: "**/*"'), ['a/b.c'], true],
    ['without quotes', rule('applyTo: **/*.py'), ['a/b.py'], true],
    ['for the files right there', rule('applyTo: "*"'), ['x.py'], true],
    ['for the files right there, not below', rule('applyTo: "*"'), ['a/x.py'], false],
    ['for a kind of file right there', rule('applyTo: "*.py"'), ['x.py'], true],
    ['for a kind of file right there, not below', rule('applyTo: "*.py"'), ['a/x.py'], false],
    ['for a kind of file at any depth', rule('applyTo: "**/*.py"'), ['a/b/x.py'], true],
    ['for what is right in a directory', rule('applyTo: "src/*.py"'), ['src/x.py'], true],
    ['for what is right in a directory, not below', rule('applyTo: "src/*.py"'), ['src/a/x.py'], false],
    ['for what is below a directory', rule('applyTo: "src/**/*.py"'), ['src/a/b/x.py'], true],
    ['for a directory at any depth', rule('applyTo: "**/sub/**/*.py"'), ['a/sub/x.py'], true],
    ['for several', rule('applyTo: "**/*.ts,**/*.tsx"'), ['a/x.tsx'], true],
    ['for a list', rule('applyTo: ["**/*.ts", "**/*.tsx"]'), ['a/x.tsx'], true],
    ['without applyTo', rule('description: d'), ['x.py'], false],
    ['without front matter', 'x', ['x.py'], false],
    ['with globs', rule('globs: "**"'), ['x.py'], false],
    ['with alwaysApply', rule('alwaysApply: true'), ['x.py'], false],
  ])('%s', async (_, text, touched, applies) => {
    const found = await copilot({ '.github/instructions/x.instructions.md': text }, touched)
    expect(found).toEqual(applies ? ['.github/instructions/x.instructions.md'] : [])
  })

  it('are found in folders, and only by their ending', async () => {
    const all = rule('applyTo: "**"')
    const shape = {
      '.github/instructions/b/c.instructions.md': all,
      '.github/instructions/a.instructions.md': all,
      '.github/instructions/d.md': all,
      'instructions/e.instructions.md': all,
      '~/.copilot/instructions/f.instructions.md': all,
    }
    expect(await copilot(shape, ['x'])).toEqual([
      '.github/instructions/a.instructions.md',
      '.github/instructions/b/c.instructions.md',
      '~/.copilot/instructions/f.instructions.md',
    ])
  })
})

it('Copilot’s text begins with the user’s own and the repository’s', async () => {
  using planted = project({
    '~/.copilot/copilot-instructions.md': 'u',
    '.github/copilot-instructions.md': 'c',
    '.github/instructions/x.instructions.md': rule('applyTo: "**"'),
    'AGENTS.md': 'r',
    'a/AGENTS.md': 'a',
  })
  const workspace = await open(planted, { profile: 'copilot', touched: ['a/x'], options: { filenames: 'relative' } })
  const { text } = await workspace.prompt()
  expect([...text.matchAll(/filename="([^"]*)"/g)].map(([, name]) => name)).toEqual([
    '~/.copilot/copilot-instructions.md',
    '.github/copilot-instructions.md',
    'AGENTS.md',
    '.github/instructions/x.instructions.md',
    'a/AGENTS.md',
  ])
})
