import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ambit } from '../support/program.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const README = readFileSync(`${ROOT}README.md`, 'utf8')
const COMMANDS = [...README.matchAll(/^npx ambit (.*?) +#/gm)].map(([, command = '']) => command)

it('the README shows a command of each kind', () => {
  expect(COMMANDS.map((command) => command.split(' ')[0])).toEqual(['load', 'load', 'explain', 'check', 'diff', 'init'])
})

it.each(COMMANDS)('the README’s command works in this repository as it stands there: ambit %s', (command) => {
  const { status, stdout, stderr } = ambit(command.split(' '), { cwd: ROOT, env: { HOME: '/nonexistent' } })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).not.toBe('')
})

it('the README names the tarball that is made', () => {
  const { name, version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
  expect(README).toContain(`./${name}-${version}.tgz`)
})
