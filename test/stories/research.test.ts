import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ROOT } from '../source-files.ts'
import { languageServer } from '../support/language-server.ts'
import { ambit, ambitInTurn, jsonLines, onTerminal, startAmbit } from '../support/program.ts'
import { tree } from '../support/tree.ts'

const FERRY = '# Ferry\n\nA single ticket costs 4.50 euros.\nIn winter the last boat leaves at 19:40.\n'
const QUESTION = 'How much is a single ticket? When does the last boat leave in winter?'

const at = tree({ 'ferry.md': FERRY, 'broken.docx': 'no zip' })
afterAll(() => at[Symbol.dispose]())

const run = (...args: readonly string[]) => ambit(args, { cwd: at.base })
const inTurn = (...lines: readonly (readonly string[])[]) =>
  ambitInTurn(
    lines.map((words) => ['research', ...words]),
    { cwd: at.base },
  )
const research = (...args: readonly string[]) =>
  run('research', QUESTION, '--file', 'ferry.md', '--out', 'report.md', ...args)

describe('ambit research', () => {
  it('writes a report, and says where it is', () => {
    const { status, stdout, stderr } = research()
    expect([status, stdout]).toEqual([0, 'report.md\n'])
    expect(stderr).toContain('Parsed context file 1/1: ferry.md.\n')
    expect(readFileSync(at.at('report.md'), 'utf8')).toContain(
      '> A single ticket costs 4.50 euros.\n> In winter the last boat leaves at 19:40.\n\n[1] ferry.md:3–4 › Ferry',
    )
  })

  it('draws the tree on a terminal', () => {
    const { status, screen } = onTerminal(['research', QUESTION, '--file', 'ferry.md', '--out', 'report.md'], {
      cwd: at.base,
    })
    expect(status).toBe(0)
    expect(screen).toContain('1.1 How much is a single ticket? (1 item; context)')
    expect(screen).toContain('3 of 3 questions')
  })

  it('lists, shows and exports what it did, and follows it up', () => {
    const told = inTurn(
      ['list'],
      ['show', 'last'],
      ['show', 'last', '--json'],
      ['export', 'last'],
      ['export', 'last', '--format', 'html'],
    )
    const [list = '', shown, json = '', exported, html] = told.map(({ stdout }) => stdout)
    expect(list).toMatch(/^[0-9a-f]{8} +completed +/)
    expect(shown).toContain('1.2 When does the last boat leave in winter? [partial; ')
    const [node] = JSON.parse(json).nodes
    expect(node.slice.selected_items[0]).toMatchObject({ id: 'F1', sources: ['ferry.md::S1'] })
    expect(exported).toContain('# How much is a single ticket')
    expect(html).toMatch(/^<!doctype html>/i)
    const question = 'Does the last boat leave before eight in winter?'
    const [next, stopped] = inTurn([question, '--follow', 'last', '--out', 'next.md'], ['stop', 'last'])
    expect(next?.stderr).toContain('Parsed context file 1/')
    expect([next?.status, stopped?.status]).toEqual([0, 1])
  })
})

describe('a process that dies', () => {
  const goesOn = async (call: number) => {
    const answers = Array.from({ length: call - 1 }, () => ({ text: '{}' }))
    await using server = await languageServer('chat', [...answers, { fault: 'hang' }, { text: '{}' }])
    const env = { AMBIT_MODEL: 'openai-compatible/m', AMBIT_MODEL_URL: `${server.url}/v1` }
    const own = ['--db', `killed-${call}.db`, '--json', '--out', `killed-${call}.md`]
    const begin = (...args: readonly string[]) => startAmbit(['research', ...args, ...own], { cwd: at.base, env })
    const { child, ended } = begin(QUESTION, '--file', 'ferry.md')
    await expect.poll(() => server.asked.length).toBeGreaterThanOrEqual(call)
    child.kill('SIGKILL')
    expect(await ended).toMatchObject({ status: null, signal: 'SIGKILL' })
    const before = ambit(['research', 'show', 'last', '--db', `killed-${call}.db`, '--json'], { cwd: at.base, env })
    const { session_id, seq } = JSON.parse(before.stdout)
    const lines = jsonLines((await begin('resume', session_id).ended).stdout)
    expect(lines[0]).toMatchObject({ type: 'run_resumed', seq: seq + 1 })
    expect(lines.at(-2)).toMatchObject({ type: 'run_completed' })
  }

  it('at a question to the model is gone on with by another, which does nothing again', () => goesOn(2))
  it.each([1, 3])('so it is at its question %i', { tags: 'long' }, goesOn)
})

describe('two processes', () => {
  const hanging = async (count: number, db: string) => {
    const server = await languageServer('chat', [{ fault: 'hang' }])
    const env = { AMBIT_MODEL: 'openai-compatible/m', AMBIT_MODEL_URL: `${server.url}/v1` }
    const words = ['research', QUESTION, '--file', 'ferry.md', '--model', 'digest=extractive', '--db', db, '--json']
    const started = startAmbit(words, { cwd: at.base, env })
    await expect.poll(() => started.said.stdout.split('\n').length).toBeGreaterThan(count)
    return { server, env, ...started }
  }

  it('one stops what the other runs, which writes its report', async () => {
    const { server, env, ended } = await hanging(2, 'stop.db')
    await using _ = server
    const stopped = ambit(['research', 'stop', 'last', '--db', 'stop.db', '--json'], { cwd: at.base, env })
    expect(JSON.parse(stopped.stdout)).toMatchObject({ status: 'stopped', report: { grade: 'none', is_partial: true } })
    expect((await ended).stdout).toContain('"type":"run_aborted"')
  })

  it('one does not go on with what the other runs; Ctrl-C pauses it', async () => {
    const { server, env, child, ended } = await hanging(2, 'pause.db')
    await using _ = server
    const resumed = ambit(['research', 'resume', 'last', '--db', 'pause.db', '--json'], { cwd: at.base, env })
    expect([resumed.status, JSON.parse(resumed.stderr).error.code]).toEqual([1, 'conflict'])
    child.kill('SIGINT')
    const { status, signal, stdout } = await ended
    expect([status, signal]).toEqual([130, null])
    expect(jsonLines(stdout).at(-1)).toMatchObject({ type: 'run_paused' })
  })
})

it('a report on disk holds nothing that is not seen', () => {
  using files = tree({ 'a.md': '# Op\u2066ening \u202ehours\n\nThe shop opens\u{e0041}\u{e0042} at nine.\n' })
  const words = [
    'research',
    'When does the shop open?',
    ...'--file a.md --extractive --out r.md --db :memory:'.split(' '),
  ]
  expect(ambit(words, { cwd: files.base }).status).toBe(0)
  const report = readFileSync(files.at('r.md'), 'utf8')
  expect(report).toContain('The shop opens')
  expect(report).not.toMatch(/[\u2066\u202e]|\u{e0041}/u)
})

it('the report of the example is the one that its command makes', () => {
  const example = join(ROOT, 'examples/research')
  const [, command = ''] = /^\$ ambit (.*?) 2>/m.exec(readFileSync(join(example, 'README.md'), 'utf8')) ?? []
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
  using files = tree({})
  cpSync(example, files.base, { recursive: true })
  rmSync(files.at('report.md'))
  expect(ambit(words, { cwd: files.base }).status).toBe(0)
  expect(readFileSync(files.at('report.md'), 'utf8')).toBe(readFileSync(join(example, 'report.md'), 'utf8'))
})
