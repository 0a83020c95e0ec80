import { describe, expect, it } from 'vitest'
import { ambit, PROJECT } from '../support/program.ts'
import { tree } from '../support/tree.ts'

describe('ambit load', () => {
  it('prints the context of the current directory: constitution, instructions, context directory', () => {
    using at = tree(PROJECT)
    const { status, stdout, stderr } = ambit(['load'], { cwd: at.base })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.match(/^## .*$/gm)).toEqual(['## Constitution', '## AGENTS.md', '## Current Tasks'])
    expect(stdout).toMatch(
      /^# Project Context\n\n## Constitution\nSource: \.context\/CONSTITUTION\.md\n\n# Constitution/,
    )
  })

  it('reads the files of the home directory, unless told not to, or told of another home', () => {
    using at = tree({ ...PROJECT, 'h/.kodelet/AGENTS.md': 'mine', 'h2/.ambit/AGENTS.md': 'other' })
    const titles = (env: Record<string, string>, ...args: string[]) =>
      ambit(['load', ...args], { cwd: at.base, env }).stdout.match(/^## ~.*$/gm) ?? []
    expect(titles({ HOME: at.at('h') })).toEqual(['## ~/.kodelet/AGENTS.md'])
    expect(titles({ HOME: at.at('h') }, '--no-home')).toEqual([])
    expect(titles({ HOME: at.at('h'), AMBIT_HOME: at.at('h2') })).toEqual(['## ~/.ambit/AGENTS.md'])
  })
})
describe('what a text cannot say', () => {
  it('is said on stderr when files that are there cannot be loaded', () => {
    using at = tree({ 'p/.git/': '', 'p/.context/TASKS.md': 'a\0b', 'p/AGENTS.md': 'x\n' })
    const { status, stdout, stderr } = ambit(['load', '--no-home'], { cwd: at.at('p') })
    expect([status, stderr]).toEqual([0, '1 file not loaded: Current Tasks; see "ambit explain".\n'])
    expect(stdout).toContain('x')
  })

  it('is said on stderr of links that lead out of the project, and not of paths that were touched there', () => {
    using at = tree({
      'p/.git/': '',
      'p/.context/CONSTITUTION.md': 'rule\n',
      'p/.context/TASKS.md -> ../../TASKS.md': '',
      'p/AGENTS.md -> ../AGENTS.md': '',
      'TASKS.md': 'outside',
      'AGENTS.md': 'outside',
      'x.ts': '',
    })
    const { stdout, stderr } = ambit(['load', '--no-home', '--touched', '../x.ts'], { cwd: at.at('p') })
    expect(stderr).toBe('2 files not loaded: AGENTS.md, Current Tasks; see "ambit explain".\n')
    expect(stdout).not.toContain('outside')
  })

  it('is said of touched paths that do not exist: each once, and not at any length', () => {
    using at = tree({ 'p/.git/': '', 'p/AGENTS.md': 'rule\n' })
    const touched = ['a.ts', 'a.ts', 'x'.repeat(300)].flatMap((path) => ['--touched', path])
    const { stderr } = ambit(['load', '--no-home', ...touched], { cwd: at.at('p') })
    expect(stderr).toBe(`There is no a.ts, ${'x'.repeat(200)}…: the answer is as for a new file.\n`)
  })
})
