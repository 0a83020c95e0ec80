import { describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/core/flow.ts'
import type { Packages } from '../../../src/quilt/catalog.ts'
import { entryLine, failure, HEADER, packageOf, registryV1 } from '../../quilt/packages/fixtures.ts'
import type { Held } from '../../support/memory-objects.ts'
import { LABS } from './labs.ts'

const made = packageOf({ 'a.txt': { text: 'one' }, 'b.txt': { text: 'two' } }, { message: 'first' })
const HELD = registryV1({ 'team/data': { 1680720300: made } })
const MANIFEST = `.quilt/packages/${made.hash}`

type Ask = (packages: Packages) => Promise<unknown>
const show: Ask = (packages) => packages.show({ package: 'lab/team/data' }, SILENT)

function lines(...entries: readonly string[]): Held {
  return { ...HELD, [MANIFEST]: [HEADER, ...entries].map((line) => `${line}\n`).join('') }
}

/* What is missing, near or not a hash is recorded by `test/contract/quilt.test.ts`. */
describe.each(LABS)('in %s', (_, labOf) => {
  it('a manifest that is empty is told of', async () => {
    await using lab = await labOf({ ...HELD, [MANIFEST]: '' })
    const { code, message } = await failure(show(await lab.engine.packages()))
    expect([code, message]).toEqual(['invalid-input', expect.stringContaining(`${lab.uri}/${MANIFEST} is empty.`)])
  })

  it('a manifest that was changed is shown, and found by the check', async () => {
    const changed = made.manifest.replace('"first"', '"forged"')
    await using lab = await labOf({ ...HELD, [MANIFEST]: changed })
    const packages = await lab.engine.packages()
    const shown = await packages.show({ package: 'lab/team/data' }, SILENT)
    expect(shown).toMatchObject({ hash: made.hash, message: 'forged' })
    expect(shown.computedHash).toMatch(/^[0-9a-f]{64}$/)
    expect(shown.computedHash).not.toBe(made.hash)
    expect(await packages.verify({ package: 'lab/team/data' }, SILENT)).toMatchObject({
      isGood: false,
      isTopHashGood: false,
      computedHash: shown.computedHash,
      verified: 2,
    })
  })

  it('a logical key that leads out is a finding of the check', async () => {
    await using lab = await labOf(lines(entryLine('../a')))
    expect(await (await lab.engine.packages()).verify({ package: 'lab/team/data' }, SILENT)).toMatchObject({
      isGood: false,
      counts: { 'bad-key': 1 },
      reports: [{ line: 2, logicalKey: '../a', detail: expect.stringContaining('it has the segment ".."') }],
    })
  })
})
