import { expect, it } from 'vitest'
import { existingPaths } from '../../../src/context/reach/touched.ts'
import { tree } from '../../support/tree.ts'

it('takes the first 256 different paths of the inputs', () => {
  using planted = tree({ 'a.ts': '' })
  const names = Array.from({ length: 600 }, (_, at) => `new${Math.floor(at / 2)}.ts`)
  expect(existingPaths(names, { cwd: planted.base, home: undefined })).toHaveLength(256)
})
