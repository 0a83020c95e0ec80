import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { ambit, onTerminal } from '../support/program.ts'
import { tree } from '../support/tree.ts'

const at = tree({ 'docs/ferry.md': `# Ferry\n\nThe ferry carries lions. ${'It waits. '.repeat(2000)}\n` })
afterAll(() => at[Symbol.dispose]())
const run = (...args: readonly string[]) => ambit([...args, '--db', at.at('ambit.db')], { cwd: at.base })

/** Other bytes from the second page to the last. */
function damage(path: string): void {
  const file = openSync(path, 'r+')
  const size = statSync(path).size
  for (let place = size - 80_000; place < size; place += 1000) writeSync(file, Buffer.alloc(500, 0xab), 0, 500, place)
  closeSync(file)
}

describe('ambit doctor --repair', () => {
  it('leaves a database that is whole as it is', () => {
    run('collection', 'add', 'docs', 'docs')
    run('index')
    run('context', 'add', 'docs', 'What boats do')
    const before = readFileSync(at.at('ambit.db'))
    const { status, stdout } = run('doctor', '--repair')
    expect([status, stdout]).toEqual([0, expect.stringContaining('ok\tdatabase\t')])
    expect(stdout).not.toContain('The old database')
    expect(readFileSync(at.at('ambit.db')).equals(before)).toBe(true)
  })

  it('makes one anew that is damaged, where doctor alone only says so', () => {
    damage(at.at('ambit.db'))
    const told = run('doctor')
    expect([told.status, told.stdout]).toEqual([
      1,
      expect.stringMatching(/^failed\tdatabase\t.*ambit index --rebuild/m),
    ])
    const { stdout } = run('doctor', '--repair')
    expect(stdout).toMatch(/^The old database is now .*ambit\.db\./)
    expect(stdout).toContain('ok\tdatabase\t')
    expect(run('doctor').stdout).toContain('ok\tdatabase\t')
    expect(readFileSync(stdout.split('\n')[0]?.split(' is now ')[1] ?? '').length).toBeGreaterThan(0)
  })

  it.each([
    ['before other options', ['doctor', '--repair', '--json']],
    ['behind them', ['doctor', '--json', '--repair']],
  ])('may stand %s', (_, args) => {
    const { status, stdout } = run(...args)
    expect([status, JSON.parse(stdout).checks.length > 5]).toEqual([0, true])
  })

  it.each([
    ['doctor', '--repair', '--help'],
    ['help', 'doctor', '--repair'],
  ])('has its help: %s %s', (...args) => {
    expect(run(...args).stdout).toContain('ambit doctor --repair [OPTIONS]')
  })
})

describe('ambit index --rebuild', () => {
  it('does not make a healthy database anew, unless it is told to', () => {
    using own = tree({ 'docs/ferry.md': '# Ferry\n' })
    const rebuild = (...args: string[]) =>
      ambit(['rebuild', ...args], { cwd: own.base, env: { AMBIT_DB: own.at('a.db') } })
    expect(rebuild()).toMatchObject({ status: 1, stderr: expect.stringContaining('There is no database') })
    ambit(['collection', 'add', 'docs', 'docs'], { cwd: own.base, env: { AMBIT_DB: own.at('a.db') } })
    const { status, stdout, stderr } = rebuild()
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/Nothing is wrong .*\n.*ambit index --rebuild --yes/),
    ])
    expect(rebuild('--yes')).toMatchObject({ status: 0, stdout: expect.stringContaining('Kept: 1 collection') })
  })

  it.each([
    ['y', 'Kept: 1 collection'],
    ['n', 'ambit index --rebuild --yes'],
  ])('asks a person: %s', (answer, said) => {
    using own = tree({ 'docs/ferry.md': '# Ferry\n' })
    ambit(['collection', 'add', 'docs', 'docs'], { cwd: own.base })
    const { screen } = onTerminal(['rebuild'], { cwd: own.base, input: `${answer}\n` })
    expect(screen).toContain('Rebuild it anyway')
    expect(screen).toContain(said)
  })

  it('makes a damaged one anew without a question', () => {
    using own = tree({ 'docs/ferry.md': `# Ferry\n\n${'It waits. '.repeat(5000)}\n` })
    const env = { AMBIT_DB: own.at('a.db') }
    ambit(['collection', 'add', 'docs', 'docs'], { cwd: own.base, env })
    ambit(['index'], { cwd: own.base, env })
    damage(own.at('a.db'))
    expect(ambit(['rebuild'], { cwd: own.base, env }).stdout).toContain('The old database is now')
  })
})
