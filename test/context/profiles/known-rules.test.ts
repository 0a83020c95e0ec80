import { describe, expect, it } from 'vitest'
import { PROFILE_NAMES } from '../../../src/context/profiles.ts'
import { KNOWN_RULES, wrongRules } from './known-rules.ts'

describe('what is known of each tool', () => {
  it('is known of every profile but the default one', () => {
    expect(Object.keys(KNOWN_RULES).sort()).toEqual(PROFILE_NAMES.filter((name) => name !== 'ambit').sort())
  })

  it.each(Object.keys(KNOWN_RULES))('is right: %s', async (profile) => {
    expect(KNOWN_RULES[profile]?.length).toBeGreaterThan(1)
    expect(await wrongRules(profile)).toEqual([])
  })
})
