import { expect, it } from 'vitest'
import { publicTypes } from './declarations.ts'

it('the library exports these types (npm run reference writes them anew)', async () => {
  await expect(publicTypes()).toMatchFileSnapshot('snapshots/library.txt')
})
