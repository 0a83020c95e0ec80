import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../src/core/errors.ts'
import { commands } from '../../../src/operations/index.ts'
import { commandWords } from '../../../src/operations/schema.ts'
import { parseCommandLine } from '../../../src/surfaces/cli/arguments.ts'
import { splitGlobals } from '../../../src/surfaces/cli/command.ts'
import { help } from '../../../src/surfaces/cli/help.ts'

const LOOK = { isTerminal: false, plain: true, columns: 100 }

function refused(...argv: string[]) {
  try {
    parseCommandLine(argv, commands)
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
    const { command, input, flags } = parseCommandLine(argv, commands)
    expect([command.name, input]).toEqual(['contexts.add', { path: 'docs', text: 'a text' }])
    expect(flags).toEqual({ json: true, explain: false, db: 'x.db' })
  })

  it('are told from what follows, which may be a server', () => {
    expect(splitGlobals(['--db', 'serve', 'mcp', '--json'])).toEqual({
      globals: ['--db', 'serve'],
      words: ['mcp', '--json'],
    })
    expect(splitGlobals(['--dbx', 'mcp'])).toEqual({ globals: [], words: ['--dbx', 'mcp'] })
    expect(splitGlobals(['--db'])).toEqual({ globals: ['--db'], words: [] })
  })

  it.each([[[]], [['load']], [['context', 'add']], [['context']]])('are in the help for %j', (argv) => {
    const text = help(argv, commands, LOOK)
    for (const option of ['--db PATH', '--json', '--help']) expect(text).toContain(`\n  ${option} `)
  })
})

describe('a command of two words', () => {
  it.each([
    [['context'], '"context" needs a second word.'],
    [['context', '--json'], '"context" needs a second word.'],
    [['context', 'frob'], 'There is no command "context frob".'],
  ])('whose second is wrong, %j, is answered with those there are', (argv, message) => {
    const names = ['add', 'list', 'check', 'remove', 'import', 'export'].map((name) => `context ${name}`)
    expect(refused(...argv)).toEqual({ message, hint: `Commands: ${names.join(', ')}. See ambit context --help.` })
  })

  it.each([
    [['context', 'rm', 'docs'], 'contexts.remove'],
    [['context', 'delete', 'docs'], 'contexts.remove'],
    [['collection', 'ls'], 'collections.list'],
    [['--json', 'token', 'ls'], 'token.list'],
    [['package', 'ls', 'lab/team/results'], 'packages.ls'],
    [['search', 'rm'], 'search'],
  ])('may say rm for remove and ls for list: %j', (argv, name) => {
    expect(parseCommandLine(argv, commands).command.name).toBe(name)
  })

  it('is helped with by its first', () => {
    const text = help(['collection'], commands, LOOK)
    expect(text.match(/^ {2}collection \w+/gm)).toHaveLength(6)
    expect(text).not.toContain('context add')
  })
})

it.each([
  [['serach', 'x'], 'serach', '"search"'],
  [['laod'], 'laod', '"load"'],
  [['sever'], 'sever', '"serve"'],
  [['completoin'], 'completoin', '"completion"'],
  [['halp'], 'halp', '"help"'],
  [['colection', 'list'], 'colection', '"collection"'],
  [['collection', 'lst'], 'collection lst', '"collection list"'],
  [['context', 'forget'], 'context forget', undefined],
  [['package', 'verfy', 'x'], 'package verfy', '"package verify"'],
  [['verify', 'x'], 'verify', '"package verify"'],
  [['resume'], 'resume', '"research resume"'],
  [['rename', 'x'], 'rename', '"collection rename" or "conversation rename"'],
  [['rm', 'x'], 'rm', '"collection remove", "context remove" or "conversation remove"'],
  [['frobnicate'], 'frobnicate', undefined],
  [['x'], 'x', undefined],
  [['ll'], 'll', undefined],
])('a command that there is none of is answered with the one that may be meant: %j', (argv, word, meant) => {
  const { message, hint } = refused(...argv)
  expect(message).toBe(`There is no command "${word}".`)
  if (meant === undefined) expect(hint).toMatch(/^Commands: .*\. See ambit .*--help\.$/)
  else expect(hint).toBe(`Did you mean ${meant}?`)
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
      `If it is not an option, put -- before it: ${written}. See ${written.split(' -- ')[0]} --help.`,
    )
  })

  it.each([[['status', '--bogus']], [['status', '--explain']], [['search', 'a', '--limit']]])(
    'is an option in %j',
    (argv) => {
      expect(refused(...argv).hint).toMatch(/^See ambit \w+ --help\.$/)
      expect(parseCommandLine(['load', '--explain'], commands).flags.explain).toBe(true)
    },
  )

  it.each([
    [['search', 'a', 'b'], 'It takes one QUERY. Quote several words: ambit search "a b"'],
    [['load', 'a', 'b'], 'It takes one PLACE.'],
    [['status', 'a', 'b'], 'It takes no argument.'],
  ])('is needed for another argument in %j', (argv, hint) => {
    expect(refused(...argv)).toEqual({ message: expect.stringMatching(/^"[ab]" is one argument too many\.$/), hint })
  })

  it('is an argument after --', () => {
    expect(parseCommandLine(['search', '--', '-timeout'], commands).input).toMatchObject({ query: '-timeout' })
  })
})

