import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { ambit, onTerminal } from '../support/program.ts'
import { tree } from '../support/tree.ts'

/** The demo, with a folder of its own for temporary files. */
function runDemo(args: readonly string[], isTerminal = false) {
  const at = tree({ 'tmp/': '' })
  const temporary = join(at.base, 'tmp')
  mkdirSync(temporary, { recursive: true })
  // What the reader has set is not for the demo.
  const env = { TMPDIR: temporary, AMBIT_DB: join(at.base, 'mine.db'), AMBIT_MODEL: 'anthropic/none' }
  const running = { cwd: at.base, env }
  const shown = isTerminal ? onTerminal(['demo', ...args], running) : ambit(['demo', ...args], running)
  const { status } = shown
  const stdout = 'screen' in shown ? shown.screen : shown.stdout
  return { status, stdout, at, temporary, [Symbol.dispose]: () => at[Symbol.dispose]() }
}

const ANSWERS: readonly (readonly [about: string, line: RegExp])[] = [
  ['Codex does not load the rule', /^codex {2}missing \d\n {2}packages\/api\/AGENTS\.md: Codex loads nothing/m],
  ['nor does Claude', /^claude {2}missing \d\n {2}packages\/api\/AGENTS\.md: /m],
  ['but Gemini does', /^gemini {2}complete$/m],
  ['the hook brings the rule', /^- Money is an integer of cents, never a float\.$/m],
  ['the task shows the function', /^export async function refundOrder\(/m],
  ['the search finds the document', /^ {2}docs\/on-call\.md:\d+ /m],
  ['the answer is quoted', /^> A customer may return an order within 30 days after delivery\./m],
  ['and has its citation', /^\[\d\] ambit:\/\/docs\/returns\.md:5/m],
]

it('shows each step with its command, in less than 40 lines of 80 columns, and leaves nothing', () => {
  using shown = runDemo([])
  const lines = shown.stdout.split('\n').slice(0, -1)
  expect(shown.status).toBe(0)
  expect(lines.length).toBeLessThan(40)
  expect(lines.filter((line) => line.length > 80)).toEqual([])
  expect(lines.filter((line) => line.startsWith('$ ambit '))).toHaveLength(5)
  for (const [, line] of ANSWERS) expect(shown.stdout).toMatch(line)
  expect(shown.stdout).not.toContain('\u001b')
  expect(readdirSync(shown.temporary)).toEqual([])
  expect(existsSync(join(shown.at.base, 'mine.db'))).toBe(false)
})

it('has colour on a terminal, and the same text', () => {
  using shown = runDemo([], true)
  using plain = runDemo([])
  expect(shown.stdout).toContain('\u001b[')
  expect(stripVTControlCharacters(shown.stdout)).toBe(plain.stdout)
  expect(readdirSync(shown.temporary)).toEqual([])
})

it('keeps the folder with --keep, where the commands go on, and says how to remove it', () => {
  using shown = runDemo(['--keep'])
  const [, shop = '', db = ''] = /cd (\S+) && export AMBIT_DB=(\S+)/.exec(shown.stdout) ?? []
  const { stdout } = ambit(['search', 'payments fail'], { cwd: shop, env: { AMBIT_DB: db } })
  expect(stdout).toContain('docs/on-call.md')
  const [, folder = ''] = /^Remove it later: rm -r (\S+)$/m.exec(shown.stdout) ?? []
  rmSync(folder, { recursive: true })
  expect(readdirSync(shown.temporary)).toEqual([])
})

it('says what to do where no temporary files can be written', () => {
  using at = tree({ file: '' })
  const { status, stderr } = ambit(['demo'], { cwd: at.base, env: { TMPDIR: at.at('file') } })
  expect([status, stderr]).toEqual([
    1,
    `ambit: No temporary directory can be made in ${at.at('file')}.\nSet TMPDIR to a directory that exists and can be written.\n`,
  ])
})
