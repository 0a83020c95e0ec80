import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { tree } from '../../support/tree.ts'

const SLOW = fileURLToPath(new URL('slow-chat.ts', import.meta.url))

it('A chat answers what was typed before it was ready', () => {
  using files = tree({ '.git/': '', 'AGENTS.md': 'Tests come first.\n' })
  const { stdout, stderr, status } = spawnSync(process.execPath, [SLOW], {
    cwd: files.base,
    input: 'what of tests?\n/context\n',
    encoding: 'utf8',
  })
  expect(stdout).toContain('Tests come first.')
  expect([status, stderr]).toEqual([0, expect.stringContaining('AGENTS.md')])
})
