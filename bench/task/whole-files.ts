/** What the choice of lines is measured against: whole files in the order of their ranks, until the budget is spent. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytes4 } from '../../src/core/tokens.ts'
import type { Lines } from './score.ts'

/** Lines by file, from 1, and what they cost. The last file is cut where the budget ends. */
export function wholeFiles(tree: string, ranked: readonly string[], budget: number): { lines: Lines; tokens: number } {
  const lines = new Map<string, Set<number>>()
  let tokens = 0
  for (const path of ranked) {
    const shown = new Set<number>()
    lines.set(path, shown)
    for (const [at, line] of readFileSync(join(tree, path), 'utf8').split('\n').entries()) {
      const cost = bytes4(`${line}\n`)
      if (tokens + cost > budget) return { lines, tokens }
      tokens += cost
      shown.add(at + 1)
    }
  }
  return { lines, tokens }
}
