import { describe, expect, it } from 'vitest'
import { rankPaths } from '../../../src/collections/library/rank-paths.ts'
import { fc, forAll } from '../../support/property.ts'

const PATHS = (
  'src/users/user-controller.ts src/users/user-controller.test.ts src/users/userService.ts ' +
  'docs/user-control-list.md src/controllers/index.ts README.md docs/README.md docs/api/errors.md ' +
  'src/HttpErrorMapper.ts src/GetUserModel.ts src/gxuxm.ts 文档/上下文.md'
).split(' ')

const ranked = (query: string, limit = 3) =>
  rankPaths(
    PATHS.map((path) => ({ path })),
    query,
    limit,
  ).map(({ path }) => path)

describe('files by what somebody types of their names', () => {
  it.each([
    ['usrctl', 'src/users/user-controller.ts'],
    ['uct', 'src/users/user-controller.ts'],
    ['usersrv', 'src/users/userService.ts'],
    ['readme', 'README.md'],
    ['docs readme', 'docs/README.md'],
    ['hem', 'src/HttpErrorMapper.ts'],
    ['gum', 'src/GetUserModel.ts'],
    ['api/err', 'docs/api/errors.md'],
    ['ERRORS', 'docs/api/errors.md'],
    ['contr index', 'src/controllers/index.ts'],
    ['上下', '文档/上下文.md'],
  ])('%s leads to %s', (query, first) => {
    expect(ranked(query)[0]).toBe(first)
  })

  it.each([['zzz'], [''], ['   '], ['ctlusr'], ['readme usrctl']])('%j leads nowhere', (query) => {
    expect(ranked(query)).toEqual([])
  })

  it('gives no more than was asked for', () => {
    expect(ranked('r', 2)).toHaveLength(2)
  })

  it('finds any path by letters of its name in a row, whatever they are', () => {
    const names = fc
      .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
      .filter((name) => !/[\s/]/.test(name) && name.trim() === name)
    forAll(names, (name) => {
      const path = `a/${name.normalize('NFC')}`
      expect(rankPaths([{ path }], name, 1)).toEqual([{ path }])
    })
  })

  it('takes time in proportion to a path that repeats one letter', () => {
    const one = { path: `${'a'.repeat(100_000)}b` }
    const begun = performance.now()
    for (let times = 0; times < 200; times++) rankPaths([one], `${'a'.repeat(100)}c`, 1)
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})
