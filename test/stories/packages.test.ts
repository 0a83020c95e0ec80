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
})
