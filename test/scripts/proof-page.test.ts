import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PARTS } from '../../scripts/prove/parts.ts'
import { commitsOf, knownOf, section } from '../../scripts/prove/results.ts'
import { ROOT } from '../source-files.ts'

describe('the page of the proof', () => {
  const page = readFileSync(join(ROOT, 'docs/figures/proof.md'), 'utf8')
  const known = PARTS.map(knownOf)

  it('names the commits of the results that are stored', () => {
    expect(page).toContain(`\n${commitsOf(known)}\n`)
  })

  it.each(known)('shows the stored results of $part', (one) => {
    expect(page).toContain(section(one))
  })
})
