/** @module-tag long */

import { execFile } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { loadContext } from '../../../../src/context/context-dir/load-context.ts'
import { descriptorsBelow } from '../../../files/fixtures.ts'
import { STATE_BYTES } from '../../../files/writer.ts'
import { contextTree } from '../../../support/tree.ts'

/** So many times as many rounds are made, at most, until the two have met: on a busy machine one may not run for a while. */
const PATIENCE = 50

/** Loads over and over while another process writes to TASKS.md. */
async function loadsDuring(mode: string, rounds: number, cache: boolean) {
  using planted = contextTree({ 'TASKS.md': Buffer.alloc(STATE_BYTES, 'A'), 'GLOSSARY.md': 'good' })
  const writer = join(import.meta.dirname, '../../../files/writer.ts')
  const file = planted.at('.context/TASKS.md')
  const writing = promisify(execFile)(process.execPath, [writer, mode, file])
  const before = readdirSync(planted.at('.context')).length
  while (readdirSync(planted.at('.context')).length === before && existsSync(file)) await setTimeout(1)
  const answers = []
  const states = new Set<string | undefined>()
  for (let round = 0; round < rounds || (states.size < 2 && round < PATIENCE * rounds); round++) {
    const answer = await loadContext({ rootDir: planted.base, cache, tokenBudget: 1_000_000 })
    answers.push(answer)
    states.add(answer.files.find(({ name }) => name === 'TASKS')?.content[0])
  }
  writeFileSync(planted.at('.context/stop'), '')
  await writing
  expect(states.size).toBeGreaterThan(1)
  const last = await loadContext({ rootDir: planted.base, cache, tokenBudget: 1_000_000 })
  rmSync(file, { force: true })
  expect(descriptorsBelow(planted.base)).toEqual([])
  return { answers, last }
}

describe.each([false, true])('a file that another process keeps changing (cache: %s)', (cache) => {
  it('by replacing it, is read as one of its states', async () => {
    const { answers } = await loadsDuring('replace', 300, cache)
    for (const { files, warnings } of answers) {
      expect(files.map(({ name }) => name)).toEqual(['TASKS', 'GLOSSARY'])
      expect(files[0]?.content).toMatch(/^(A+|B+)$/)
      const message = 'The file kept changing while it was read; what is shown may be a mixture.'
      for (const warning of warnings) expect(warning).toEqual({ path: files[0]?.path, message })
    }
  })

  it('by taking it away, is one of its states or missing', async () => {
    const { answers } = await loadsDuring('vanish', 300, cache)
    for (const { files, missing } of answers) {
      expect(missing.includes('TASKS.md')).toBe(!files.some(({ name }) => name === 'TASKS'))
      expect(files.at(-1)).toMatchObject({ name: 'GLOSSARY', content: 'good' })
    }
  })
})
