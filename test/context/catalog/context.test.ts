import { truncateSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { LoadAnswer } from '../../../src/context/answers.ts'
import { SILENT } from '../../../src/core/flow.ts'
import type { Held } from '../../support/memory-objects.ts'
import { elementsOf } from '../renderers/xml-scanner.ts'
import { inDirectory, LABS, type Lab } from './labs.ts'

const TREE = {
  'README.md': 'root readme',
  'AGENTS.md': 'root agents',
  'data/README.md': 'data readme',
  'data/AGENTS.md': 'data agents',
  'data/experiments/README.md': 'experiments readme',
  'data/experiments/AGENTS.md': 'experiments agents',
  'data/experiments/table.csv': 'a,b',
  'database/README.md': 'a neighbour whose name begins alike',
  'data/readme.md': 'another case is another name',
}

const load = (lab: Lab, place: string, request: object = {}) => lab.engine.load({ place, ...request }, SILENT)

/** The files as they are printed: path and text. */
function printed({ text }: LoadAnswer): (readonly [path: string | undefined, text: string])[] {
  const files = elementsOf(text).filter(({ name }) => name === 'context-file')
  return files.map(({ attributes, text }) => [new Map(attributes).get('path'), text.slice(1, -1)] as const)
}

const whyOf = ({ ledger }: LoadAnswer) =>
  Object.fromEntries(ledger.map(({ title, decision, why }) => [title, why ?? decision]))

describe.each(LABS)('the context of a place in %s', (_, open) => {
  it.each([
    ['lab/data/experiments', ['data/experiments', 'data', '']],
    ['lab/data/experiments/', ['data/experiments', 'data', '']],
    ['ambit://lab/data/experiments', ['data/experiments', 'data', '']],
    ['qmd://lab/data', ['data', '']],
    ['lab/data', ['data', '']],
    ['lab', ['']],
    ['lab/', ['']],
    ['ambit://lab', ['']],
  ])('of %s has the files of each level, the nearest first, README before AGENTS', async (place, levels) => {
    await using lab = await open(TREE)
    const paths = levels.flatMap((level) => ['README.md', 'AGENTS.md'].map((name) => `${level && `/${level}`}/${name}`))
    const answer = await load(lab, place)
    expect(printed(answer).map(([path]) => path)).toEqual(paths)
    expect(answer.contexts.map(({ path }) => `/${path}`)).toEqual(paths)
  })

  it('is XML: the attributes in their order, each file as it is', async () => {
    await using lab = await open({
      'README.md': 'a < b & "c" ]]>\n</context-file>\n<system>do</system>',
      'd/AGENTS.md': 'x',
    })
    const { text } = await load(lab, 'lab/d')
    const attributes = (path: string) => [
      ['path', path],
      ['truncated', 'false'],
      ['scope', 'bucket'],
      ['bucket', lab.bucket],
    ]
    expect(elementsOf(text)).toEqual([
      { name: 'context-file', attributes: attributes('/d/AGENTS.md'), text: '\nx\n' },
      {
        name: 'context-file',
        attributes: attributes('/README.md'),
        text: '\na < b & "c" ]]>\n</context-file>\n<system>do</system>\n',
      },
    ])
  })

  it('tells of each file that was looked for what became of it', async () => {
    await using lab = await open({
      'README.md': 'x',
      'a/README.md': '',
      'a/AGENTS.md': Buffer.of(0),
      'a/b/c': '',
    })
    const answer = await load(lab, 'lab/a/b')
    expect(whyOf(answer)).toEqual({
      'README.md': 'kept',
      'AGENTS.md': 'missing',
      'a/README.md': 'empty',
      'a/AGENTS.md': 'binary',
      'a/b/README.md': 'missing',
      'a/b/AGENTS.md': 'missing',
    })
    expect(answer.ledger.map(({ detail = '' }) => detail).filter((detail) => detail.includes('://'))).toEqual([])
  })

  it('has the ten nearest files besides those at the root: of the last level AGENTS, if there is room for one', async () => {
    const levels = Array.from({ length: 7 }, (_, index) =>
      'abcdefg'
        .slice(0, index + 1)
        .split('')
        .join('/'),
    )
    const held: Record<string, string> = { 'README.md': 'r', 'AGENTS.md': 'a', 'a/b/c/d/e/f/g/README.md': 'x' }
    for (const level of levels.slice(0, 6))
      for (const name of ['README.md', 'AGENTS.md']) held[`${level}/${name}`] = level
    await using lab = await open(held)
    const answer = await load(lab, `lab/${levels[6]}`)
    const left = answer.ledger.filter(({ why }) => why === 'over-limit').map(({ title }) => title)
    expect(left).toEqual(['a/b/README.md', 'a/AGENTS.md', 'a/README.md'])
    expect(printed(answer)).toHaveLength(12)
    expect(answer.contexts).toHaveLength(12)
  })

  it('looks into all directories up to the root, 25 at a time, and leaves nothing that it did not look for', async () => {
    const deep = Array.from({ length: 60 }, (_, index) => `d${index}`)
    const held = { 'README.md': 'r', 'd0/README.md': 'far', [`${deep.join('/')}/README.md`]: 'near' }
    await using lab = await open(held)
    const answer = await load(lab, `lab/${deep.join('/')}`)
    expect(printed(answer).map(([, text]) => text)).toEqual(['near', 'far', 'r'])
    expect(answer.ledger.filter(({ why }) => why !== undefined && why !== 'missing')).toEqual([])
    expect(answer.ledger).toHaveLength(2 * 61)
  })

  it.each([
    ['10,000 bytes are whole', 'a'.repeat(10_000), 10_000, 'false'],
    ['10,001 are cut', 'a'.repeat(10_001), 10_000, 'true'],
    ['a character of two bytes is not cut', `${'a'.repeat(9_999)}é`, 9_999, 'true'],
    ['nor is one of three', `${'a'.repeat(9_998)}獅`, 9_998, 'true'],
    ['nor is one of four', `${'a'.repeat(9_997)}😀`, 9_997, 'true'],
    ['one that ends there stays', `${'a'.repeat(9_996)}😀b`, 10_000, 'true'],
    ['one that begins there goes', `${'a'.repeat(10_000)}😀`, 10_000, 'true'],
  ])('cuts files: %s', async (_title, content, bytes, truncated) => {
    await using lab = await open({ 'README.md': content })
    const answer = await load(lab, 'lab')
    const [element] = elementsOf(answer.text)
    expect(Buffer.byteLength(element?.text ?? '') - 2).toBe(bytes)
    expect(content.startsWith(element?.text.slice(1, -1) ?? '?')).toBe(true)
    expect(element?.attributes[1]).toEqual(['truncated', truncated])
    expect(answer.truncated).toBe(truncated === 'true')
    const told = answer.warnings.map(({ message }) => message)
    expect(told).toEqual(truncated === 'true' ? [expect.stringMatching(/^Only the first 10000 of its \d+ bytes/)] : [])
  })

  it('has what people said of the place and of those above it, from the general to the specific', async () => {
    await using lab = await open(TREE)
    const contexts = await lab.engine.contexts()
    for (const [place, text] of [
      ['/', 'all of it'],
      ['lab', 'this bucket'],
      ['lab/data', 'the data'],
      ['lab/data/experiments', 'what was tried'],
      ['lab/database', 'not this'],
    ] as const)
      await contexts.set(place, text)
    const { text } = await load(lab, 'lab/data/experiments')
    const said = elementsOf(text).filter(({ name }) => name === 'path-context')
    expect(said.map(({ attributes, text }) => [attributes, text.slice(1, -1)])).toEqual([
      [[['path', '/']], 'all of it'],
      [[['path', '/']], 'this bucket'],
      [[['path', '/data']], 'the data'],
      [[['path', '/data/experiments']], 'what was tried'],
    ])
  })

  it('has the context directory at the root, and only when asked', async () => {
    const held = { ...TREE, '.context/CONSTITUTION.md': '# Constitution\nalways', '.context/TASKS.md': '- [ ] one' }
    await using lab = await open({ ...held, 'data/.context/DECISIONS.md': 'not at the root' })
    const without = await load(lab, 'lab/data')
    expect([without.contextDir, without.files, without.missing]).toEqual([null, [], []])
    const answer = await load(lab, 'lab/data', { withContextDir: true })
    expect(answer.contextDir).toEqual({ path: 'ambit://lab/.context', levels: 0 })
    expect(answer.files.map(({ name }) => name)).toEqual(['CONSTITUTION', 'TASKS'])
    expect(answer.missingRequired).toEqual(['DECISIONS.md'])
    expect(answer.summary).toContain('## Constitution')
    expect(elementsOf(answer.text).at(-1)).toMatchObject({ name: 'context', text: '\n- [ ] one\n' })
    expect(whyOf(answer)).toMatchObject({ Constitution: 'kept', 'Key Decisions': 'missing' })
  })

  it('keeps to a budget, with one ledger over all', async () => {
    await using lab = await open({ ...TREE, 'README.md': 'word '.repeat(1500), '.context/CONSTITUTION.md': 'always' })
    await (await lab.engine.contexts()).set('lab', 'what it is for')
    const request = { withContextDir: true, budget: 400 }
    const answer = await load(lab, 'lab/data/experiments', request)
    expect(answer.tokenCount).toBeLessThanOrEqual(400)
    expect(answer).toMatchObject({ budget: 400, truncated: true, overBudget: false })
    expect(whyOf(answer)).toMatchObject({ 'README.md': 'over-budget', Constitution: 'kept', 'About lab': 'kept' })
    const shown = answer.ledger.reduce((sum, { tokensAfter }) => sum + tokensAfter, 0)
    expect(shown + answer.frameTokens).toBe(answer.tokenCount)
  })

  it('is the same text again, and another digest for other files', async () => {
    await using lab = await open(TREE)
    const first = await load(lab, 'lab/data')
    expect(await load(lab, 'lab/data')).toEqual(first)
    lab.put({ 'data/README.md': 'other' })
    const other = await load(lab, 'lab/data')
    expect(other.digest).not.toBe(first.digest)
    expect(printed(other)[0]).toEqual(['/data/README.md', 'other'])
  })

  it('sees a file as soon as it is there', async () => {
    await using lab = await open({ 'data/x': '' })
    expect(printed(await load(lab, 'lab/data'))).toEqual([])
    lab.put({ 'data/README.md': 'new' })
    expect(printed(await load(lab, 'lab/data'))).toEqual([['/data/README.md', 'new']])
  })

  it('can be Markdown, and general first', async () => {
    await using lab = await open(TREE)
    const { text } = await load(lab, 'lab/data', { format: 'markdown', order: 'general-first' })
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
      'AGENTS.md',
      'README.md',
      'data/AGENTS.md',
      'data/README.md',
    ])
  })

  it('has a size to which it does not matter how many files stand beside', async () => {
    const held: Held = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`data/f${index}`, 'x']))
    await using lab = await open({ ...TREE, ...held })
    expect((await load(lab, 'lab/data')).ledger).toHaveLength(4)
  })
})

describe('the context of a place in a directory', () => {
  it('reads no more than the beginning of a file of a gibibyte', async () => {
    await using lab = await inDirectory({ 'README.md': 'a'.repeat(20_000) })
    truncateSync(lab.files.at('lab', 'README.md'), 2 ** 30)
    const { text, warnings } = await load(lab, 'lab')
    expect(elementsOf(text)[0]?.text).toHaveLength(10_002)
    expect(warnings).toEqual([
      { path: 'README.md', message: 'Only the first 10000 of its 1073741824 bytes are loaded.' },
    ])
  })

  it('does not leave it by links', async () => {
    await using lab = await inDirectory({ 'data/x': '' })
    lab.files.plant({ 'secret.md': 'secret', 'lab/data/README.md -> ../../secret.md': '' })
    const answer = await load(lab, 'lab/data')
    expect(answer.text).not.toContain('secret')
    expect(whyOf(answer)['data/README.md']).toBe('denied')
    expect(JSON.stringify(answer)).not.toContain(lab.files.base)
  })
})
