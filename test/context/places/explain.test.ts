import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { explainPlace } from '../../../src/context/explain.ts'
import { load } from '../../../src/context/load.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { project } from '../../support/workspace.ts'

it('a file that the budget left out is told as that', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`${'d/'.repeat(index)}AGENTS.md`, 'Rules. '.repeat(50)]),
  )
  using planted = project(many)
  const touched = [planted.file(`${'d/'.repeat(50)}x`)]
  const request = { place: planted.root, home: planted.home, budget: 100, touched, whyNot: planted.file('AGENTS.md') }
  const { whyNot } = await explainPlace(request, SILENT)
  expect(whyNot?.answer).toMatch(/^It was left out by the pass "budget": over-budget\./)
})

it('an explanation is what load tells, without the texts', async () => {
  using planted = project({ 'AGENTS.md': 'root', '.context/TASKS.md': '# Tasks\n' })
  mkdirSync(planted.file('a'))
  const request = { place: planted.file('a'), home: planted.home }
  const {
    text: _,
    summary: __,
    files: ___,
    contexts: ____,
    sent: _____,
    ...told
  } = await load({ ...request, full: false }, SILENT)
  expect(await explainPlace(request, SILENT)).toEqual(told)
})

it('a file to explain is seen from the place when nothing is there from the current directory', async () => {
  using planted = project({ 'AGENTS.md': 'x\n', 'deep/AGENTS.md': 'y\n' })
  for (const [file, path] of [
    ['deep/AGENTS.md', 'deep/AGENTS.md'],
    ['AGENTS.md.gone', undefined],
  ] as const) {
    const { whyNot } = await explainPlace({ place: planted.root, home: planted.home, whyNot: file }, SILENT)
    expect(whyNot?.path).toBe(path === undefined ? resolve(file) : planted.file(path))
  }
})
