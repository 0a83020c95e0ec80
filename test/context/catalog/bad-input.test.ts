import { describe, expect, it } from 'vitest'
import { SILENT } from '../../../src/core/flow.ts'
import type { Packages } from '../../../src/quilt/catalog.ts'
import { entryLine, failure, HEADER, packageOf, registryV1 } from '../../quilt/packages/fixtures.ts'
import type { Held } from '../../support/memory-objects.ts'
import { LABS } from './labs.ts'

const made = packageOf({ 'a.txt': { text: 'one' }, 'b.txt': { text: 'two' } }, { message: 'first' })
const HELD = registryV1({ 'team/data': { 1680720300: made } })
const MANIFEST = `.quilt/packages/${made.hash}`
const LATEST = '.quilt/named_packages/team/data/latest'

type Ask = (packages: Packages) => Promise<unknown>
const show: Ask = (packages) => packages.show({ package: 'lab/team/data' }, SILENT)

function lines(...entries: readonly string[]): Held {
  return { ...HELD, [MANIFEST]: [HEADER, ...entries].map((line) => `${line}\n`).join('') }
}

type Row = readonly [what: string, held: Held, ask: Ask, code: string, message: string]

const ROWS: readonly Row[] = [
  ['a manifest that is empty', { ...HELD, [MANIFEST]: '' }, show, 'invalid-input', 'is empty.'],
  ['a line that is not an object', lines('[]'), show, 'invalid-input', 'Line 2 is not an object.'],
  ['a pointer to it', { ...HELD, [LATEST]: 'main' }, show, 'invalid-input', 'holds "main", which is not a top hash'],
  [
    'a hash that there is none of',
    HELD,
    (packages) => packages.show({ package: `lab/team/data@${'0'.repeat(64)}` }, SILENT),
    'not-found',
    `There is no team/data@${'0'.repeat(64)} in`,
  ],
  [
    'a tag that there is none of',
    HELD,
    (packages) => packages.show({ package: 'lab/team/data:v9' }, SILENT),
    'not-found',
    'The package team/data has no pointer v9 in',
  ],
]

describe.each(LABS)('in %s', (_, labOf) => {
  it.each(ROWS)('%s is told of', async (__, held, ask, code, message) => {
    await using lab = await labOf(held)
    const told = await failure(ask(await lab.engine.packages()))
    expect(told).toMatchObject({ code, message: expect.stringContaining(message) })
    expect(told.message).toContain(lab.uri)
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

  it('a package without hashes has no hash itself, and says which line is why', async () => {
    await using lab = await labOf(lines(entryLine('a.txt', { hash: null })))
    expect(await (await lab.engine.packages()).show({ package: 'lab/team/data' }, SILENT)).toMatchObject({
      computedHash: null,
      problem: 'Line 2 has no hash.',
    })
  })

  it.each([
    ['lab/team/dta', 'There is no package team/dta in', 'Similar: lab/team/data.'],
    ['lab/tem/data', 'There is no package tem/data in', 'Similar: lab/team/data.'],
    ['lab/far/away', 'There is no package far/away in', '"ambit package list lab" shows which there are.'],
    ['lab/team/data:v9', 'has no pointer v9', 'There are 1680720300, latest. "ambit package log lab/team/data" shows'],
    ['lba/team/data', 'There is no collection "lba".', 'Did you mean lab?'],
  ])('a package that there is none of is answered with what there is: %s', async (name, message, hint) => {
    await using lab = await labOf(HELD)
    const packages = await lab.engine.packages()
    const asks = [
      packages.show({ package: name }, SILENT),
      packages.verify({ package: name }, SILENT),
      packages.diff({ before: 'lab/team/data', after: name }, SILENT),
    ]
    for (const asked of asks) {
      expect(await failure(asked)).toMatchObject({
        code: 'not-found',
        message: expect.stringContaining(message),
        hint: expect.stringContaining(hint),
      })
    }
  })

  it('a log of one revision is refused', async () => {
    await using lab = await labOf(HELD)
    const told = await failure((await lab.engine.packages()).log({ package: 'lab/team/data:latest' }, SILENT))
    expect(told).toMatchObject({ code: 'invalid-input', message: 'The log lists all revisions of a package.' })
  })

  it('a name to go on behind is of one place', async () => {
    await using lab = await labOf(HELD)
    const told = await failure((await lab.engine.packages()).list({ after: 'a/b' }, SILENT))
    expect(told).toMatchObject({ code: 'invalid-input' })
  })
})
