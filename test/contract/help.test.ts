import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commands } from '../../src/operations/index.ts'
import { commandWords } from '../../src/operations/schema.ts'
import { parseCommandLine } from '../../src/surfaces/cli/arguments.ts'
import { splitGlobals } from '../../src/surfaces/cli/command.ts'
import { FAMILY_SUMMARIES, help } from '../../src/surfaces/cli/help.ts'
import { ROOT } from '../source-files.ts'
import { perform, record } from './recorded.ts'

const LOOK = { isTerminal: false, plain: true, columns: 100 }
const families = Object.keys(FAMILY_SUMMARIES)

it('the help of the program, and of the words that begin several commands, is this', async () => {
  const texts = [[], ...families.map((word) => [word]), ['completion']].map((words) =>
    [`$ ambit ${[...words, '--help'].join(' ')}`, help(words, commands, LOOK)].join('\n'),
  )
  await expect(texts.join('\n')).toMatchFileSnapshot('snapshots/help.txt')
})

it('the help of every command is in docs/reference/commands.md', () => {
  const reference = readFileSync(join(ROOT, 'docs/reference/commands.md'), 'utf8')
  expect(commands.length).toBeGreaterThan(50)
  for (const command of commands) {
    const words = commandWords(command)
    expect(reference).toContain(`## ambit ${words.join(' ')}\n\n\`\`\`text\n${help(words, commands, LOOK).trimEnd()}\n`)
  }
})

it('the help of the program names every command once: by itself, or in the row of its family', () => {
  const program = help([], commands, { ...LOOK, columns: 1000 })
  const rows = [...program.slice(program.indexOf('\nContext\n')).matchAll(/^ {2}([a-z][\w-]*)( …)? +(?:.*\((.*)\))?/gm)]
  const named = rows.flatMap(([, word = '', family, seconds = '']) =>
    family === undefined ? [word] : seconds.split(', ').map((second) => `${word} ${second}`),
  )
  const expected = commands.map((command) => commandWords(command).join(' ')).filter((name) => !name.includes('--'))
  expect(named.toSorted()).toEqual([...expected.filter((name) => name !== 'research'), 'completion'].toSorted())
})

it('command lines are read so: one thing has one flag, older spellings mean the same, and options stand anywhere', async () => {
  const parsed = (...argv: string[]) => {
    const { command, ...rest } = parseCommandLine(argv, commands)
    return { command: command.name, ...rest }
  }
  const words = { parsed, split: (...argv: string[]) => splitGlobals(argv) }
  await record(await perform('command-lines', { words }), 'command-lines')
})
