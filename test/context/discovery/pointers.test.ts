import { describe, expect, it } from 'vitest'
import { pointersIn } from '../../../src/context/discovery/instruction-file.ts'

describe('a short text points to', () => {
  it.each<[string, string[]]>([
    ['Read CLAUDE.md', ['CLAUDE.md']],
    ['# Agents\n\nPlease read `CLAUDE.md` first.\n', ['CLAUDE.md']],
    ['See [the guide](./docs/agents.md).', ['./docs/agents.md']],
    [
      'All instructions live in .github/copilot-instructions.md and GEMINI.md.',
      ['.github/copilot-instructions.md', 'GEMINI.md'],
    ],
    ['Follow .cursor/rules/main.mdc', ['.cursor/rules/main.mdc']],
    ['Use the rules in .windsurfrules', ['.windsurfrules']],
    ['CLAUDE.md', ['CLAUDE.md']],
    ['../AGENTS.md\n', ['../AGENTS.md']],
    ['Read CLAUDE.md. Then read CLAUDE.md again.', ['CLAUDE.md']],
  ])('%j', (text, paths) => {
    expect(pointersIn(text)).toEqual(paths)
  })

  it.each([
    'Do not read CLAUDE.md',
    'Never use CLAUDE.md.',
    'See README.md for users, CHANGELOG.md for releases.',
    'Read https://example.org/CLAUDE.md',
    'Read src/index.ts',
    '',
    `Read CLAUDE.md. ${'There is much more to say. '.repeat(30)}`,
  ])('nothing: %j', (text) => {
    expect(pointersIn(text)).toEqual([])
  })

  it('at most eight files', () => {
    expect(pointersIn(Array.from({ length: 20 }, (_, at) => `see ${at}.md`).join('\n'))).toHaveLength(8)
  })
})
