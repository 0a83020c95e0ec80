import { describe, expect, it } from 'vitest'
import { SOON } from '../../../support/soon.ts'
import type { Shape } from '../../../support/tree.ts'
import { type Look, look, open, project, seen } from '../../../support/workspace.ts'

const here = 'the working directory'

/** What is seen below the root's AGENTS.md. */
async function imports(text: string, shape: Shape, looking: Look = {}) {
  const { contexts, left } = await look({ 'AGENTS.md': text, ...shape }, looking)
  expect(contexts[0]).toBe(`AGENTS.md project: ${here}`)
  return { contexts: contexts.slice(1), left }
}

describe('an import', () => {
  it.each<[string, string, Shape, readonly string[], readonly string[]]>([
    ['of a file beside', '@b.md', { 'b.md': 'b' }, ['b.md project: imported by AGENTS.md'], []],
    ['of a file below', '@docs/b.md', { 'docs/b.md': 'b' }, ['docs/b.md nested: imported by AGENTS.md'], []],
    ['of a path that does not exist', '@docs/b.md', {}, [], ['docs/b.md: missing']],
    ['of someone', 'Ask @someone or @org/team, use @scope/pkg', {}, [], []],
    ['of a directory', '@docs', { 'docs/': '' }, [], []],
    ['of a directory, by its path', '@./docs', { 'docs/': '' }, [], ['docs: unreadable']],
    ['of an empty file', '@b.md', { 'b.md': ' ' }, [], ['b.md: empty']],
    ['of an ignored file', '@b.md', { 'b.md': 'b', '.gitignore': 'b.md' }, [], ['b.md: excluded']],
    ['out of the root', '@../out/b.md', { '../out/b.md': 'secret' }, [], ['../out/b.md: denied']],
    ['out of the root into a sibling', '@../w-evil/b.md', { '../w-evil/b.md': 'x' }, [], ['../w-evil/b.md: denied']],
    ['out of the root by a link', '@b.md', { 'b.md -> ../out/b.md': '', '../out/b.md': 'x' }, [], ['b.md: denied']],
    ['out of the root by a directory', '@d/b.md', { 'd -> ../out': '', '../out/b.md': 'x' }, [], ['d/b.md: denied']],
    ['from the file system', '@/etc/passwd', {}, [], ['../../../etc/passwd: denied']],
    ['of the environment', '@.env', { '.env': 'KEY=1' }, [], ['.env: denied']],
    ['of a secret by a link', '@b.md', { 'b.md -> .env': '', '.env': 'KEY=1' }, [], ['b.md: denied']],
    ['of itself', '@AGENTS.md', {}, [], []],
    ['twice', '@b.md @./b.md', { 'b.md': 'b' }, ['b.md project: imported by AGENTS.md'], []],
    [
      'by two names',
      '@b.md @c.md',
      { 'b.md': 'b', 'c.md -> b.md': '' },
      ['b.md project: imported by AGENTS.md'],
      ['c.md: duplicate'],
    ],
    ['of a shadowed file', '@CLAUDE.md', { 'CLAUDE.md': 'c' }, ['CLAUDE.md project: imported by AGENTS.md'], []],
  ])('%s', async (_, text, shape, contexts, left) => {
    expect(await imports(text, shape)).toEqual({ contexts, left })
  })

  it('of an ignored personal override is followed', async () => {
    const shape = { 'b.local.md': 'b', '.gitignore': '*.local.md' }
    expect((await imports('@b.local.md', shape)).contexts).toEqual(['b.local.md project: imported by AGENTS.md'])
  })

  it('is seen from the file that holds it', async () => {
    const shape = { 'docs/a.md': '@b.md @../c.md', 'docs/b.md': 'b', 'c.md': 'c' }
    expect((await imports('@docs/a.md', shape)).contexts).toEqual([
      'docs/a.md nested: imported by AGENTS.md',
      'docs/b.md nested: imported by docs/a.md',
      'c.md project: imported by docs/a.md',
    ])
  })

  it('in a circle ends', async () => {
    const shape = { 'b.md': '@c.md', 'c.md': '@b.md @AGENTS.md @c.md' }
    expect(await imports('@b.md', shape)).toEqual({
      contexts: ['b.md project: imported by AGENTS.md', 'c.md project: imported by b.md'],
      left: [],
    })
  })

  it('may nest five deep; the sixth is left', async () => {
    const shape = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((level) => [`${level}.md`, `@${level + 1}.md`]))
    const { contexts, left } = await imports('@1.md', shape)
    expect(contexts.map((line) => line.split(' ')[0])).toEqual(['1.md', '2.md', '3.md', '4.md', '5.md'])
    expect(left).toEqual(['6.md: over-limit'])
  })

  it('counts the fewest steps to a file', async () => {
    const chain = Object.fromEntries([1, 2, 3, 4, 5].map((level) => [`${level}.md`, `@${level + 1}.md`]))
    const { contexts, left } = await imports('@1.md @5.md', { ...chain, '6.md': 'reached by the short way' })
    expect(contexts.map((line) => line.split(' ')[0])).toEqual(['1.md', '2.md', '3.md', '4.md', '5.md', '6.md'])
    expect(left).toEqual([])
  })

  it('does not move a file that applies by itself', async () => {
    const shape = { 'AGENTS.md': 'root', 'a/AGENTS.md': 'a', 'a/b/AGENTS.md': '@../../AGENTS.md\n@../AGENTS.md' }
    expect(await look(shape, { touched: ['a/b/x'] })).toEqual({
      contexts: [
        'a/b/AGENTS.md nested: touched a/b/x',
        'a/AGENTS.md nested: touched a/b/x',
        `AGENTS.md project: ${here}`,
      ],
      left: [],
    })
  })

  it('brings in a rule whatever paths that is for', async () => {
    const shape = { 'AGENTS.md': '@a/AGENTS.md', 'a/AGENTS.md': '---\npaths: "*.py"\n---\nx' }
    const { contexts, left } = await look(shape, { touched: ['a/x.ts'] })
    expect(contexts).toEqual([`AGENTS.md project: ${here}`, 'a/AGENTS.md nested: imported by AGENTS.md'])
    expect(left).toEqual([])
  })

  it('stands after its importer, before what is more general', async () => {
    const shape = { 'AGENTS.md': '@z.md', 'z.md': 'z', 'a/AGENTS.md': '@../y.md', 'y.md': 'y' }
    const { contexts } = await look(shape, { touched: ['a/x'] })
    expect(contexts.map((line) => line.split(' ')[0])).toEqual(['a/AGENTS.md', 'y.md', 'AGENTS.md', 'z.md'])
  })

  it('of the same file by two files happens once, by the nearer', async () => {
    const shape = { 'AGENTS.md': '@z.md', 'z.md': 'z', 'a/AGENTS.md': '@../z.md' }
    const { contexts, left } = await look(shape, { touched: ['a/x'] })
    expect(contexts.map((line) => line.split(' ')[0])).toEqual(['a/AGENTS.md', 'z.md', 'AGENTS.md'])
    expect(left).toEqual([])
  })

  it('tells by whom a file was wanted that is not there', async () => {
    using planted = project({ 'AGENTS.md': '@../out/b.md', '../out/b.md': 'x' })
    const rows = await (await open(planted)).ledger()
    expect(rows.at(-1)?.detail).toBe('Imported by AGENTS.md, but outside the root: never read.')
  })
})

