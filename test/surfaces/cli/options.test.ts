import { parseArgs } from 'node:util'
import { describe, expect, it } from 'vitest'
import { findFault, type OptionKinds, splitOptions } from '../../../src/surfaces/cli/options.ts'
import { fc, forAll } from '../../support/property.ts'

const KINDS: OptionKinds = {
  all: { type: 'boolean' },
  long: { type: 'boolean' },
  limit: { type: 'string', short: 'n' },
  file: { type: 'string' },
}

/** Node takes a word of letters without a value for several options; all our letters have a value. */
const word = fc
  .oneof(
    fc.constantFrom('-', '--', '-a', '-n', '-x', '-na', '-n5', '-n=5', '-5', '--all', '--no-all', '--no-limit'),
    fc.constantFrom('--all=1', '--limit', '--limit=', '--limit=5', '--limit=-5', '--file', '--=x', '--constructor'),
    fc.string({ maxLength: 4 }),
    fc.string({ maxLength: 4 }).map((text) => `-${text}`),
    fc.string({ maxLength: 4 }).map((text) => `--${text}`),
  )
  .filter((text) => !/^-[^-n]./s.test(text))

/** What Node makes of the words, without its checks. */
function splitByNode(args: readonly string[]) {
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options: KINDS,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const options = tokens.flatMap((token) => (token.kind === 'option' ? [token] : []))
  return { options: options.map(({ name, rawName, value }) => ({ name, rawName, value })), positionals }
}

/** Whether Node refuses the words. */
function isRefusedByNode(args: readonly string[]): boolean {
  try {
    parseArgs({ args: [...args], options: KINDS, allowPositionals: true, allowNegative: true })
    return false
  } catch {
    return true
  }
}

describe('a command line', () => {
  it('is split into options and other words as Node splits it', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (args) => {
        const { options, positionals } = splitOptions(args, KINDS)
        const plain = options.map(({ name, rawName, value }) => ({ name, rawName, value }))
        expect({ options: plain, positionals }).toEqual(splitByNode(args))
      }),
      { numRuns: 2000, examples: [[['--==']], [['--=x=y', '--a==']]] },
    )
  })

  it('is refused where Node refuses it', () =>
    forAll(2000, fc.array(word, { maxLength: 4 }), (args) => {
      expect(findFault(splitOptions(args, KINDS).options, KINDS) !== undefined).toBe(isRefusedByNode(args))
    }))
})
