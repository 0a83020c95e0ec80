import { expect, it } from 'vitest'
import { secretsAttacks } from '../../scripts/prove/attacks/secrets.ts'

it.each(secretsAttacks)('A secret in a text does not come out: $name', async ({ hit }) => {
  expect(await hit()).toBeUndefined()
})
