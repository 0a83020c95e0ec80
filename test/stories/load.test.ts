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

  it('says in JSON what it prints: text is the Markdown, summary the part of the context directory', () => {
    using at = tree(PROJECT)
    const markdown = ambit(['load'], { cwd: at.base }).stdout
    const answer = JSON.parse(ambit(['load', '--json'], { cwd: at.base }).stdout)
    expect(answer.text).toBe(markdown)
    expect(answer.summary.match(/^## .*$/gm)).toEqual(['## Constitution', '## Current Tasks'])
    expect(answer.tokenCount).toBe(Math.ceil(Buffer.byteLength(markdown) / 4))
    const ledgered = answer.ledger.reduce((sum: number, row: { tokensAfter: number }) => sum + row.tokensAfter, 0)
    expect(answer.frameTokens).toBe(answer.tokenCount - ledgered)
    expect(answer.missing).toContain('DECISIONS.md')
    expect(answer.missingRequired).toEqual(['DECISIONS.md'])
    expect(answer.contextDir).toEqual({ path: at.at('.context'), levels: 0 })
  })

  it('leaves a context directory that is a file, and loads the rest', () => {
    using at = tree({ '.git/': '', '.context': 'not a directory', 'AGENTS.md': 'rules' })
    const { status, stdout } = ambit(['load', '--json'], { cwd: at.base })
    const { ledger, contextDir } = JSON.parse(stdout)
    expect([status, contextDir]).toEqual([0, null])
    expect(ledger).toMatchObject([
      { title: 'AGENTS.md', decision: 'kept' },
      { title: '.context', decision: 'left' },
    ])
  })

  it('draws the ledger on stderr with --explain, and leaves stdout as it is', () => {
    using at = tree(PROJECT)
    const { stdout, stderr } = ambit(['load', '--explain'], { cwd: at.base })
    expect(stdout).toBe(ambit(['load'], { cwd: at.base }).stdout)
    expect(stderr).toMatch(/● kept +Constitution +\d+/)
    expect(stderr).toMatch(/░ \d+ of 8,000 tokens \(\d+ %\), \d+ for headings and tags/)
  })

  it('reads the files of the home directory, unless told not to, or told of another home', () => {
    using at = tree({ ...PROJECT, 'h/.kodelet/AGENTS.md': 'mine', 'h2/.ambit/AGENTS.md': 'other' })
    const titles = (env: Record<string, string>, ...args: string[]) =>
      ambit(['load', ...args], { cwd: at.base, env }).stdout.match(/^## ~.*$/gm) ?? []
    expect(titles({ HOME: at.at('h') })).toEqual(['## ~/.kodelet/AGENTS.md'])
    expect(titles({ HOME: at.at('h') }, '--no-home')).toEqual([])
    expect(titles({ HOME: at.at('h'), AMBIT_HOME: at.at('h2') })).toEqual(['## ~/.ambit/AGENTS.md'])
  })

  it('works without a home, and with one that cannot be written to', () => {
    using at = tree(PROJECT)
    expect(ambit(['load'], { cwd: at.base, env: { HOME: '/nonexistent' } }).status).toBe(0)
    expect(ambit(['load'], { cwd: at.base, env: { HOME: '/proc' } }).status).toBe(0)
  })

  it('counts with the exact tokenizer when asked', () => {
    using at = tree(PROJECT)
    const { status, stdout } = ambit(['load', '--tokens', 'o200k', '--json'], { cwd: at.base })
    expect(status).toBe(0)
    expect(JSON.parse(stdout).tokenCount).toBeGreaterThan(20)
  })
})
describe('what a text cannot say', () => {
  it('is said on stderr when nothing applies, and with --json in the answer only', () => {
    using at = tree({ '.git/': '' })
    expect(ambit(['load', '--no-home'], { cwd: at.base })).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringMatching(/^There is no context here\. /),
    })
    const { stdout, stderr } = ambit(['load', '--no-home', '--json'], { cwd: at.base })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({ missing: expect.any(Array), ledger: expect.any(Array) })
    expect(JSON.parse(stdout).ledger.map(({ why }: { why: string }) => why)).toEqual(Array(10).fill('missing'))
  })

  it.each([
    [['1'], '', 'The budget has no room for AGENTS.md: ask with 198 tokens.\n'],
    [['1', '--format', 'xml'], '', 'The budget has no room for AGENTS.md: ask with 198 tokens.\n'],
    [['60'], 'One.', '1 text cut by the budget: "ambit explain" names it, --budget 162 has all.\n'],
    [['162'], 'Eighty.', ''],
  ])('of a budget of %j says what it cut, and what budget has all', (budget, part, said) => {
    using at = tree({ 'AGENTS.md': `One.\n\n${'Some words of it. '.repeat(21)}\n\nEighty.\n` })
    const { stdout, stderr } = ambit(['load', '--no-home', '--budget', ...budget], { cwd: at.base })
    expect([stdout.includes(part), stdout === '', stderr]).toEqual([true, part === '', said])
    const { text, warnings } = JSON.parse(
      ambit(['load', '--no-home', '--json', '--budget', ...budget], { cwd: at.base }).stdout,
    )
    expect(warnings.map(({ message }: { message: string }) => `${message}\n`)).toEqual(text === '' ? [said] : [])
  })

  it('is said on stderr when the constitution is more than the budget', () => {
    using at = tree({ '.git/': '', '.context/CONSTITUTION.md': 'A rule that holds.\n'.repeat(50) })
    const { status, stderr } = ambit(['load', '--budget', '20'], { cwd: at.base })
    expect([status, stderr]).toEqual([0, expect.stringMatching(/tokens, the budget 20: the constitution is never cut/)])
    expect(ambit(['load'], { cwd: at.base }).stderr).toBe('')
  })

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
