import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { tree } from '../../support/tree.ts'

const SLOW = fileURLToPath(new URL('slow-chat.ts', import.meta.url))

function said(input: string) {
  using files = tree({ '.git/': '', 'AGENTS.md': 'Tests come first.\n' })
  return spawnSync(process.execPath, [SLOW], { cwd: files.base, input, encoding: 'utf8' })
}

it('A chat in which nothing was asked has nothing to save, and says so', () => {
  const { stderr, status } = said('/save talk.md\n')
  expect([status, stderr]).toEqual([1, 'ambit: There is nothing to save yet.\nAsk something first.\n'])
})

it('A chat answers what was typed before it was ready', () => {
  const { stdout, stderr, status } = said('what of tests?\n/context\n')
  expect(stdout).toContain('Tests come first.')
  expect([status, stderr]).toEqual([0, expect.stringContaining('AGENTS.md')])
})
