import { describe, expect, it } from 'vitest'
import { diffProfiles } from '../../../src/context/diff.ts'
import { PROFILE_NAMES } from '../../../src/core/choices.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { project } from '../../support/workspace.ts'
import { KNOWN_RULES, type KnownRule } from './known-rules.ts'

/** What a profile shows of a tree, with the tool's own settings. */
async function seenOf(profile: string, { shape, cwd = '', touched = [] }: KnownRule): Promise<string[]> {
  using planted = project(shape)
  const request = {
    place: planted.file(cwd),
    profiles: [profile],
    touched: touched.map((path) => planted.file(path)),
    home: planted.home,
  }
  const { files } = await diffProfiles(request, SILENT)
  return files.flatMap(({ title, seen }) => (seen[profile] && seen[profile].decision !== 'left' ? [title] : []))
}

describe('what is known of each tool', () => {
  it('is known of every profile but the default one', () => {
    expect(Object.keys(KNOWN_RULES).sort()).toEqual(PROFILE_NAMES.filter((name) => name !== 'ambit').sort())
  })

  it.each(Object.keys(KNOWN_RULES))('is right in at least 95 of 100 rules: %s', async (profile) => {
    const rules = KNOWN_RULES[profile] ?? []
    const wrong: string[] = []
    for (const known of rules) {
      const seen = await seenOf(profile, known)
      if (seen.join() !== known.sees.join()) wrong.push(`${known.rule}: ${seen.join()} is not ${known.sees.join()}`)
    }
    expect(rules.length).toBeGreaterThan(1)
    expect((rules.length - wrong.length) / rules.length, wrong.join('\n')).toBeGreaterThanOrEqual(0.95)
  })
})
