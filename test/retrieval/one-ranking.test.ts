import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))

/** The logarithm of a quotient in which something stands beside a half: how BM25 has an inverse document frequency. */
const INVERSE_FREQUENCY = /Math\.log(?:1p)?\([^\n]*0?\.5\)?\s*\/\s*\([^\n]*0?\.5\)/

describe('how much a term tells', () => {
  it.each([
    ['Math.log(1 + (all - holders + 0.5) / (holders + 0.5))', true],
    ['Math.log((n - df + .5) / (df + .5))', true],
    ['Math.log1p((n - df + 0.5) / (df + 0.5))', true],
    ['Math.log(1 + times)', false],
  ])('shows in %s: %s', (text, shows) => {
    expect(INVERSE_FREQUENCY.test(text)).toBe(shows)
  })

  it('is computed in one place of the product, in the room of retrieval', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
    const found = files.filter((path) => INVERSE_FREQUENCY.test(readFileSync(join(SRC, path), 'utf8')))
    expect(found).toEqual(['retrieval/rank.ts'])
  })
})
