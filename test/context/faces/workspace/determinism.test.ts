import { utimesSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fc, forAllAsync } from '../../../support/property.ts'
import { type Look, open, type Project, project } from '../../../support/workspace.ts'

const SHAPE: Readonly<Record<string, string>> = {
  'AGENTS.md': 'root @docs/guide.md',
  'docs/guide.md': 'guide',
  'App/AGENTS.md': 'App',
  'app/AGENTS.md': 'app',
  'app-x/AGENTS.md': 'app-x',
  'app/ä/AGENTS.md': 'ä',
  'app/z/AGENTS.md': 'z',
  'app/z/KODELET.md': 'shadowed',
  '~/.ambit/AGENTS.md': 'home',
  '~/.kodelet/KODELET.md': 'old home',
}
const TOUCHED = ['app/z/x.ts', 'App/x.ts', 'app-x/x.ts', 'app/ä/x.ts', '../outside.ts']

async function answers(planted: Project, looking: Look = {}) {
  const workspace = await open(planted, { touched: TOUCHED, ...looking })
  const { text, digest } = await workspace.prompt()
  const contexts = await workspace.relevantContexts()
  const ledger = await workspace.ledger()
  return {
    digest,
    text: text.replaceAll(planted.base, ''),
    contexts: contexts.map(({ path, reason, scope }) => `${planted.name(path)} ${scope} ${reason}`),
    ledger: ledger.map(({ uri, ...row }) => ({ ...row, uri: uri.replace(planted.base, '') })),
  }
}

describe('the same tree', () => {
  it('in another checkout, made and touched in any order, gives the same', async () => {
    using reference = project(SHAPE)
    const expected = await answers(reference)
    const orders = fc.tuple(
      fc.shuffledSubarray(Object.keys(SHAPE), { minLength: Object.keys(SHAPE).length }),
      fc.shuffledSubarray(TOUCHED, { minLength: TOUCHED.length }),
    )
    await forAllAsync(40, orders, async ([keys, touched]) => {
      using planted = project(Object.fromEntries(keys.map((key) => [key, SHAPE[key] ?? ''])))
      expect(await answers(planted, { touched })).toEqual(expected)
    })
  })

  it('does not look at the clock', async () => {
    using planted = project(SHAPE)
    const before = await answers(planted)
    for (const [index, key] of Object.keys(SHAPE).entries())
      utimesSync(planted.file(key), index * 1e8, 4e9 - index * 1e8)
    expect(await answers(planted)).toEqual(before)
  })
})

it('the order goes by depth, then by code unit of the path in the tree', async () => {
  using planted = project(SHAPE)
  const { contexts } = await answers(planted)
  expect(contexts.map((line) => line.split(' ')[0])).toEqual(
    (
      'app/z/AGENTS.md app/ä/AGENTS.md App/AGENTS.md app-x/AGENTS.md app/AGENTS.md AGENTS.md docs/guide.md ' +
      '~/.ambit/AGENTS.md ~/.kodelet/KODELET.md'
    ).split(' '),
  )
})
