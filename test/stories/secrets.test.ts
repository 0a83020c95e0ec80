import { describe, expect, it } from 'vitest'
import { secretsAttacks } from '../../scripts/prove/attacks/secrets.ts'

describe('A secret in a text', () => {
  it.each(secretsAttacks)('does not come out: $name', async ({ hit }) => {
    expect(await hit()).toBeUndefined()
  })
})
