/** Row A17: a directory of very many entries. */

import { closeSync, openSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { tree } from '../support/tree.ts'
import { inChild } from './child.ts'

/** A million took as little memory; to make and remove them takes a minute. */
const ENTRIES = Number(process.env.AMBIT_TEST_ENTRIES ?? 120_000)
const SHAPE = { '.git/': '', '.context/TASKS.md': 'to do', 'AGENTS.md': 'agents' }

it('A17 hundreds of thousands of entries beside the context files cost no more than 100 MB, and a wish to stop is heard', {
  tags: 'long',
  timeout: 300_000,
}, async () => {
  using small = tree(SHAPE)
  using large = tree(SHAPE)
  writeFileSync(large.at('.context', 'AGENTS.md'), 'nested')
  for (let index = 0; index < ENTRIES; index++) closeSync(openSync(large.at('.context', `${index}`), 'w'))
  const { answer, bytes, stopped } = await inChild('crowd', { small: small.base, large: large.base })
  expect(answer.files.map(({ name }) => name)).toEqual(['TASKS', 'AGENTS'])
  expect(answer.contexts.map(({ content }) => content)).toEqual(['nested', 'agents'])
  expect(bytes).toBeLessThan(100_000_000)
  expect(Math.min(...stopped)).toBeLessThan(100)
})
