import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../src/core/errors.ts'
import { operations } from '../../../src/operations/index.ts'
import { commandOf, ownFirst } from '../../../src/surfaces/cli/command.ts'
import { help } from '../../../src/surfaces/cli/help.ts'

const LOOK = { isTerminal: false, plain: true, columns: 100 }

function refused(...argv: string[]) {
  try {
    commandOf(argv, operations)
  } catch (error) {
    if (error instanceof UsageError) return { message: error.message, hint: error.hint }
    throw error
  }
  throw new Error(`It was taken: ${argv.join(' ')}`)
}

describe('the options of every command', () => {
  it.each([
    ['before it', ['--db', 'x.db', '--json', 'context', 'add', 'docs', 'a text']],
    ['before it, in one word', ['--json', '--db=x.db', 'context', 'add', 'docs', 'a text']],
    ['after it', ['context', 'add', '--db', 'x.db', 'docs', 'a text', '--json']],
    ['on both sides', ['--db', 'x.db', 'context', 'add', 'docs', 'a text', '--json']],
  ])('are taken %s', (_, argv) => {
    const { operation, input, flags } = commandOf(argv, operations)
    expect([operation.name, input]).toEqual(['contexts.add', { path: 'docs', text: 'a text' }])
    expect(flags).toEqual({ json: true, explain: false, db: 'x.db' })
  })

  it('are told from what follows, which may be a server', () => {
    expect(ownFirst(['--db', 'serve', 'mcp', '--json'])).toEqual({ own: ['--db', 'serve'], given: ['mcp', '--json'] })
    expect(ownFirst(['--dbx', 'mcp'])).toEqual({ own: [], given: ['--dbx', 'mcp'] })
    expect(ownFirst(['--db'])).toEqual({ own: ['--db'], given: [] })
  })

  it.each([[[]], [['load']], [['context', 'add']], [['context']]])('are in the help for %j', (argv) => {
    const text = help(argv, operations, LOOK)
    for (const option of ['--db PATH', '--json', '--help']) expect(text).toContain(`\n  ${option} `)
  })
})

describe('a command of two words', () => {
  it.each([
    [['context'], '"context" is only the beginning of a command.'],
    [['context', '--json'], '"context" is only the beginning of a command.'],
    [['context', 'frob'], 'There is no command "context frob".'],
  ])('whose second is wrong, %j, is answered with those there are', (argv, message) => {
    const names = ['add', 'list', 'check', 'rm', 'import', 'export'].map((name) => `context ${name}`)
    expect(refused(...argv)).toEqual({ message, hint: `Commands: ${names.join(', ')}. See ambit context --help.` })
  })

  it('is helped with by its first', () => {
    const text = help(['collection'], operations, LOOK)
    expect(text.match(/^ {2}collection \w+/gm)).toHaveLength(8)
    expect(text).not.toContain('context add')
  })
})

describe('a command that there is none of', () => {
  it.each([
    [['serach', 'x'], 'serach', '"search"'],
    [['laod'], 'laod', '"load"'],
    [['sever'], 'sever', '"serve"'],
    [['completoin'], 'completoin', '"completion"'],
    [['halp'], 'halp', '"help"'],
    [['colection', 'list'], 'colection', '"collection"'],
    [['collection', 'lst'], 'collection lst', '"collection list"'],
    [['context', 'remove'], 'context remove', undefined],
    [['package', 'verfy', 'x'], 'package verfy', '"package verify"'],
    [['frobnicate'], 'frobnicate', undefined],
    [['x'], 'x', undefined],
    [['ll'], 'll', undefined],
  ])('is answered with the one that may be meant: %j', (argv, word, meant) => {
    const { message, hint } = refused(...argv)
    expect(message).toBe(`There is no command "${word}".`)
    if (meant === undefined) expect(hint).toMatch(/^Commands: .*\. See ambit .*--help\.$/)
    else expect(hint).toBe(`Did you mean ${meant}?`)
  })
})

describe('a word that begins with a dash', () => {
  it.each([
    [['search', '-timeout'], 'ambit search -- -timeout'],
    [['search', '-it works'], `ambit search -- '-it works'`],
    [['search', `-it's`], `ambit search -- '-it'\\''s'`],
    [['search', '--timeout'], 'ambit search -- --timeout'],
    [['search', '--timeout=3'], `ambit search -- '--timeout=3'`],
    [['search', '-n', '5', '-quick'], 'ambit search -- -quick'],
    [['context', 'add', 'docs', '-old-'], 'ambit context add -- -old-'],
  ])('may be no option: %j', (argv, written) => {
    expect(refused(...argv).hint).toBe(
      `If it is no option, put -- before it: ${written}. See ${written.split(' -- ')[0]} --help.`,
    )
  })

  it.each([[['status', '--bogus']], [['search', 'a', '--limit']]])('is an option in %j', (argv) => {
    expect(refused(...argv).hint).toMatch(/^See ambit \w+ --help\.$/)
  })

  it('is an argument after --', () => {
    expect(commandOf(['search', '--', '-timeout'], operations).input).toMatchObject({ query: '-timeout' })
  })
})

describe('a value that no schema takes', () => {
  it.each([
    [['search', 'a', '--min-score', '5'], '--min-score must be at most 1.'],
    [['search', 'a', '--min-score=-1'], '--min-score must be at least 0.'],
    [['search', 'a', '--min-score', 'x'], '--min-score is "x", and must be a number.'],
    [['search', 'a', '-n', '1001'], '--limit must be at most 1000.'],
    [['search', 'a', '--sections', '101'], '--sections must be at most 100.'],
    [['search', 'a', '--after', 'zz'], /^--after is "zz", and must be written like 2026-05-31 or /],
    [['search', 'a', '--after', '2026-13-01'], /^--after is /],
    [['search', 'a', '--after', '2026-05-31Tzz'], /^--after is /],
    [['search', 'a', '--where', 'zz'], '--where is "zz", and must be written like status=draft.'],
    [['search', 'a', '--where', 'a=b', '--where', '=b'], /^--where is "=b"/],
    [['get', 'a', '--lines', 'zz'], /^--lines is "zz", and must be written like 10-20 or /],
    [['get', 'a', '--lines', '0'], /^--lines is "0"/],
    [['get', 'a', '--lines', '1-2-3'], /^--lines is /],
    [['get'], 'PATH is missing.'],
    [['collection', 'add', 'docs', ''], 'ROOT is "", and must be written like ~/notes.'],
  ])('is wrong usage: %j', (argv, message) => {
    const { message: said, hint } = refused(...argv)
    expect(said).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
    expect(hint).toBeTruthy()
  })

  it.each([
    [['--after', '2026-05']],
    [['--after', '2026-05-31']],
    [['--after', '2026-05-31T12:00']],
    [['--after', '2026-05-31T12:00:00.5+02:00']],
    [['--where', 'a==b', '--where', 'b=']],
    [['--min-score', '1']],
  ])('is not one of these: %j', (argv) => {
    expect(commandOf(['search', 'a', ...argv], operations).operation.name).toBe('search')
  })
})
