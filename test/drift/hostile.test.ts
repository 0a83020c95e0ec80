import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findDrift } from '../../src/drift/drift.ts'
import { DriftFinder } from '../../src/drift/lookup/finder.ts'
import { TreeLookup } from '../../src/drift/lookup/lookup.ts'
import { openRoot } from '../../src/files/disk.ts'
import { SOON } from '../support/soon.ts'
import { plant } from './fixtures.ts'

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
    using planted = plant(files)
    const request = { root: planted.root, files: [{ path: join(planted.root, 'AGENTS.md'), text }] }
    expect((await findDrift({ ...request, deadlineMs: SOON })).unfinished).toEqual([])
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

  it('ends between two citations of a text when time is up', () => {
    using planted = plant({ 'src/a.ts': '' })
    const lookup = new TreeLookup(openRoot(planted.root), { levels: 3, directories: 3 })
    const isOver = [false, false, true]
    const found = new DriftFinder({ lookup, history: undefined }).find(
      'a.md',
      '`src/b.ts` `src/c.ts`',
      () => isOver.shift() ?? true,
    )
    expect(found).toMatchObject({ missing: [{ cited: 'src/b.ts' }], isFinished: false })
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
