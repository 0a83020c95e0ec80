import { describe, expect, it } from 'vitest'
import { ruleMatcher } from '../../../src/context/discovery/rules.ts'

const TOUCHED = ['src/b.ts', 'src/api/a.ts', 'README.md', 'docs/x/y.md']

describe('a rule by path', () => {
  it.each([
    [['src/**'], '', 'anywhere', 'src/api/a.ts'],
    [['*.ts'], '', 'anywhere', 'src/api/a.ts'],
    [['*.ts'], '', 'here', undefined],
    [['*.md'], '', 'here', 'README.md'],
    [['*.md'], '', 'anywhere', 'README.md'],
    [['a.ts'], '', 'anywhere', 'src/api/a.ts'],
    [['**/*.md', '!README.md'], '', 'anywhere', 'docs/x/y.md'],
    [['*.md', '!README.md'], '', 'anywhere', 'docs/x/y.md'],
    [['*.ts'], 'src', 'here', 'src/b.ts'],
    [['api/*'], 'src', 'here', 'src/api/a.ts'],
    [['src/**'], 'src', 'here', undefined],
    [['**'], 'sr', 'here', undefined],
    [['**'], 'docs', 'here', 'docs/x/y.md'],
    [['x/**'], '', 'here', undefined],
    [[], '', 'here', undefined],
  ] as const)('%j, seen from %j, bare ones %s: matches %s', (patterns, base, bare, expected) => {
    expect(ruleMatcher(TOUCHED)({ patterns, base, bare })).toBe(expected)
  })

  it('never matches its own base', () => {
    expect(ruleMatcher(['src'])({ patterns: ['**', ''], base: 'src', bare: 'here' })).toBeUndefined()
  })
})
