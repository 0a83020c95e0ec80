import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commands } from '../../src/operations/index.ts'
import { help } from '../../src/surfaces/cli/help.ts'
import { ROOT } from '../source-files.ts'

const LOOK = { isTerminal: false, plain: true, columns: 100 }
const program = help([], commands, LOOK)
/** Commands by their words, as the help of the program lists them. */
const names = [...program.matchAll(/^ {2}([a-z][\w -]*?) {2,}/gm)].map(([, name = '']) => name)

it('the help of the program, and of the words that begin several commands, is this', async () => {
  const groups = new Set(names.flatMap((name) => (/ (?!--)/.test(name) ? [name.split(' ')[0] ?? ''] : [])))
  const texts = [[], ...[...groups].map((word) => [word]), ['completion']].map((words) =>
    [`$ ambit ${[...words, '--help'].join(' ')}`, help(words, commands, LOOK)].join('\n'),
  )
  await expect(texts.join('\n')).toMatchFileSnapshot('snapshots/help.txt')
})

it('the help of every command that the program lists is in docs/reference/commands.md', () => {
  const reference = readFileSync(join(ROOT, 'docs/reference/commands.md'), 'utf8')
  const listed = names.filter((name) => name !== 'completion')
  expect(listed.length).toBeGreaterThan(50)
  for (const name of listed) {
    expect(reference).toContain(`## ambit ${name}\n\n\`\`\`text\n${help(name.split(' '), commands, LOOK).trimEnd()}\n`)
  }
})
