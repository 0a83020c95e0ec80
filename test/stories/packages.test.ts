/**
 * A person's way through packages, on the built program.
 *
 * @module-tag long
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageOf, registryV1 } from '../quilt/packages/fixtures.ts'
import { ambit, onTerminal } from '../support/program.ts'
import { tree } from '../support/tree.ts'

const first = packageOf({ 'README.md': { text: '# One\n' }, 'plots/a.png': { text: 'a\0b' } }, { message: 'first' })
const second = packageOf(
  { 'README.md': { text: '# Two\n', key: 'data2/README.md' } },
  { message: 'second \u001b[31mred', user_meta: { by: 'Ernest' } },
)
const HELD = registryV1({ 'team/data': { 1680720300: first, 1680720661: second } })

/** A directory with packages, as a collection called `lab`. */
function lab() {
  const at = tree({})
  for (const [key, value] of Object.entries(HELD)) {
    mkdirSync(dirname(at.at('lab', key)), { recursive: true })
    writeFileSync(at.at('lab', key), String(value).replaceAll('s3://bucket/', ''))
  }
  expect(ambit(['collection', 'add', 'lab', 'lab'], { cwd: at.base }).status).toBe(0)
  return at
}

describe('packages in a directory', () => {
  it('are listed, shown, compared, read and checked', () => {
    using at = lab()
    const run = (...args: string[]) => ambit(['package', ...args], { cwd: at.base })
    expect(run('list')).toEqual({ status: 0, stdout: 'lab/team/data\n', stderr: '' })
    expect(run('show', 'lab/team/data').stdout).toMatch(/^package +team\/data\nbucket +lab\nhash +[0-9a-f]{64}\n/)
    const shown = JSON.parse(run('show', 'lab/team/data', '--json').stdout)
    expect(Object.keys(shown)).toEqual(
      'bucket name hash computedHash modified message userMeta workflow totalEntries totalBytes'.split(' '),
    )
    expect(shown).toMatchObject({ hash: second.hash, message: 'second \u001b[31mred', userMeta: { by: 'Ernest' } })
    expect(run('log', 'lab/team/data').stdout.split('\n')).toEqual([
      expect.stringMatching(/^\* {2}[0-9a-f]{12} {2}2023-04-05T18:51:01Z {2}second \\u\{1b\}\[31mred$/),
      expect.stringMatching(/^ {3}[0-9a-f]{12} {2}2023-04-05T18:45:00Z {2}first$/),
      '',
    ])
    const old = `lab/team/data@${first.hash.slice(0, 8)}`
    expect(run('diff', old, 'lab/team/data').stdout).toContain('0 added, 1 removed, 1 changed, 0 unchanged\n')
    expect(run('ls', old).stdout).toMatch(/^README\.md +6 B {2}[0-9a-f]{12}\nplots\/ +3 B {2}1 entry\n$/)
    expect(run('cat', 'lab/team/data', 'README.md')).toEqual({ status: 0, stdout: '# Two\n', stderr: '' })
    expect(run('verify', 'lab/team/data')).toMatchObject({ status: 0, stderr: '' })
  })

  it('give any bytes to a pipe, and only text to a terminal', () => {
    using at = lab()
    const old = `lab/team/data@${first.hash}`
    expect(ambit(['package', 'cat', old, 'plots/a.png'], { cwd: at.base })).toEqual({
      status: 0,
      stdout: 'a\0b',
      stderr: '',
    })
    const { screen, status } = onTerminal(['package', 'cat', old, 'plots/a.png'], { cwd: at.base })
    expect([status, screen]).toEqual([
      1,
      'ambit: "plots/a.png" is not text: it holds NUL bytes, and is 3 B long.\nOn a command line, send it to a file: > FILE\n',
    ])
    expect(onTerminal(['package', 'cat', old, 'README.md'], { cwd: at.base }).screen).toBe('# One\n')
    expect(onTerminal(['package', 'log', 'lab/team/data'], { cwd: at.base }).screen).not.toContain('\u001b')
  })

  it('end with 1 where something is not valid, and say what', () => {
    using at = lab()
    writeFileSync(at.at('lab/data2/README.md'), '# Too\n')
    const found = ambit(['package', 'verify', 'lab/team/data'], { cwd: at.base })
    expect(found).toMatchObject({ status: 1, stderr: '' })
    expect(found.stdout).toMatch(/^hash-mismatch {2}README\.md {2}line 2: Its hash is [0-9a-f]{64}, not /)
    const json = ambit(['package', 'verify', 'lab/team/data', '--json'], { cwd: at.base })
    expect([json.status, JSON.parse(json.stdout)]).toMatchObject([1, { isGood: false, counts: { 'hash-mismatch': 1 } }])
    expect(json.stderr.split('\n')[0]).toBe('{"type":"progress","what":"verify","done":1,"total":1}')
    const cat = ambit(['package', 'cat', 'lab/team/data', 'README.md'], { cwd: at.base })
    expect([cat.status, cat.stderr]).toEqual([1, expect.stringContaining('differs from the package')])
  })

  it('that are not there are answered with what is near', () => {
    using at = lab()
    expect(ambit(['package', 'show', 'lab/team/dta'], { cwd: at.base })).toEqual({
      status: 1,
      stdout: '',
      stderr: `ambit: There is no package team/dta in file://${at.at('lab')}.\nSimilar: lab/team/data.\n`,
    })
    const { stdout, stderr } = ambit(['package', 'show', 'lab', '--json'], { cwd: at.base })
    expect([stdout, JSON.parse(stderr)]).toMatchObject(['', { error: { code: 'invalid-input' } }])
    expect(ambit(['package'], { cwd: at.base })).toMatchObject({ status: 2 })
  })
})
