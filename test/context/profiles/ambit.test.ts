import { describe, expect, it } from 'vitest'
import type { Shape } from '../../support/tree.ts'
import { open, paths, project } from '../../support/workspace.ts'

const RULE = '---\nalwaysApply: true\n---\nrule'
const SCOPED = '---\nglobs: "*.css"\n---\nrule'

describe('Ambit reads', () => {
  it.each<[string, Shape, readonly string[], readonly string[]]>([
    ['GEMINI.md alone', { 'GEMINI.md': 'g' }, [], ['GEMINI.md']],
    ['copilot-instructions.md', { '.github/copilot-instructions.md': 'c' }, [], ['.github/copilot-instructions.md']],
    ['.windsurfrules alone', { '.windsurfrules': 'w' }, [], ['.windsurfrules']],
    ['.clinerules as a file', { '.clinerules': 'c' }, [], ['.clinerules']],
    ['a folder', { '.clinerules/a.md': 'a', '.clinerules/b.md': 'b' }, [], ['.clinerules/a.md', '.clinerules/b.md']],
    ['rules that always apply, alone', { '.cursor/rules/a.mdc': RULE }, [], ['.cursor/rules/a.mdc']],
    [
      'AGENTS.md first',
      { 'AGENTS.md': 'a', 'GEMINI.md': 'g', '.cursorrules': 'c', '.cursor/rules/a.mdc': RULE },
      [],
      ['AGENTS.md'],
    ],
    ['one of several other places', { '.cursorrules': 'c', '.windsurfrules': 'w' }, [], ['.cursorrules']],
    [
      'rules by path beside AGENTS.md',
      { 'AGENTS.md': 'a', '.cursor/rules/a.mdc': SCOPED },
      ['x.css'],
      ['AGENTS.md', '.cursor/rules/a.mdc'],
    ],
    ['no rule for other paths', { 'AGENTS.md': 'a', '.cursor/rules/a.mdc': SCOPED }, ['x.ts'], ['AGENTS.md']],
    ['a nested GEMINI.md', { 'AGENTS.md': 'a', 'p/GEMINI.md': 'g' }, ['p/x'], ['p/GEMINI.md', 'AGENTS.md']],
    ['what AGENTS.md names', { 'AGENTS.md': 'Read CLAUDE.md', 'CLAUDE.md': 'c' }, [], ['AGENTS.md', 'CLAUDE.md']],
    ['no file that one forbids to read', { 'AGENTS.md': 'Do not read CLAUDE.md', 'CLAUDE.md': 'c' }, [], ['AGENTS.md']],
    ['nothing outside the root', { 'AGENTS.md': 'Read ../CLAUDE.md', '../CLAUDE.md': 'c' }, [], ['AGENTS.md']],
    ['a pointer to what is not there in silence', { 'AGENTS.md': 'Read CLAUDE.md' }, [], ['AGENTS.md']],
    ['each other', { 'AGENTS.md': 'Read CLAUDE.md', 'CLAUDE.md': 'Read AGENTS.md' }, [], ['AGENTS.md', 'CLAUDE.md']],
  ])('%s', async (_, shape, touched, expected) => {
    expect(await paths(shape, { touched })).toEqual(expected)
  })

  it.each<[string, Shape, string, string]>([
    ['GEMINI.md', { 'GEMINI.md': 'g' }, 'kept', 'There is no AGENTS.md, no KODELET.md, no CLAUDE.md beside it.'],
    ['CLAUDE.md', { 'AGENTS.md': 'Read CLAUDE.md', 'CLAUDE.md': 'c' }, 'kept', 'AGENTS.md says to read it.'],
    ['.cursorrules', { '.cursorrules': 'c' }, 'kept', 'No other instruction file is beside it.'],
    ['.cursorrules', { 'AGENTS.md': 'a', '.cursorrules': 'c' }, 'left', 'AGENTS.md is read instead.'],
    ['.windsurfrules', { '.cursorrules': 'c', '.windsurfrules': 'w' }, 'left', '.cursorrules is read instead.'],
    ['.cursor/rules/a.mdc', { '.cursor/rules/a.mdc': SCOPED }, 'left', 'It is for *.css: no such file was touched.'],
    ['.cursor/rules/b.mdc', { '.cursor/rules/b.mdc': 'x' }, 'left', 'It names no path that it applies to.'],
  ])('and says in the ledger why: %s', async (title, shape, decision, detail) => {
    using planted = project(shape)
    const workspace = await open(planted)
    expect((await workspace.ledger()).find((row) => row.title === title)).toMatchObject({ decision, detail })
  })

  it('sees a place of its own that comes later', async () => {
    using planted = project({ 'src/': '' })
    const workspace = await open(planted)
    expect(await workspace.relevantContexts()).toEqual([])
    planted.plant({ '.windsurfrules': 'w' })
    expect((await workspace.relevantContexts()).map(({ content }) => content)).toEqual(['w'])
  })
})
