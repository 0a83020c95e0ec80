import { expect, it } from 'vitest'
import { load } from '../../../src/context/load.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { project } from '../../support/workspace.ts'

it('warns of a .gitignore that is not read to the end', async () => {
  using planted = project({ 'AGENTS.md': 'Root.\n', '.gitignore': `b\n${'a'.repeat(2000)}\n` })
  const answer = await load({ home: planted.home, place: planted.file('') }, SILENT)
  expect(answer.warnings).toEqual([
    { path: planted.file('.gitignore'), message: '.gitignore is too complex: 1 rule not read.' },
  ])
})
