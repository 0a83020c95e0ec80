import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { plainSchema } from '../../../src/core/answer.ts'
import { SILENT } from '../../../src/core/flow.ts'
import type { Engine, PackageDiffAnswer, PackageLsAnswer, PackageShowAnswer } from '../../../src/engine/engine.ts'
import { operations } from '../../../src/operations/index.ts'
import { packageReading } from '../../../src/operations/packages/read.ts'
import { commandWords } from '../../../src/operations/schema.ts'
import { LABS } from '../../context/catalog/labs.ts'
import { elementsOf } from '../../context/renderers/xml-scanner.ts'
import { packageOf, registryV1 } from '../../quilt/packages/fixtures.ts'

const { ls: packageLsOperation, show: showPackage } = packageReading

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
      expect([operation.effect, ...commandWords(operation)]).toEqual(['read', 'package', name.replace('packages.', '')])
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
  it.each([{}, 0, false, '', []])('shows metadata of %j, too', (userMeta) => {
    expect(showPackage.text({ ...SHOWN, userMeta })).toContain(`metadata\n  ${JSON.stringify(userMeta)}\n`)
    expect(showPackage.text({ ...SHOWN, userMeta }, { package: 'a', format: 'xml' })).toContain(
      `<package-metadata>\n${JSON.stringify(userMeta)}\n</package-metadata>\n`,
    )
  })

  it('keeps numbers as they were written', () => {
    const userMeta = { big: (JSON as unknown as { rawJSON(text: string): never }).rawJSON('1.0e+16') }
    expect(showPackage.text({ ...SHOWN, userMeta })).toContain('"big": 1.0e+16')
    expect(JSON.stringify({ ...SHOWN, userMeta })).toContain('"userMeta":{"big":1.0e+16}')
  })
})

describe('the other answers as they are printed', () => {
  it('say how many changes are not shown', () => {
    const [changes, before] = [[], SHOWN]
    const counts = { added: 1, removed: 0, changed: 0, unchanged: 0 }
    const message = { before: null, after: null }
    const answer: PackageDiffAnswer = { before, after: before, message, header: [], metadata: [], changes, ...counts }
    expect(packageReading.diff.notices?.(answer)).toEqual(['1 more: --limit N shows them.'])
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
})
