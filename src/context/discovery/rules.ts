import { globs } from '../../text/globs.ts'
import { byCodeUnit, relativeTo } from '../../text/paths.ts'
import type { Scoping } from '../profiles/profile.ts'

/** What a rule's patterns say, and from where. */
export interface RulePatterns {
  readonly patterns: readonly string[]
  /** A directory relative to the root; `''` for the root itself. */
  readonly base: string
  readonly bare: Scoping['bare']
}

/** The first touched path, by code unit, that the patterns match; undefined for none. */
export type RuleMatcher = (rule: RulePatterns) => string | undefined

/** Matches rules against what was touched, given relative to the root. */
export function ruleMatcher(touched: readonly string[]): RuleMatcher {
  const sorted = [...touched].sort(byCodeUnit)
  return ({ patterns, base, bare }) => {
    const { matches } = globs(bare === 'anywhere' ? patterns.map(anywhere) : patterns)
    return sorted.find((path) => {
      const below = base === '' ? path : relativeTo(base, path)
      return below !== undefined && below !== '' && matches(below)
    })
  }
}

/** A pattern without a slash, such as `*.ts`, for names in any directory; `/*.ts` is left alone. */
function anywhere(pattern: string): string {
  if (pattern.includes('/')) return pattern
  return pattern.startsWith('!') ? `!**/${pattern.slice(1)}` : `**/${pattern}`
}
