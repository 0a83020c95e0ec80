/** What operations ask the person before they write. */

import { expect, it } from 'vitest'
import { openWith } from '../../src/open.ts'
import { operations } from '../../src/operations/index.ts'
import { tree } from '../support/tree.ts'

const named = (name: string) => operations.find((one) => one.name === name)

it.each([
  [{ agent: ['claude'] }, undefined, true],
  [{ agent: ['claude'] }, 'would change', true],
  [{ agent: ['claude'] }, 'unchanged', false],
  [{}, 'would change', false],
])('init of %j with a file that is planned as %j asks: %j', (input, state, asks) =>
  expect(named('init')?.asks?.(input as never, state && ({ files: [{ state }] } as never))).toBe(asks),
)

it('a rebuild of a database that is whole asks, unless it is given --yes', async () => {
  using at = tree({})
  const engine = openWith({ db: at.at('a.db'), file: undefined, unknown: [], home: false })
  try {
    await (await engine.library()).collections.list()
    const asked = [false, true].map((yes) => named('index.rebuild')?.confirms?.(engine, { yes }))
    expect(await Promise.all(asked)).toEqual([expect.stringContaining('Rebuild it anyway'), undefined])
  } finally {
    await engine.close()
  }
})
