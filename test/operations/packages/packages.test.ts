import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { plainSchema } from '../../../src/core/answer.ts'
import { SILENT } from '../../../src/core/flow.ts'
import type {
  Engine,
  PackageDiffAnswer,
  PackageLogAnswer,
  PackageLsAnswer,
  PackageShowAnswer,
} from '../../../src/engine/engine.ts'
import { operations } from '../../../src/operations/index.ts'
import { packageReading } from '../../../src/operations/packages/read.ts'
import { packageTransfer } from '../../../src/operations/packages/transfer.ts'
import { LABS } from '../../context/catalog/labs.ts'
import { elementsOf } from '../../context/renderers/xml-scanner.ts'
import { packageOf, registryV1 } from '../../quilt/packages/fixtures.ts'

const { cat, verify } = packageTransfer

const {
  list: listPackages,
  log,
  diff: packageDiffOperation,
  ls: packageLsOperation,
  show: showPackage,
} = packageReading

const EVIL = '\u001b[31mred\u0007\n\u202eoff'
const first = packageOf(
  { 'a.txt': { text: 'one' }, 'b/c.txt': { text: 'two' } },
  { message: `first ${EVIL}`, user_meta: { [`k${EVIL}`]: `</package-metadata>${EVIL}` } },
)
const second = packageOf({ 'a.txt': { text: 'other' }, 'd.txt': { text: '' } }, { message: 'second' })
const HELD = registryV1({ 'team/data': { 1680720300: first, 1680720661: second } })

/** What each is asked, and what it answers by its own schema. */
const ASKED: Readonly<Record<string, object>> = {
  'packages.list': {},
  'packages.search': { words: ['second', 'txt'] },
  'packages.show': { package: 'lab/team/data' },
  'packages.log': { package: 'lab/team/data' },
  'packages.diff': { before: 'lab/team/data:1680720300', after: 'lab/team/data' },
  'packages.ls': { package: 'lab/team/data:1680720300' },
  'packages.cat': { package: 'lab/team/data', path: 'a.txt' },
  'packages.verify': { package: 'lab/team/data' },
}

/** What writes, which has tests of its own. */
const WRITING = ['packages.get', 'packages.push']

async function answered(engine: Engine, name: string, given = ASKED[name]) {
  const operation = operations.find((one) => one.name === name)
  if (!operation) throw new Error(`There is no ${name}.`)
  const input = operation.input.parse(given)
  const output = await operation.run(engine, input, SILENT)
  return { operation, input, output, text: operation.text(output, input) }
}

describe.each(LABS)('operations on packages in %s', (_, labOf) => {
  it('are those of the contract, and their answers are as their schemas say', async () => {
    await using lab = await labOf(HELD)
    expect(operations.filter(({ name }) => name.startsWith('packages.')).map(({ name }) => name)).toEqual([
      ...Object.keys(ASKED),
      ...WRITING,
    ])
    const ajv = new Ajv2020({ strict: false })
    for (const name of Object.keys(ASKED)) {
      const { operation, output, text } = await answered(lab.engine, name)
      const validate = ajv.compile(closed(plainSchema(operation.output()) as object))
      expect([name, validate(JSON.parse(JSON.stringify(output))), validate.errors]).toEqual([name, true, null])
      expect(text).toMatch(/\S\n?$/)
      expect([operation.effect, operation.command]).toEqual(['read', name.replace('packages.', 'package ')])
    }
  })

  it('print nothing that a terminal would obey, whatever the makers of packages wrote', async () => {
    await using lab = await labOf(HELD)
    const asked = [
      ['packages.show', { package: 'lab/team/data:1680720300' }],
      ['packages.log', { package: 'lab/team/data' }],
      ['packages.diff', ASKED['packages.diff']],
    ] as const
    for (const [name, given] of asked) {
      const { text } = await answered(lab.engine, name, given)
      expect(text).toContain('[31mred')
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    }
  })

  it('print a package in a frame for models, with the metadata of its maker', async () => {
    await using lab = await labOf(HELD)
    const { text } = await answered(lab.engine, 'packages.show', { package: 'lab/team/data:1680720300', format: 'xml' })
    const elements = elementsOf(text.replace(/<notice>[^<]*<\/notice>\n/g, ''))
    expect(elements.map(({ name }) => name)).toEqual(['package-info', 'package-metadata'])
    expect(text.match(/<notice>/g)).toHaveLength(2)
    const plain = await answered(lab.engine, 'packages.show', { package: 'lab/team/data', format: 'xml' })
    expect(plain.text).toMatch(/^<package-info>\n\{\n {2}"bucket": ".*",\n {2}"name": "team\/data",\n {2}"hash": /)
    expect(plain.text).not.toContain('package-metadata')
  })
})

/** What is not in a schema is not in the answer. */
function closed(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema, (_, value) =>
      value && typeof value === 'object' && value.properties && value.additionalProperties === undefined
        ? { ...value, additionalProperties: false }
        : value,
    ),
  )
}

