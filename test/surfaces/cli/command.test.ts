import { describe, expect, it } from 'vitest'
import packageFile from '../../../package.json' with { type: 'json' }
import { ContextError, UsageError } from '../../../src/core/errors.ts'
import { commands } from '../../../src/operations/index.ts'
import { commandWords } from '../../../src/operations/schema.ts'
import { parseCommandLine } from '../../../src/surfaces/cli/arguments.ts'
import { runCli } from '../../../src/surfaces/cli/cli.ts'
import { splitGlobals } from '../../../src/surfaces/cli/command.ts'
import { help } from '../../../src/surfaces/cli/help.ts'
import type { Streams } from '../../../src/surfaces/cli/streams.ts'
import { operation } from '../http/support.ts'

const LOOK = { isTerminal: false, plain: true, columns: 100 }

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

describe('a word that begins with a dash', () => {
  it('is an argument after --', () => {
    expect(parseCommandLine(['search', '--', '-timeout'], commands).input).toMatchObject({ query: '-timeout' })
  })
})

describe('a value that no schema takes', () => {
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
  it('is passed over by a hook that does not know it', () => {
    const { command, input } = parseCommandLine(['hook', 'claude', '--bogus', 'Stop', 'more', '-x'], commands)
    expect([command.name, input]).toEqual(['hook', { agent: 'claude', event: 'Stop', task: false }])
  })
})

/** Streams that collect what is written. */
function captureStreams() {
  const told: string[] = []
  const stream = { write: (text: string) => told.push(text) }
  return { told, streams: { out: stream, err: stream, canAsk: false } as unknown as Streams }
}

it.each(['--version', '-V', '-v'])('%s prints the version', async (flag) => {
  const { told, streams } = captureStreams()
  const parts = { commands, runners: {}, debug: false, plain: true, streams }
  const open = async () => ({ close: async () => {} }) as never
  expect([await runCli({ ...parts, open, argv: [flag] }), ...told]).toEqual([0, `${packageFile.version}\n`])
})

const BUG = 'This is a bug in Ambit. Run it again with AMBIT_DEBUG=1 and report what it prints.'

it.each<[string, unknown, number, string]>([
  [
    'Ctrl-C',
    new ContextError('cancelled', 'Ended.'),
    130,
    'Ended.\nWhat was done is kept. Continue with: ambit thing write',
  ],
  ['Ctrl-C and a hint', new ContextError('cancelled', 'Ended.', { hint: 'So.' }), 130, 'Ended.\nSo.'],
  ['a failure without a hint', new ContextError('conflict', 'No.'), 1, 'No.'],
  ['wrong usage', new UsageError('No.', 'So.'), 2, 'No.\nSo.'],
  ['a bug', new TypeError('x is no function'), 1, `x is no function\n${BUG}`],
  ['what is no error', 'x', 1, `x\n${BUG}`],
  [
    'a directory that is gone',
    Object.assign(new Error('ENOENT: uv_cwd'), { syscall: 'uv_cwd' }),
    1,
    'The current directory is gone, or its path is too long.\nChange to another directory.',
  ],
])('a command that ends by %s says so', async (_, thrown, code, said) => {
  const { told, streams } = captureStreams()
  const failing = operation('things.write', () => Promise.reject(thrown), 'write')
  const parts = { commands: [failing], runners: {}, debug: false, plain: true, streams }
  const open = async () => ({ close: async () => {} }) as never
  expect(await runCli({ ...parts, open, argv: ['thing', 'write'] })).toBe(code)
  expect(told.join('')).toBe(`ambit: ${said}\n`)
})
