/** A collection is opened where its root led when it was added, and nowhere else. */

import { renameSync, symlinkSync, unlinkSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SILENT } from '../../src/core/flow.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { openWith } from '../../src/open.ts'
import { tree } from '../support/tree.ts'

const SECRET = 'zweihander'
const SHAPE = { 'docs/g.md': '# Guide\n', 'link -> docs': '', 'private/g.md': `# ${SECRET}\n` }

function opened(): Engine {
  return openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
}

const OPENINGS: readonly (readonly [what: string, open: (engine: Engine) => Promise<unknown>])[] = [
  ['index', async (engine) => (await engine.library()).collections.index({ names: ['docs'] })],
  ['a listing', async (engine) => (await engine.placeReader()).browse({ place: 'docs' }, SILENT)],
  [
    'a reading',
    async (engine) => (await engine.placeReader()).read('ambit://docs/g.md', undefined, new AbortController().signal),
  ],
  ['a context', async (engine) => engine.load({ place: 'ambit://docs/' }, SILENT)],
]

it.each(OPENINGS)(
  '%s is refused where the root leads elsewhere, and not where it was a link before',
  async (_, open) => {
    using planted = tree(SHAPE)
    const engine = opened()
    const { collections } = await engine.library()
    await collections.add({ name: 'docs', root: planted.at('link') })
    await collections.index()
    await open(engine)
    unlinkSync(planted.at('link'))
    symlinkSync('private', planted.at('link'))
    await expect(open(engine)).rejects.toMatchObject({ code: 'denied', hint: expect.stringContaining('add it again') })
    expect((await collections.status()).collections[0]?.problem).toContain('led to')
    await engine.close()
  },
)

it('of an older version remembers it when it is indexed', async () => {
  using planted = tree(SHAPE)
  const engine = opened()
  const { collections, port } = await engine.library()
  await port.collections.add({ name: 'docs', root: planted.at('docs'), patterns: [], exclude: [] })
  await collections.index()
  renameSync(planted.at('docs'), planted.at('before'))
  symlinkSync('private', planted.at('docs'))
  await expect(collections.index()).rejects.toMatchObject({ code: 'denied' })
  await engine.close()
})