const HASH = 'ab'.repeat(32)
const SHOWN: PackageShowAnswer = {
  bucket: 'lab',
  name: 'team/data',
  hash: HASH,
  computedHash: HASH,
  modified: '2023-04-05T18:45:00.000Z',
  message: 'first',
  userMeta: null,
  workflow: null,
  totalEntries: 1,
  totalBytes: 1234,
}

describe('a package as it is printed', () => {
  it('is aligned, with what people look for first', () => {
    expect(showPackage.text({ ...SHOWN, userMeta: { a: 1 } })).toBe(
      [
        'package   team/data',
        'bucket    lab',
        `hash      ${HASH}`,
        'computed  the same',
        'modified  2023-04-05T18:45:00Z',
        'message   first',
        'entries   1 entry, 1.2 kB',
        'metadata',
        '  {',
        '    "a": 1',
        '  }',
        '',
      ].join('\n'),
    )
    expect(showPackage.notices?.(SHOWN)).toEqual([])
  })

  it.each([{}, 0, false, '', []])('shows metadata of %j, too', (userMeta) => {
    expect(showPackage.text({ ...SHOWN, userMeta })).toContain(`metadata\n  ${JSON.stringify(userMeta)}\n`)
    expect(showPackage.text({ ...SHOWN, userMeta }, { package: 'a', format: 'xml' })).toContain(
      `<package-metadata>\n${JSON.stringify(userMeta)}\n</package-metadata>\n`,
    )
  })

  it.each([
    ['another hash', { computedHash: 'cd'.repeat(32) }, 'The manifest is not the one that its hash names'],
    ['none', { computedHash: null, problem: 'Line 2 has none.' }, 'Its hash cannot be computed: Line 2 has none.'],
  ])('says so when it has %s', (_, given, notice) => {
    expect(showPackage.notices?.({ ...SHOWN, ...given })).toEqual([expect.stringContaining(notice)])
  })

  it('keeps numbers as they were written', () => {
    const userMeta = { big: (JSON as unknown as { rawJSON(text: string): never }).rawJSON('1.0e+16') }
    expect(showPackage.text({ ...SHOWN, userMeta })).toContain('"big": 1.0e+16')
    expect(JSON.stringify({ ...SHOWN, userMeta })).toContain('"userMeta":{"big":1.0e+16}')
  })
})

