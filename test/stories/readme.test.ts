import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ambit } from '../support/program.ts'
import { tree } from '../support/tree.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const README = readFileSync(`${ROOT}README.md`, 'utf8')
const [WITH_AN_AGENT = '', SEARCH = ''] = [...README.matchAll(/```sh\n([\s\S]*?)```/g)]
  .slice(2)
  .map(([, block]) => block)
const COMMANDS = [...WITH_AN_AGENT.matchAll(/^ambit (.*?) +#/gm)].map(([, command = '']) => command)

/** The words of a command line, without quotes. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
}

it('the README shows a command of each kind', () => {
  expect(COMMANDS.map((command) => command.split(' ')[0])).toEqual(['diff', 'explain', 'init', 'task', 'check'])
})

/** This repository, and where a command writes a project of its own. */
function placeFor(command: string) {
  return command.includes(' --write') ? tree({ '.git/': '' }) : { base: ROOT, [Symbol.dispose]: () => {} }
}

it.each(COMMANDS)('the README’s command works as it stands there: ambit %s', (command) => {
  using place = placeFor(command)
  const { status, stdout, stderr } = ambit(wordsOf(command), { cwd: place.base, env: { HOME: '/nonexistent' } })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).not.toBe('')
})

it('the README’s way from a tree to an answer works, line by line', () => {
  const lines = SEARCH.split(/\n| && /).map((line) => line.replace(/ +#.*/, ''))
  const commands = lines.filter((line) => line.startsWith('ambit ') && !line.includes(' research '))
  expect(commands.length).toBeGreaterThanOrEqual(5)
  using files = tree({})
  const env = { HOME: files.base, AMBIT_DB: files.at('ambit.db') }
  const outputs = commands.map((command) => {
    const { status, stdout, stderr } = ambit(wordsOf(command).slice(1), { cwd: ROOT, env })
    expect([command, status], stderr).toEqual([command, 0])
    return stdout
  })
  expect(outputs.at(-2)).toContain('docs/')
  expect(outputs.at(-1)).toMatch(/^\[\d+\] ambit:\/\/docs\//m)
})

it('the README’s lines of TypeScript do what is said beside them', () => {
  const [, lines = ''] = /```ts\n([\s\S]*?)```/.exec(README) ?? []
  using files = tree({
    '.git/': '',
    'AGENTS.md': 'Be kind.',
    'packages/api/AGENTS.md': 'Be quick.',
    'packages/api/server.ts': '',
    '.context/TASKS.md': '- [ ] answer',
    'node_modules/ambit': { make: (path) => symlinkSync(ROOT, path) },
  })
  const told = 'console.log(JSON.stringify({ summary, prompt: prompt.text, delta }))'
  const argv = ['--input-type=module-typescript', '--eval', `${lines}\n${told}`]
  const { stdout, stderr } = spawnSync(process.execPath, argv, { cwd: files.base, encoding: 'utf8' })
  expect(stderr).toBe('')
  const { summary, prompt, delta } = JSON.parse(stdout)
  expect(summary).toContain('answer')
  expect(prompt).toContain('Be kind.')
  expect(JSON.stringify(delta)).toContain('Be quick.')
  expect(JSON.stringify(delta)).not.toContain('Be kind.')
})

it('the README’s research makes its report', () => {
  const [, question = '', file = ''] = /^ambit research "([^"]+)" --file (\S+) --out report\.md$/m.exec(README) ?? []
  using files = tree({})
  const { status, stdout } = ambit(['research', question, '--file', join(ROOT, file), '--out', 'report.md'], {
    cwd: files.base,
  })
  expect([status, stdout]).toEqual([0, 'report.md\n'])
  expect(readFileSync(files.at('report.md'), 'utf8')).toMatch(/“.+” \[cli\.md::S\d+\]/)
})

it.each(globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: ROOT }))(
  'no link in %s leads nowhere',
  (document) => {
    const text = readFileSync(join(ROOT, document), 'utf8').replace(/^```[\s\S]*?^```/gm, '')
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    const local = links
      .filter((target) => !/^(https?:|mailto:|#)/.test(target))
      .map((target) => target.split('#')[0] ?? '')
    expect(local.filter((target) => !existsSync(join(ROOT, dirname(document), target)))).toEqual([])
  },
)
