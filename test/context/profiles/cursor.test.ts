import { describe, expect, it } from 'vitest'
import type { Shape } from '../../support/tree.ts'
import { look, open, paths, project } from '../../support/workspace.ts'

const cursor = (shape: Shape, touched: readonly string[] = []) => paths(shape, { touched, profile: 'cursor' })
const rule = (matter: string) => `---\n${matter}\n---\nRules.\n`

describe('Cursor’s rules', () => {
  it.each<[string, string, readonly string[], boolean]>([
    ['that always apply', rule('alwaysApply: true'), [], true],
    ['that always apply, whatever their globs', rule('globs: **/*.py\nalwaysApply: true'), ['x.ts'], true],
    ['with globs, without a touch', rule('globs: "**/*.ts"'), [], false],
    ['with globs, on touching', rule('description: d\nglobs: "**/*.ts"\nalwaysApply: false'), ['a/x.ts'], true],
    ['with globs, on touching something else', rule('globs: "**/*.ts"'), ['a/x.js'], false],
    ['with globs without quotes', rule('globs: **/*.ts,**/*.tsx'), ['a/x.tsx'], true],
    ['with a list of globs', rule('globs:\n  - "src/**"\n  - "lib/**"'), ['lib/x'], true],
    ['with globs with blanks after commas', rule('globs: src/**, lib/**'), ['lib/x'], true],
    ['with globs for names alone', rule('globs: "*.ts"'), ['a/b/x.ts'], true],
    ['with a directory', rule('globs: "src/components/**/*.tsx"'), ['src/components/x.tsx'], true],
    [
      'with a description alone are for the agent to ask',
      rule('description: d\nglobs:\nalwaysApply: false'),
      ['x.ts'],
      false,
    ],
    ['without any front matter are for the person to ask', 'x', ['x.ts'], false],
    ['know no paths', rule('paths: "**"'), ['x.ts'], false],
    ['know no applyTo', rule('applyTo: "**"'), ['x.ts'], false],
  ])('%s', async (_, text, touched, applies) => {
    expect(await cursor({ '.cursor/rules/x.mdc': text }, touched)).toEqual(applies ? ['.cursor/rules/x.mdc'] : [])
  })

  it('are found in folders, and only as .mdc', async () => {
    const always = rule('alwaysApply: true')
    const shape = {
      '.cursor/rules/b/c.mdc': always,
      '.cursor/rules/a.mdc': always,
      '.cursor/rules/x.md': always,
      '.cursorrules': 'x',
    }
    expect(await cursor(shape)).toEqual(['.cursor/rules/a.mdc', '.cursor/rules/b/c.mdc'])
  })

  it('of a directory below come with touching it', async () => {
    const shape = { 'a/.cursor/rules/x.mdc': rule('alwaysApply: true'), 'a/.cursor/rules/y.mdc': rule('globs: src/*') }
    expect(await cursor(shape)).toEqual([])
    expect(await cursor(shape, ['a/f'])).toEqual(['a/.cursor/rules/x.mdc'])
    expect(await cursor(shape, ['a/src/f'])).toEqual(['a/.cursor/rules/x.mdc', 'a/.cursor/rules/y.mdc'])
  })

  it('that do not apply are told with the reason', async () => {
    using planted = project({ '.cursor/rules/a.mdc': rule('globs: "*.py"'), '.cursor/rules/b.mdc': 'x' })
    const rows = await (await open(planted, { profile: 'cursor' })).ledger()
    expect(rows.map(({ why, detail }) => `${why}: ${detail}`)).toEqual([
      'irrelevant: It is for *.py: no such file was touched.',
      'irrelevant: It names no path that it applies to.',
    ])
  })
})

describe('Cursor reads AGENTS.md', () => {
  it('in each directory that counts, as plain text', async () => {
    const shape = {
      'AGENTS.md': rule('globs: "*.py"'),
      'a/AGENTS.md': '@b.md',
      'b.md': 'b',
      'CLAUDE.md': 'c',
      '~/.cursor/AGENTS.md': 'u',
    }
    expect(await cursor(shape, ['a/x'])).toEqual(['a/AGENTS.md', 'AGENTS.md'])
  })

  it('beside its rules', async () => {
    const shape = { 'AGENTS.md': 'a', '.cursor/rules/x.mdc': rule('alwaysApply: true') }
    const { contexts } = await look(shape, { profile: 'cursor' })
    expect(contexts).toEqual([
      'AGENTS.md project: the working directory',
      '.cursor/rules/x.mdc project: the working directory',
    ])
  })
})