describe('a value that no schema takes', () => {
  it.each([
    [['search', 'a', '--min-score', '5'], '--min-score is "5", and must be from 0 to 1.'],
    [['search', 'a', '--min-score=-1'], '--min-score is "-1", and must be from 0 to 1.'],
    [['search', 'a', '--min-score', '-1'], '--min-score is "-1", and must be from 0 to 1.'],
    [['search', 'a', '--budget', '-5'], '--budget is "-5", and must be 1 or more.'],
    [['search', 'a', '-n', '-5'], '--limit is "-5", and must be from 1 to 1000.'],
    [['search', 'a', '--min-score', 'x'], '--min-score is "x", and must be a number.'],
    [['search', 'a', '-n', '1001'], '--limit is "1001", and must be from 1 to 1000.'],
    [['search', 'a', '--sections', '101'], '--sections is "101", and must be from 1 to 100.'],
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
    expect(parseCommandLine(['search', 'a', ...argv], commands).command.name).toBe('search')
  })
})

describe('one thing', () => {
  const inputOf = (...argv: string[]) => parseCommandLine(argv, commands).input

  it.each([
    ['calls', 5, ['--calls', '5'], ['--budget-calls', '5']],
    ['tokens', 900, ['--tokens', '900'], ['--budget-tokens=900']],
    ['minutes', 1.5, ['--minutes', '1.5'], ['--budget-minutes', '1.5']],
    ['cost', 0.25, ['--cost=0.25'], ['--budget-cost', '0.25']],
  ])('has one flag wherever there is a limit, and its older spelling: %s', (name, value, ...spellings) => {
    for (const words of [['ask', 'a'], ['chat'], ['research', 'a'], ['research', 'start', 'a']]) {
      for (const flags of spellings) expect(inputOf(...words, ...flags)).toMatchObject({ [name]: value })
    }
  })

  it.each([
    [{ files: ['a', 'b'] }, ['--file', 'a', '--files=b']],
    [{ collections: ['a', 'b', 'c'] }, ['-c', 'a', '--collection', 'b', '--collections', 'c']],
    [{ searchCollections: true }, []],
    [{ searchCollections: false }, ['--no-collections']],
    [{ searchCollections: false, collections: ['a'] }, ['--collections', 'a', '--no-collections']],
    [{ follows: 'a' }, ['--follow', 'a']],
    [{ follows: 'a' }, ['--follows', 'a']],
    [{ models: ['local/x', 'router=extractive'] }, ['--model', 'local/x', '--model', 'router=extractive']],
    [{ nodes: 3 }, ['--budget-nodes', '3']],
    [{ from: '2026-05-01', to: '2026-05-31' }, ['--after', '2026-05-01', '--before', '2026-05-31']],
    [{ from: '2026-05-01', to: '2026-05-31' }, ['--from', '2026-05-01', '--to=2026-05-31']],
    [{ allowedDomains: ['a.org'], blockedDomains: ['b.org'] }, ['--allow-domain=a.org', '--block-domain', 'b.org']],
    [{ calls: 2 }, ['--budget-calls', '9', '--calls', '2']],
  ])('is said alike to both commands that begin research: %j', (input, flags) => {
    for (const words of [
      ['research', 'a'],
      ['research', 'start', 'a'],
    ]) {
      expect(inputOf(...words, ...flags)).toMatchObject({ question: 'a', ...input })
    }
  })

  it('is not said in older words by help', () => {
    const texts = commands.map((command) => help(commandWords(command), commands, LOOK)).join('\n')
    expect(texts).toContain('  --calls N')
    expect(texts).not.toMatch(
      /--(budget-(calls|tokens|cost|minutes|nodes)|files FILE|collections |follows|from|models)/,
    )
  })

  it.each([
    [{ resume: '' }, ['--resume']],
    [{ resume: '', calls: 2 }, ['--resume', '--calls', '2']],
    [{ resume: 'abc', place: 'docs' }, ['--resume', 'abc', 'docs']],
    [{ resume: 'abc' }, ['--resume=abc']],
    [{}, []],
  ])('may be said by a flag alone: %j', (input, words) => {
    expect(inputOf('chat', ...words)).toEqual(input)
  })
})

describe('what a service is told', () => {
  it.each([
    [['ask'], 'The question is missing.'],
    [['ask', ' '], 'The question is missing.'],
    [['research', 'a', '--depth', '9'], '--depth is "9", and must be from 1 to 6.'],
    [['research', 'a', '--web', 'altavista'], /^--web is "altavista", and must be one of default, searxng/],
    [['research', 'a', '--bogus'], /^Unknown option '--bogus'/],
    [['research', 'a', '--format', 'xml'], '--format is "xml", and must be json, or be left out.'],
    [['serve', 'here'], '"here" is one argument too many.'],
    [['serve', '--role', 'both'], '--role is "both", and must be one of api, worker, all.'],
    [['chat', '--json'], /^Unknown option '--json'/],
    [['mcp', 'x'], '"x" is one argument too many.'],
    [['hook'], 'The name of the agent is missing.'],
  ])('is wrong usage: %j', (argv, message) => {
    const { message: said, hint } = refused(...argv)
    expect(said).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
    expect(hint).toBeTruthy()
  })

  it('is passed over by a hook that does not know it', () => {
    const { command, input } = parseCommandLine(['hook', 'claude', '--bogus', 'Stop', 'more', '-x'], commands)
    expect([command.name, input]).toEqual(['hook', { agent: 'claude', event: 'Stop', task: false }])
  })
})
