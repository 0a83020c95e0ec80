import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AnchorLookup, anchorsIn } from '../../src/drift/citations/anchors.ts'
import { commandLines, commandsIn, isShell, simpleCommands } from '../../src/drift/citations/commands.ts'
import { type Reference, referencesIn } from '../../src/drift/citations/references.ts'
import { citedPath, destinationIn, isExample, isFileName, isGenerated } from '../../src/drift/citations/shape.ts'
import { citationState, structureOf } from '../../src/drift/citations/structure.ts'
import { findDrift } from '../../src/drift/drift.ts'
import { SOON } from '../support/soon.ts'
import { driftIn, plant } from './fixtures.ts'

const REPEATED = 50_000

function reference(kind: Reference['kind'], text: string): Reference {
  return { kind, line: 1, cited: 'a/b.ts', before: text, around: text }
}

function state(reference: Reference, text: string) {
  const structure = structureOf(text)
  const [first, last] = [structure(1), structure(text.split('\n').length)]
  return [first, last].map((line) =>
    citationState({ reference, structure: line, wasThere: false, isHistoryKnown: false, hasDirectory: false }),
  )
}

const SCANNERS: Readonly<Record<string, (text: string) => unknown>> = {
  referencesIn,
  anchorsIn,
  'anchorsIn, in a heading': (text) => anchorsIn(`# a${text}x\n<h1>${text}</h1>\n\n${text}\n===`),
  'Anchors.has': (text) => new AnchorLookup().has('# a', text),
  commandsIn,
  simpleCommands,
  commandLines: (text) => [commandLines(text, 'sh'), commandLines(`$ a\n${text}`, '')],
  isShell,
  stateOf: (text) => [state(reference('span', `new ${text}`), ''), state(reference('command', text), text)],
  'stateOf, below a heading': (text) => state(reference('link', `like ${text}`), `# ${text}\n\n${text}:\n\n- ${text}`),
  structureOf: (text) => [structureOf(text)(1), structureOf(text)(text.split('\n').length)],
  pathIn: (text) => [citedPath(text), citedPath(`a/${text.slice(0, 400)}`), citedPath(`${text.slice(0, 400)}b.ts`)],
  destinationIn,
  isFileName,
  isExample,
  isGenerated,
}

const UNITS = [
  ...['`', '``` ', '*', '_', '[', ']', '](', '![', '[a](b', '[a](b "', '<!--', '-->', '<', '<a id', '<h1>', '$', '#'],
  ...' |\t|\n|> |a/|/|../|.|.a|.a:|@a|@a |"|"\'|\\|\\ |\\\n|{#a|<<A |%2'.split('|'),
  ...'new ¦not ¦no use the ¦a b ¦X¦:¦(¦(a)¦-¦1. ¦=¦[a]: ¦]: ¦| ¦&&¦;¦cd a;'.split('¦'),
]

describe.each(Object.entries(SCANNERS))('%s', (_, scan) => {
  it('reads what is repeated often in little time', () => {
    const slow = UNITS.filter((unit) => {
      const start = performance.now()
      for (const text of [unit.repeat(REPEATED), `${unit.repeat(REPEATED)}x`]) scan(text)
      return performance.now() - start > SOON
    })
    expect(slow).toEqual([])
  })
})

/** Milliseconds that it takes to find what is gone of a text. */
async function timeOf(files: Readonly<Record<string, string>>, text: string): Promise<number> {
  using planted = plant(files)
  const start = performance.now()
  await driftIn(planted, text)
  return performance.now() - start
}

describe('a small hostile tree', () => {
  const many = (count: number, text: (index: number) => string) =>
    Array.from({ length: count }, (_, at) => text(at)).join('\n')
  const manifest = JSON.stringify({
    scripts: Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`s${at}`, 'x'])),
  })

  it.each<[what: string, files: Readonly<Record<string, string>>, text: string]>([
    ['marks before a citation', { 'src/a.ts': '' }, `new ${'*'.repeat(100)} a b c d \`src/gone.ts\``],
    ['a heading of spaces', {}, `# a${' '.repeat(200_000)}x\n\n[x](#nope)`],
    ['a heading of spaces before a brace', {}, `# a${' '.repeat(200_000)}{#x y}\n\n[x](#nope)`],
    ['a Makefile of dollars', { Makefile: '$'.repeat(300_000) }, '`make foo-it`'],
    ['a Makefile of rules', { Makefile: 'a%:\n'.repeat(100_000) }, many(500, (at) => `\`make b${at}\``)],
    ['many here documents', {}, `\`\`\`sh\n${'a <<A\nA\n'.repeat(200_000)}\`\`\``],
    ['a large package.json', { 'package.json': manifest }, many(500, (at) => `\`npm run x${at}\``)],
    ['a huge manifest', { 'package.json': manifest + ' '.repeat(3_000_000) }, many(500, (at) => `\`npm run x${at}\``)],
    ['one long line of citations', { 'src/a.ts': '' }, ']('.repeat(1000) + '`src/gone.ts` '.repeat(5000)],
  ])('with %s is looked through in little time', async (_, files, text) => {
    expect(await timeOf(files, text)).toBeLessThan(SOON)
  })

  it('ends when time is up, and names what it did not come to', async () => {
    using planted = plant({ 'src/a.ts': '' })
    const files = ['a.md', 'b.md'].map((name) => ({ path: join(planted.root, name), text: '`src/gone.ts`' }))
    const { drift, unfinished } = await findDrift({ root: planted.root, files, deadlineMs: 0 })
    expect(drift).toEqual([])
    expect(unfinished).toEqual(files.map(({ path }) => path))
    const outside = [{ path: '/elsewhere/a.md', text: '' }]
    expect((await findDrift({ root: planted.root, files: outside, deadlineMs: 0 })).unfinished).toEqual([])
  })

  it('tells no more than a thousand things of one text', async () => {
    using planted = plant({ 'src/a.ts': '' })
    const text = many(5000, (at) => `\`src/${'../src/'.repeat(60)}gone${at}.ts\``)
    const files = ['a.md', 'b.md'].map((name) => ({ path: join(planted.root, name), text }))
    const { drift, unfinished } = await findDrift({ root: planted.root, files, deadlineMs: 100_000 })
    expect(unfinished).toEqual([])
    expect(drift).toHaveLength(2000)
  })
})
