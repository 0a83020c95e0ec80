import { expect, it } from 'vitest'
import { existingPaths, touchedPaths } from '../../../src/context/reach/touched.ts'
import { tree } from '../../support/tree.ts'

it('takes the directories of the first 400 lines of results, at most 16', async () => {
  const files = Array.from({ length: 18 }, (_, at) => `d${at}/a.ts`)
  using planted = tree(Object.fromEntries(files.map((path) => [path, ''])))
  const found = async (lines: readonly string[]) => {
    const request = { touched: [], commands: [], results: lines.join('\n'), variable: () => undefined }
    const place = { cwd: planted.base, root: planted.base, home: undefined }
    return (await touchedPaths(request as unknown as Parameters<typeof touchedPaths>[0], place)).paths.length
  }
  expect(await found(files.slice(0, 16))).toBe(16)
  expect(await found(files)).toBe(16)
  const blanks = (count: number) => Array.from({ length: count }, () => 'nothing')
  expect([await found([...blanks(399), 'd0/a.ts']), await found([...blanks(400), 'd0/a.ts'])]).toEqual([1, 0])
})

it('takes the first 256 different paths of the inputs', () => {
  using planted = tree({ 'a.ts': '' })
  const names = Array.from({ length: 600 }, (_, at) => `new${Math.floor(at / 2)}.ts`)
  expect(existingPaths(names, { cwd: planted.base, home: undefined })).toHaveLength(256)
})
