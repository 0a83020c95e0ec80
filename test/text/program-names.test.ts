import { describe, expect, it } from 'vitest'
import { AGENTS } from '../../src/context/init/agents.ts'
import { gitignore } from '../../src/text/gitignore.ts'
import { PROGRAM_NAMES, startsPrograms } from '../../src/text/program-names.ts'

describe('a name of a file', () => {
  it.each([
    ['of a repository', '.git', '.git/config', 'a/.git/hooks/post-checkout', 'bare/HEAD', '.husky/pre-commit'],
    ['agents', '.claude/settings.json', '.mcp.json', 'x/.cursor/hooks.json', '.codex/config.toml', 'opencode.jsonc'],
    ['editors', '.vscode/tasks.json', 'a.code-workspace', '.devcontainer/devcontainer.json', '.exrc', '.idea/x.xml'],
    ['of a shell', '.envrc', 'a/.bashrc', '.config/fish/config.fish', '.profile', '.zshenv'],
    ['of a package manager', '.npmrc', '.yarnrc.yml', '.pnp.cjs', '.cargo/config.toml', 'lefthook.yml'],
    ['without its case', '.GIT/config', 'bare/head', '.Claude/Settings.Local.json', '.ENVRC'],
    ['with unseen marks', '.g\u200cit/config', '\ufeff.envrc', '.\uff47it/config', '.cla\u00adude/settings.json'],
    ['with what Windows cuts off', '.git. /config', '.git::$INDEX_ALLOCATION/config', '.envrc...', 'a\\.git\\config'],
    ['by its short form', 'git~1/config', 'GIT~2', 'CLAUDE~1/SETTIN~1.JSO', 'MCP~1.JSO', 'VSCODE~1/tasks.json'],
  ])('%s starts programs', (_, ...names) => {
    expect(names.filter((name) => !startsPrograms(name))).toEqual([])
  })

  it.each([
    ['of text for agents', 'AGENTS.md', '.claude/CLAUDE.md', '.cursor/rules/a.mdc', '.github/copilot-instructions.md'],
    ['of code that one runs', 'Makefile', 'conftest.py', 'package.json', 'src/index.ts', '.github/workflows/a.yml'],
    [
      'of data',
      'head/a.csv',
      'git/config',
      'config',
      'a.git',
      'data.npmrc.csv',
      'draft~1',
      'overhead',
      'settings.json',
    ],
    ["of an agent's tree", '.claude/worktrees/a/data.csv', '.cursor/worktrees/a/data.csv', '.gitignore', '.env'],
  ])('%s does not', (_, ...names) => {
    expect(names.filter(startsPrograms)).toEqual([])
  })

  it('is in the list where "ambit init" writes hooks or servers to it', () => {
    const written = Object.values(AGENTS).flatMap((scopes) => Object.values(scopes).flat())
    expect(written.length).toBeGreaterThan(20)
    expect(written.map(({ name }) => name).filter((name) => !startsPrograms(name))).toEqual([])
  })

  it('is compared with every name of the list', () => {
    expect(gitignore(PROGRAM_NAMES.join('\n')).unread).toBe(0)
    expect(PROGRAM_NAMES.filter((name) => !startsPrograms(`a/${name.replace('*', 'x')}`))).toEqual([])
  })
})
