import { describe, expect, it } from 'vitest'
import { PROFILES } from '../../../src/context/profiles.ts'
import { open, paths, project } from '../../support/workspace.ts'

const TREE = {
  'AGENTS.md': 'agents',
  'KODELET.md': 'kodelet',
  'CLAUDE.md': 'claude',
  'GEMINI.md': 'gemini',
  '.github/copilot-instructions.md': 'copilot',
  '.cursor/rules/x.mdc': '---\nalwaysApply: true\n---\ncursor',
  '.claude/rules/x.md': 'claude rule',
}

describe('each profile', () => {
  it.each(PROFILES.map(({ name }) => [name]))(
    'finds nothing in an empty tree, and says nothing: %s',
    async (profile) => {
      using planted = project({})
      const workspace = await open(planted, { profile, touched: ['a/b'] })
      expect(await workspace.relevantContexts()).toEqual([])
      expect(await workspace.ledger()).toEqual([])
      expect(await workspace.prompt()).toMatchObject({ text: '', delta: '', epoch: 1, reason: 'start' })
    },
  )

  it.each(PROFILES.map(({ name }) => [name]))('keeps the same in either order: %s', async (profile) => {
    using planted = project({ ...TREE, 'a/AGENTS.md': 'a', 'a/CLAUDE.md': 'c', 'a/GEMINI.md': 'g' })
    const kept = async (order: 'specific-first' | 'general-first') => {
      const workspace = await open(planted, { profile, touched: ['a/x'], options: { order } })
      const { text } = await workspace.prompt()
      const contexts = await workspace.relevantContexts()
      return { contexts, parts: text.split(/(?<=<\/context>\n)/).sort() }
    }
    expect(await kept('general-first')).toEqual(await kept('specific-first'))
  })
})

it('one’s own patterns replace a profile’s names, in the home directory too', async () => {
  const shape = { ...TREE, 'NOTES.md': 'n', '~/.codex/NOTES.md': 'u', '~/.codex/AGENTS.md': 'no' }
  expect(await paths(shape, { profile: 'codex', options: { patterns: ['NOTES.md'] } })).toEqual([
    'NOTES.md',
    '~/.codex/NOTES.md',
  ])
})
