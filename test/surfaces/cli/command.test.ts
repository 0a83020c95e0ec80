import { describe, expect, it } from 'vitest'
import packageFile from '../../../package.json' with { type: 'json' }
import { ContextError, UsageError } from '../../../src/core/errors.ts'
import { commands } from '../../../src/operations/index.ts'
import { commandWords } from '../../../src/operations/schema.ts'
import { runCli } from '../../../src/surfaces/cli/cli.ts'
import { help } from '../../../src/surfaces/cli/help.ts'
import type { Streams } from '../../../src/surfaces/cli/streams.ts'
import { operation } from '../http/support.ts'

const LOOK = { isTerminal: false, plain: true, columns: 100 }

describe('the options of every command', () => {
  it.each([[[]], [['load']], [['context', 'add']], [['context']]])('are in the help for %j', (argv) => {
    const text = help(argv, commands, LOOK)
    for (const option of ['--db PATH', '--json', '--help']) expect(text).toContain(`\n  ${option} `)
  })
})

describe('a command of two words', () => {
  it('is helped with by its first', () => {
    const text = help(['collection'], commands, LOOK)
    expect(text.match(/^ {2}collection \w+/gm)).toHaveLength(6)
    expect(text).not.toContain('context add')
  })
})

describe('one thing', () => {
  it('is not said in older words by help', () => {
    const texts = commands.map((command) => help(commandWords(command), commands, LOOK)).join('\n')
    expect(texts).toContain('  --calls N')
    expect(texts).not.toMatch(
      /--(budget-(calls|tokens|cost|minutes|nodes)|files FILE|collections |follows|from|models)/,
    )
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

it('Ctrl-C cancels a command that writes; one that only reads has no handler, so that it dies at once', async () => {
  const { streams } = captureStreams()
  const open = async () => ({ close: async () => {} }) as never
  const isCancelled: (boolean | undefined)[] = []
  for (const effect of ['write', 'read'] as const) {
    const waiting = operation(
      'things.write',
      (_, { signal }) => {
        if (signal) process.emit('SIGINT')
        isCancelled.push(signal?.aborted)
        return {}
      },
      effect,
    )
    const parts = { commands: [waiting], runners: {}, debug: false, plain: true, streams }
    await runCli({ ...parts, open, argv: ['thing', 'write'] })
  }
  expect(isCancelled).toEqual([true, undefined])
})