describe('the other answers as they are printed', () => {
  it('are lines: revisions with a mark at the latest, and what names them', () => {
    const answer: PackageLogAnswer = {
      bucket: 'lab',
      name: 'team/data',
      latest: HASH,
      total: 5,
      revisions: [
        { hash: HASH, modified: SHOWN.modified ?? '', pointers: ['1680720300', 'v2'], isLatest: true, message: 'two' },
        { hash: HASH, modified: SHOWN.modified ?? '', pointers: [], isLatest: false, message: null },
        { hash: HASH, modified: SHOWN.modified ?? '', pointers: [], isLatest: false, message: null, problem: 'Gone.' },
      ],
    }
    expect(log.text(answer)).toBe(
      [
        '*  abababababab  2023-04-05T18:45:00Z  [v2] two',
        '   abababababab  2023-04-05T18:45:00Z',
        '   abababababab  2023-04-05T18:45:00Z  ! Gone.',
        '',
      ].join('\n'),
    )
    expect(log.notices?.(answer)).toEqual(['2 older: --limit N shows more.'])
    expect(log.notices?.({ ...answer, total: 3, latest: 'ef'.repeat(32) })).toEqual([
      `The latest is ${'ef'.repeat(32)}, which is not among these.`,
    ])
  })

  it('are lines: changes with a sign', () => {
    const state = { size: 1000, hash: { type: 'SHA256', value: HASH } }
    const answer: PackageDiffAnswer = {
      before: SHOWN,
      after: { ...SHOWN, hash: 'cd'.repeat(32) },
      message: { before: 'one', after: null },
      header: ['userMeta'],
      metadata: [
        { change: 'changed', path: '/by\u001b', before: '"Ann"', after: '"Bob"' },
        { change: 'added', path: '/n', after: '1' },
      ],
      added: 2,
      removed: 1,
      changed: 1,
      unchanged: 7,
      changes: [
        { change: 'added', logicalKey: 'a', after: { size: null, hash: null } },
        { change: 'removed', logicalKey: 'long/b', before: state },
        {
          change: 'changed',
          logicalKey: 'c',
          differences: ['size', 'hash'],
          before: state,
          after: { ...state, size: 1 },
        },
      ],
    }
    expect(packageDiffOperation.text(answer)).toBe(
      [
        'team/data@abababababab → team/data@cdcdcdcdcdcd',
        'message: one → none',
        'the metadata differs',
        '~  metadata /by\\u{1b}  "Ann" → "Bob"',
        '+  metadata /n  1',
        '+  a                  ?',
        '-  long/b        1.0 kB',
        '~  c       1.0 kB → 1 B  size, hash',
        '2 added, 1 removed, 1 changed, 7 unchanged',
        '',
      ].join('\n'),
    )
    expect(packageDiffOperation.notices?.(answer)).toEqual(['1 more: --limit N shows them.'])
  })

  it('are lines: what a directory holds', () => {
    const answer: PackageLsAnswer = {
      ...{ bucket: 'lab', name: 'team/data', hash: HASH, path: '', userMeta: null },
      ...{ totalEntries: 3, totalBytes: 3, totalChildren: 3, next: 'c' },
      children: [
        { kind: 'directory', name: 'a\u001b', totalEntries: 2, totalBytes: 2000 },
        { kind: 'entry', name: 'c', size: 1, hash: { type: 'X', value: HASH }, physicalKey: 'x', userMeta: null },
        { kind: 'entry', name: 'd', size: null, hash: null, physicalKey: 'x', userMeta: null },
      ],
    }
    expect(packageLsOperation.text(answer)).toBe(
      ['a\\u{1b}/  2.0 kB  2 entries', 'c            1 B  abababababab', 'd              ?', ''].join('\n'),
    )
    expect(packageLsOperation.notices?.(answer)).toEqual(['3 of 3 are shown: --after c shows more.'])
    expect(packageLsOperation.text({ ...answer, children: [] })).toBe('It is empty.\n')
  })

  it('say where there is more, and what went wrong', () => {
    const answer = {
      packages: [],
      more: [{ registry: 'lab', after: 'a/b' }],
      problems: [{ registry: 'x', message: 'Gone.' }],
    }
    expect(listPackages.notices?.(answer)).toEqual(['There are more in lab: --after a/b shows more.', 'x: Gone.'])
    expect([listPackages.text(answer), listPackages.failed?.(answer)]).toEqual(['', true])
    expect(listPackages.text({ ...answer, problems: [] })).toBe('There are no packages here.\n')
  })

  it('say what a check came to', () => {
    const answer = {
      ...SHOWN,
      ...{ isGood: false, isTopHashGood: true, totalEntries: 3, verified: 1, counts: { missing: 2 } },
      reports: [{ line: 2, logicalKey: 'a', problem: 'missing' as const, detail: 'It is gone.' }],
    }
    expect(verify.text(answer)).toBe(
      [
        'missing  a  line 2: It is gone.',
        'The manifest has the hash that names it.',
        '1 of 3 entries verified (1.2 kB), 2 missing.',
        'team/data@abababababab is not intact.',
        '',
      ].join('\n'),
    )
    expect([verify.failed?.(answer), verify.notices?.(answer)]).toEqual([
      true,
      ['1 more entries have a problem; only the first 1 are shown.'],
    ])
    const good = { ...answer, isGood: true, counts: {}, reports: [] }
    expect([verify.failed?.(good), verify.notices?.(good)]).toEqual([false, []])
    expect(verify.text(good, { package: 'a', topHashOnly: true })).toBe(
      'The manifest has the hash that names it.\nteam/data@abababababab is good as far as it was looked at.\n',
    )
    expect(verify.text({ ...good, verified: 2, counts: { outside: 1 } })).toContain(
      '2 of 3 entries verified (1.2 kB), 1 outside.\nteam/data@abababababab is good as far as it was looked at.\n',
    )
    expect(verify.text({ ...good, verified: 3 })).toContain('team/data@abababababab is good.\n')
  })

  it('say what is not sure of an entry', () => {
    const answer = {
      bucket: 'lab',
      name: 'a/b',
      hash: HASH,
      path: 'a',
      size: 1,
      text: 'x',
      replaced: 0,
      isVerified: true,
    }
    expect([cat.text(answer), cat.notices?.(answer)]).toEqual(['x', []])
    expect(cat.notices?.({ ...answer, replaced: 2, isVerified: false })).toHaveLength(2)
  })
})
