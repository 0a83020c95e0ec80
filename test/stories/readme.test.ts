import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { AGENTS, type AgentFile } from '../../src/context/init/agents.ts'
import { AGENT_NAMES } from '../../src/core/choices.ts'
import { readAssetTexts } from '../../src/files/home.ts'
import { ambit, ambitInTurn } from '../support/program.ts'
import { tree } from '../support/tree.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const README = readFileSync(`${ROOT}README.md`, 'utf8')
/** The commands below a heading, without what they are for. */
function commandsUnder(heading: string): string[] {
  const [, block = ''] = new RegExp(`^## ${heading}$[^]*?\`\`\`sh\n(ambit [^]*?)\`\`\``, 'm').exec(README) ?? []
  return block
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +#.*/, ''))
}

/** The project of the README’s examples. */
function shop() {
  return tree({ '.git/': '', ...Object.fromEntries(readAssetTexts('shop.txt')) })
}

/** The words of a command line, without quotes and the name of the program. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, a, b]) => a ?? b ?? '').slice(1)
}

it.each(commandsUnder('Install'))('the README’s command works as it stands there: %s', (command) => {
  using files = shop()
  const { status, stdout, stderr } = ambit(wordsOf(command), { cwd: files.base })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).not.toBe('')
})

it('the README’s way to remove the hook leaves the settings as they were', () => {
  const [, remove = ''] = /`(ambit init [^`]*--remove[^`]*)`/.exec(README) ?? []
  const settings = '{ "model": "opus" }\n'
  using files = tree({ '.git/': '', '.claude/settings.json': settings })
  const read = () => JSON.parse(readFileSync(files.at('.claude/settings.json'), 'utf8'))
  ambit(['init', '--agent', 'claude', '--write'], { cwd: files.base })
  expect(read()).toHaveProperty('hooks')
  expect(ambit(wordsOf(remove), { cwd: files.base }).status).toBe(0)
  expect(read()).toEqual({ model: 'opus' })
})

/** The files that a row of a table names for an agent, and the keys of settings beside them. */
function filesInRow(document: string, agent: string): readonly string[] {
  const [row = ''] = new RegExp(`^\\| \`${agent}\` \\| .*$`, 'm').exec(readFileSync(ROOT + document, 'utf8')) ?? []
  return [...row.matchAll(/`([^`]+)`/g)].slice(1).map(([, name = '']) => name)
}

it.each([
  ['README.md', ['claude', 'codex', 'gemini']],
  ['docs/guides/agents.md', AGENT_NAMES],
] as const)('%s names for each agent the files that init writes in a project', (document, agents) => {
  for (const agent of agents) {
    const files: readonly AgentFile[] = AGENTS[agent].project
    const named = filesInRow(document, agent)
    // The programs of Cline are in one folder, which stands with the first.
    const isNamed = ({ name }: AgentFile) => named.includes(name) || named.includes(basename(name))
    expect([agent, files.filter((file) => !isNamed(file))]).toEqual([agent, []])
    const keys = files.flatMap((file) => ('edits' in file ? file.edits.map(({ at }) => at.join('.')) : []))
    expect([agent, named.includes('context.fileName')]).toEqual([agent, keys.includes('context.fileName')])
  }
})

it('the README names each folder that Ambit leaves in the home', () => {
  const [, ...named] = /folders `ambit` in `~\/([^`]+)`,? `~\/([^`]+)` and `~\/([^`]+)`/.exec(README) ?? []
  using files = shop()
  // A cache of its own: that of the tests is elsewhere.
  const env = { XDG_CACHE_HOME: files.at('.cache') }
  const input = JSON.stringify({ session_id: 's', hook_event_name: 'SessionStart', cwd: files.base })
  for (const args of [['hook', 'codex'], ['collection', 'add', 'docs', 'docs'], ['index'], ['task', 'refunds']])
    expect(ambit(args, { cwd: files.base, env, input }).status).toBe(0)
  const left = globSync('{.cache,.config,.local/*}/*', { cwd: files.base })
  expect(left.sort()).toEqual(named.map((folder) => `${folder}/ambit`).sort())
})

const SHOWN: Readonly<Record<string, RegExp>> = {
  task: /refundOrder/,
  explain: /packages\/api\/AGENTS\.md/,
  check: /./,
  search: /docs\/on-call\.md/,
  ask: /^\[\d+\] ambit:\/\/docs\/returns\.md/m,
  research: /^report\.md$/m,
}

it('the README’s commands show what is said beside them, one after the other', () => {
  using files = shop()
  const commands = commandsUnder('More in the same program').flatMap((line) => line.split(' && '))
  const answers = ambitInTurn(commands.map(wordsOf), { cwd: files.base })
  for (const [at, command] of commands.entries()) {
    const { status, stdout = '', stderr } = answers[at] ?? {}
    expect([command, status], stderr).toEqual([command, 0])
    const [name = ''] = wordsOf(command)
    if (SHOWN[name]) expect(stdout).toMatch(SHOWN[name])
  }
  expect(commands.map((command) => wordsOf(command)[0])).toEqual(expect.arrayContaining(Object.keys(SHOWN)))
  const report = readFileSync(files.at('report.md'), 'utf8')
  expect(report).toMatch(/^\[1\] returns\.md:\d+/m)
  // The file is in a collection, too: its passage stands once.
  expect(report.match(/within 30 days/g)).toHaveLength(1)
})

it('the README’s lines of TypeScript do what is said beside them', () => {
  const [, lines = ''] = /```ts\n(import [^\n]*'ambit'[\s\S]*?)```/.exec(README) ?? []
  using files = tree({
    '.git/': '',
    'AGENTS.md': 'Be kind.',
    'packages/api/AGENTS.md': 'Be quick.',
    'packages/api/server.ts': '',
    'node_modules/ambit': { make: (path) => symlinkSync(ROOT, path) },
  })
  const told = 'console.log(JSON.stringify({ prompt: prompt.text, delta }))'
  const argv = ['--input-type=module-typescript', '--eval', `${lines}\n${told}`]
  const { stdout, stderr } = spawnSync(process.execPath, argv, { cwd: files.base, encoding: 'utf8' })
  expect(stderr).toBe('')
  const { prompt, delta } = JSON.parse(stdout)
  expect(prompt).toContain('Be kind.')
  expect(JSON.stringify(delta)).toContain('Be quick.')
  expect(JSON.stringify(delta)).not.toContain('Be kind.')
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