describe('an import from the home directory', () => {
  it.each<[string, Shape, readonly string[], readonly string[]]>([
    ['of the project is denied', { 'AGENTS.md': '@~/notes.md', '~/notes.md': 'n' }, [], ['~/notes.md: denied']],
    ['of the project is denied where nothing is', { 'AGENTS.md': '@~/notes.md' }, [], ['~/notes.md: denied']],
    [
      'of the home itself is read',
      { '~/.ambit/AGENTS.md': '@~/notes.md @more.md', '~/notes.md': 'n', '~/.ambit/more.md': 'm' },
      [
        '~/.ambit/AGENTS.md home: home',
        '~/notes.md home: imported by ~/.ambit/AGENTS.md',
        '~/.ambit/more.md home: imported by ~/.ambit/AGENTS.md',
      ],
      [],
    ],
    [
      'of the home is denied for secrets, and out of it',
      { '~/.ambit/AGENTS.md': '@~/.ssh/id_rsa @../../out.md', '~/.ssh/id_rsa': 'k', '../out.md': 'x' },
      ['~/.ambit/AGENTS.md home: home'],
      ['~/.ssh/id_rsa: denied', '../out.md: denied'],
    ],
  ])('%s', async (_, shape, contexts, left) => {
    const { contexts: all, left: rows } = await look(shape)
    expect({ contexts: all.filter((line) => !line.startsWith('AGENTS.md')), left: rows }).toEqual({ contexts, left })
  })

  it('is denied when there is none', async () => {
    const { left } = await look({ 'AGENTS.md': '@~/notes.md', '~/notes.md': 'n' }, { options: { home: false } })
    expect(left).toEqual(['~/notes.md: denied'])
  })

  it('of a project within it is read', async () => {
    using planted = project({ 'AGENTS.md': '@~/w/b.md', 'b.md': 'b' })
    const workspace = await open(planted, { options: { home: planted.base } })
    expect((await seen(planted, workspace)).contexts).toEqual([
      `AGENTS.md project: ${here}`,
      'b.md project: imported by AGENTS.md',
    ])
  })
})

it('an imported file is seen to change, to come and to go', async () => {
  using planted = project({ 'AGENTS.md': '@b.md @c', 'b.md': 'one' })
  const workspace = await open(planted)
  const now = async () => (await workspace.relevantContexts()).map(({ content }) => content)
  expect(await now()).toEqual(['@b.md @c', 'one'])
  planted.plant({ 'b.md': 'two' })
  expect(await now()).toEqual(['@b.md @c', 'two'])
  planted.plant({ c: 'three' })
  expect(await now()).toEqual(['@b.md @c', 'two', 'three'])
  planted.plant({ 'AGENTS.md': '@c' })
  expect(await now()).toEqual(['@c', 'three'])
})

it('thousands of imports take no time', async () => {
  const text = Array.from({ length: 100_000 }, (_, index) => `@missing-${index}.md @someone${index}`).join('\n')
  using planted = project({ 'AGENTS.md': text })
  const workspace = await open(planted)
  const began = performance.now()
  const rows = await workspace.ledger()
  expect(performance.now() - began).toBeLessThan(SOON)
  expect(rows.length).toBeLessThan(300)
})
