import { expect, it } from 'vitest'
import { diffProfiles } from '../../../src/context/diff.ts'
import { PROFILES } from '../../../src/context/profiles.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { project } from '../../support/workspace.ts'

it('all tools there are can be compared', async () => {
  using planted = project({ 'AGENTS.md': 'For all.\n' })
  const names = PROFILES.map(({ name }) => name)
  const { profiles } = await diffProfiles({ place: planted.root, profiles: names, home: planted.home }, SILENT)
  expect(profiles.map(({ name }) => name)).toEqual(names)
})
