import { describe, expect, it } from 'vitest'
import { type DiffRequest, diffProfiles } from '../../../src/context/diff.ts'
import { PROFILES } from '../../../src/context/profiles.ts'
import { SILENT } from '../../../src/core/flow.ts'
import type { Shape } from '../../support/tree.ts'
import { project } from '../../support/workspace.ts'

const SHAPE: Shape = {
  'AGENTS.md': 'For all.\n',
  'CLAUDE.md': 'For Claude.\n',
  'a/AGENTS.md': 'For a.\n',
  'a/x.ts': '',
  'out.md': 'x',
  '~/.codex/AGENTS.md': 'Mine.\n',
}

async function compared(
  shape: Shape,
  profiles: readonly string[],
  { place = '', touched = [] }: Partial<DiffRequest> = {},
) {
  using planted = project(shape)
  const request = {
    place: planted.file(place),
    profiles,
    touched: touched.map((path) => planted.file(path)),
    home: planted.home,
  }
  const answer = await diffProfiles(request, SILENT)
  const lines = answer.files.map(({ title, seen, same }) => {
    const verdicts = profiles.map((name) => (seen[name] ? (seen[name].why ?? seen[name].decision) : '-'))
    return `${title}: ${verdicts.join(' ')}${same ? ' same' : ''}`
  })
  return { ...answer, lines, root: planted.root }
}

describe('several tools in one tree', () => {
  it('see different files', async () => {
    const { lines, profiles } = await compared(SHAPE, ['ambit', 'claude', 'codex'], { touched: ['a/x.ts'] })
    expect(lines).toEqual([
      'AGENTS.md: kept shadowed kept',
      'CLAUDE.md: shadowed kept -',
      'a/AGENTS.md: kept shadowed -',
      '~/.codex/AGENTS.md: - - kept',
    ])
    expect(profiles).toEqual([
      { name: 'ambit', files: 2, tokens: expect.any(Number) },
      { name: 'claude', files: 1, tokens: expect.any(Number) },
      { name: 'codex', files: 2, tokens: expect.any(Number) },
    ])
  })

  it('may see the same', async () => {
    const { lines } = await compared({ 'AGENTS.md': 'x' }, ['ambit', 'codex', 'cursor', 'copilot', 'kodelet', 'claude'])
    expect(lines).toEqual(['AGENTS.md: kept kept kept kept kept kept same'])
  })

  it('see the same when none of them sees anything', async () => {
    const { lines } = await compared({ 'AGENTS.md': '' }, ['ambit', 'codex'])
    expect(lines).toEqual(['AGENTS.md: empty empty same'])
  })

  it('see more or less of one file', async () => {
    const { lines, files } = await compared({ 'AGENTS.md': 'x'.repeat(40_000) }, ['ambit', 'codex'])
    expect(lines).toEqual(['AGENTS.md: kept over-limit'])
    expect(files[0]?.seen).toMatchObject({
      ambit: { tokensAfter: 10_000 },
      codex: { decision: 'truncated', tokensAfter: 8192 },
    })
  })

  it('can be all there are, at a file too', async () => {
    const names = PROFILES.map(({ name }) => name)
    const { profiles, place, root } = await compared(SHAPE, names, { place: 'a/x.ts' })
    expect(place).toBe(`${root}/a`)
    expect(profiles.map(({ name }) => name)).toEqual(names)
    expect(profiles.find(({ name }) => name === 'gemini')).toEqual({ name: 'gemini', files: 0, tokens: 0 })
  })

  it('are listed by name, the user’s own last', async () => {
    const { files } = await compared(
      { 'b/AGENTS.md': 'b', 'AGENTS.md': 'r', 'B/AGENTS.md': 'B', '~/.ambit/AGENTS.md': 'h' },
      ['ambit'],
      { touched: ['b/x', 'B/x'] },
    )
    expect(files.map(({ title }) => title)).toEqual(['AGENTS.md', 'B/AGENTS.md', 'b/AGENTS.md', '~/.ambit/AGENTS.md'])
  })

  it('are compared once each, however often they are named', async () => {
    const { profiles } = await compared(SHAPE, ['claude', 'codex', 'claude'])
    expect(profiles.map(({ name }) => name)).toEqual(['claude', 'codex'])
  })

  it('have to be named', async () => {
    await expect(compared(SHAPE, [])).rejects.toMatchObject({ code: 'invalid-input', hint: expect.any(String) })
  })

  it('have to be known', async () => {
    await expect(compared({}, ['ambit', 'nobody'])).rejects.toMatchObject({ code: 'invalid-input', hint: /codex/ })
  })
})
