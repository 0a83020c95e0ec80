import { describe, expect, it } from 'vitest'
import { diffProfiles } from '../../../src/context/diff.ts'
import { PROFILES } from '../../../src/context/profiles.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { inspection } from '../../../src/operations/context/inspect.ts'
import { drawAnswer } from '../../../src/surfaces/cli/views.ts'
import { project } from '../../support/workspace.ts'

it('all tools there are can be compared', async () => {
  using planted = project({ 'AGENTS.md': 'For all.\n' })
  const names = PROFILES.map(({ name }) => name)
  const { profiles } = await diffProfiles({ place: planted.root, profiles: names, home: planted.home }, SILENT)
  expect(profiles.map(({ name }) => name)).toEqual(names)
})

describe('the tools that are compared by default', () => {
  it.each([
    ['those with files in the project or the home', { 'GEMINI.md': '', '.codex/': '' }, ['codex', 'gemini'], 'claude'],
    ['without any, two common ones', {}, ['claude', 'codex'], 'gemini'],
  ])('are %s; the others are named', async (_, files, compared, unused) => {
    using planted = project({ 'AGENTS.md': 'For all.\n', ...files })
    const answer = await diffProfiles({ place: planted.root, home: planted.home }, SILENT)
    expect(answer.agents.map(({ agent }) => agent)).toEqual(compared)
    expect(answer.unusedTools).toContain(unused)
    const named = new RegExp(`^Not compared: .*\\b${unused}\\b.* your home directory\\.$`, 'm')
    const look = { isTerminal: true, plain: true, columns: 1000 }
    for (const text of [inspection.diff.text(answer), drawAnswer('diff', answer, look)]) {
      expect(text).toMatch(named)
      expect(text).toMatch(/^To compare agents anyway, name them: ambit diff --profile \w+,[\w-]+$/m)
    }
  })

  it('are not said where the request names the tools', async () => {
    using planted = project({ 'AGENTS.md': 'For all.\n' })
    const answer = await diffProfiles({ place: planted.root, profiles: ['claude'], home: planted.home }, SILENT)
    expect(inspection.diff.text(answer)).not.toContain('Not compared')
  })
})

describe('a rule', () => {
  const RULE = '# Rules\n\nTabs, not spaces.\n'

  it.each<[string, Record<string, string>, string[]]>([
    ['that a tool does not read is missing', { 'CLAUDE.md': 'Others.\n' }, ['AGENTS.md']],
    ['is not missing where a generator wrote a copy', { 'CLAUDE.md': `<!-- Source: x -->\n\n<!-- y -->\n${RULE}` }, []],
    ['is not missing where a file holds it among others', { 'CLAUDE.md': `Others.\n\n${RULE}\nMore.\n` }, []],
    ['is missing where a comment holds it', { 'CLAUDE.md': `<!-- ${RULE} -->\nOthers.\n` }, ['AGENTS.md']],
    ['is missing where a comment does not end', { 'CLAUDE.md': '<!-- Others.\n' }, ['AGENTS.md']],
    ['is missing where a later comment holds it', { 'CLAUDE.md': `Others.\n\n<!--\n${RULE}-->\n` }, ['AGENTS.md']],
    ['is missing where a line only begins like it', { 'CLAUDE.md': `${RULE.trim()} More.\n` }, ['AGENTS.md']],
    ['is missing where a heading only ends like it', { 'CLAUDE.md': `#${RULE}` }, ['AGENTS.md']],
    [
      'is missing where a file for another folder holds it',
      { 'CLAUDE.md': '@AGENTS.md\n', 'a/AGENTS.md': 'A.\n', 'a/CLAUDE.md': 'Others.\n', 'b/CLAUDE.md': 'A.\n\nB.\n' },
      ['a/AGENTS.md'],
    ],
  ])('%s', async (_, files, missing) => {
    using planted = project({ 'AGENTS.md': `<!-- Generated -->\n${RULE}`, ...files })
    const { agents } = await diffProfiles({ place: planted.root, profiles: ['claude'], home: planted.home }, SILENT)
    expect(agents[0]?.missing.map(({ title }) => title)).toEqual(missing)
  })
})
