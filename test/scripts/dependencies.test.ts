import { describe, expect, it } from 'vitest'
import {
  checkBuilds,
  checkFloors,
  checkLicences,
  checkReasons,
  checkSources,
  checkTree,
  LIMITS,
} from '../../scripts/dependencies/checks.ts'
import { type LockEntry, productionTree } from '../../scripts/dependencies/lockfile.ts'
import { rowsBy } from '../support/rows.ts'

const GOOD: LockEntry = { version: '1.0.0', integrity: 'sha512-x', license: 'MIT' }

/** A project that depends on `a`, locked to this entry. */
function withA(entry: LockEntry) {
  return { packages: { '': { dependencies: { a: '1.0.0' } }, 'node_modules/a': { ...GOOD, ...entry } } }
}

describe('the production tree', () => {
  it('holds what is reached from the project, the nearest copy of each', () => {
    const lock = {
      packages: {
        '': { dependencies: { a: '1.0.0' }, devDependencies: { tool: '1.0.0' } },
        'node_modules/a': { dependencies: { b: '^2.0.0' } },
        'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
        'node_modules/b': {},
        'node_modules/c': { peerDependencies: { a: '1' }, optionalDependencies: { absent: '1' } },
        'node_modules/tool': { dependencies: { b: '1' } },
      },
    }
    expect([...productionTree(lock)]).toEqual(['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/c'])
  })

  it('is without the peers that nobody has to install, though they are here for the tests', () => {
    const peers = { peerDependencies: { a: '1', b: '1' }, peerDependenciesMeta: { a: { optional: true } } }
    const lock = {
      packages: { '': { ...peers, devDependencies: { a: '1' } }, 'node_modules/a': {}, 'node_modules/b': {} },
    }
    expect([...productionTree(lock)]).toEqual(['node_modules/b'])
  })
})

describe('a lockfile', () => {
  it('passes when all is well', () => {
    const lock = withA({})
    const checks = [checkSources, checkTree, checkFloors, checkLicences]
    expect(checks.flatMap((check) => check(lock))).toEqual([])
  })

  it.each([
    ['without integrity', { version: '1.0.0', license: 'MIT' }, 'no integrity'],
    ['without a version', { integrity: 'sha512-x', license: 'MIT' }, 'no version'],
    ['with an address', { ...GOOD, resolved: 'https://host.example/a.tgz' }, 'host.example'],
    ['from git', { ...GOOD, resolved: 'git+ssh://git@host.example/a.git#1' }, 'git+ssh'],
    ['that takes something from git', { ...GOOD, dependencies: { b: 'github:b/b' } }, 'github:b/b'],
    ['that takes something from an address', { ...GOOD, dependencies: { b: 'https://b.example/b.tgz' } }, 'b.example'],
    ['that takes something from a folder', { ...GOOD, optionalDependencies: { b: 'file:../b' } }, 'file:../b'],
    ['that takes something by short name', { ...GOOD, dependencies: { b: 'b/b' } }, 'b/b'],
  ])('is refused for an entry %s', (_, entry, problem) => {
    const found = checkSources({ packages: { '': {}, 'node_modules/a': entry } })
    expect(found).toEqual([expect.stringContaining(problem)])
  })

  it('may hold workspaces and aliases', () => {
    const packages = {
      '': { dependencies: { b: 'npm:c@1.0.0' } },
      'node_modules/w': { link: true, resolved: 'tools/w' },
      'tools/w': {},
    }
    expect(checkSources({ packages })).toEqual([])
  })

  it('is refused for an install script in production, not for one in a tool', () => {
    expect(checkTree(withA({ hasInstallScript: true }))).toEqual(['node_modules/a: has an install script'])
    expect(
      checkTree({ packages: { '': { devDependencies: { a: '1' } }, 'node_modules/a': { hasInstallScript: true } } }),
    ).toEqual([])
  })

  it('is refused where npm would compile something, and lets pass what says that nothing is to be built', () => {
    const of = (entry: LockEntry) => checkBuilds(withA(entry), ['node_modules/a'])
    expect(of({})).toEqual([expect.stringContaining('node_modules/a: npm would build it')])
    expect(of({ gypfile: false })).toEqual([])
  })

  it('is refused when it grows beyond its limits', () => {
    const names = Array.from({ length: LIMITS.tree + 1 }, (_, index) => `p${index}`)
    const dependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']))
    const entries = Object.fromEntries(names.map((name) => [`node_modules/${name}`, GOOD]))
    expect(checkTree({ packages: { '': { dependencies }, ...entries } })).toEqual([
      expect.stringContaining(`${LIMITS.tree + 1} packages`),
    ])
  })
})

describe('known holes', () => {
  it.each(
    rowsBy({
      false:
        'picomatch@4.0.3 picomatch@2.3.1 undici@7.29.0 undici@8.10.1 adm-zip@99.0.0 @modelcontextprotocol/sdk@1.23.9',
      true: 'picomatch@4.0.4 picomatch@4.0.10 undici@7.29.1 undici@8.10.2 undici@9.0.0 never-heard-of@0.0.1',
    }),
  )('%s is safe: %s', (release, safe) => {
    const [, name = '', version = ''] = /^(.+)@(.+)$/.exec(release) ?? []
    expect(checkFloors({ packages: { [`node_modules/x/node_modules/${name}`]: { version } } })).toHaveLength(
      safe === 'true' ? 0 : 1,
    )
  })
})

describe('licences', () => {
  it.each([
    ['MIT', true],
    ['Apache-2.0', true],
    ['(MIT OR GPL-3.0-or-later)', true],
    ['MIT AND ISC', true],
    ['MIT AND GPL-3.0-only', false],
    ['GPL-3.0-only', false],
    ['SEE LICENSE IN LICENSE', false],
  ])('%s is allowed: %s', (license, allowed) => {
    expect(checkLicences(withA({ license })).length === 0).toBe(allowed)
  })

  it('an unknown one is not allowed', () => {
    expect(checkLicences({ packages: { '': { dependencies: { a: '1' } }, 'node_modules/a': {} } })).toHaveLength(1)
  })
})

describe('reasons', () => {
  const lock = { packages: { '': { dependencies: { '@a/b': '1.0.0' }, devDependencies: { c: '1.0.0' } } } }

  it.each([
    ['all there', '- `@a/b` reads.\n- `c` tests.', []],
    ['one lacking', '- `@a/b` reads.', ['c']],
    ['one without words', '- `@a/b` reads.\n- `c`', ['c']],
    ['one only mentioned', '- `@a/b` reads as `c` does.', ['c']],
    ['one too many', '- `@a/b` reads.\n- `c` tests.\n- `gone` was here.', ['gone']],
  ])('%s', (_, reasons, names) => {
    expect(checkReasons(lock, reasons).map((problem) => problem.split(':')[0])).toEqual(names)
  })
})
