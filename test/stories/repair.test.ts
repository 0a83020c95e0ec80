import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { ambit, ambitInTurn, onTerminal } from '../support/program.ts'
import { tree } from '../support/tree.ts'

const at = tree({ 'docs/ferry.md': `# Ferry\n\nThe ferry carries lions. ${'It waits. '.repeat(2000)}\n` })
afterAll(() => at[Symbol.dispose]())
const inTurn = (...lines: readonly (readonly string[])[]) =>
  ambitInTurn(
    lines.map((args) => [...args, '--db', at.at('ambit.db')]),
    { cwd: at.base },
  )
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
    inTurn(['collection', 'add', 'docs', 'docs'], ['index'], ['context', 'add', 'docs', 'What boats do'])
    const before = readFileSync(at.at('ambit.db'))
    const { status, stdout } = run('doctor', '--repair')
    expect([status, stdout]).toEqual([0, expect.stringContaining('ok\tdatabase\t')])
    expect(stdout).not.toContain('The old database')
    expect(readFileSync(at.at('ambit.db')).equals(before)).toBe(true)
  })

  it('makes one anew that is damaged, where doctor alone only says so', () => {
    damage(at.at('ambit.db'))
    const [told, repaired, after] = inTurn(['doctor'], ['doctor', '--repair'], ['doctor'])
    const failed = expect.stringMatching(/^failed\tdatabase\t.*ambit index --rebuild/m)
    expect(told).toMatchObject({ status: 1, stdout: failed })
    expect(repaired?.stdout).toMatch(/^The old database is now .*ambit\.db\.[\s\S]*ok\tdatabase\t/)
    expect(after?.stdout).toContain('ok\tdatabase\t')
    const [, old = ''] = /is now (.*)/.exec(repaired?.stdout ?? '') ?? []
    expect(readFileSync(old).length).toBeGreaterThan(0)
  })

  it('may stand before other options and behind them, and has its help', () => {
    const [before, behind, ...helps] = inTurn(
      ['doctor', '--repair', '--json'],
      ['doctor', '--json', '--repair'],
      ['doctor', '--repair', '--help'],
      ['help', 'doctor', '--repair'],
    )
    for (const told of [before, behind])
      expect([told?.status, JSON.parse(told?.stdout ?? '').checks.length > 5]).toEqual([0, true])
    for (const { stdout } of helps) expect(stdout).toContain('ambit doctor --repair [OPTIONS]')
  })
})

describe('ambit index --rebuild', () => {
  it('does not make a healthy database anew, unless it is told to', () => {
    using own = tree({ 'docs/ferry.md': '# Ferry\n' })
    const lines = [['rebuild'], ['collection', 'add', 'docs', 'docs'], ['rebuild'], ['rebuild', '--yes']]
    const [none, , healthy, told] = ambitInTurn(lines, { cwd: own.base, env: { AMBIT_DB: own.at('a.db') } })
    expect(none).toMatchObject({ status: 1, stderr: expect.stringContaining('There is no database') })
    const stderr = expect.stringMatching(/Nothing is wrong .*\n.*ambit index --rebuild --yes/)
    expect(healthy).toEqual({ status: 1, stdout: '', stderr })
    expect(told).toMatchObject({ status: 0, stdout: expect.stringContaining('Kept: 1 collection') })
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
    ambitInTurn([['collection', 'add', 'docs', 'docs'], ['index']], { cwd: own.base, env })
    damage(own.at('a.db'))
    expect(ambit(['rebuild'], { cwd: own.base, env }).stdout).toContain('The old database is now')
  })
})
