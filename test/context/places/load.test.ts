import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { LoadAnswer } from '../../../src/context/answers.ts'
import { counter } from '../../../src/context/load/answer.ts'
import { type LoadRequest, load } from '../../../src/context/load.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { bytes4 } from '../../../src/core/tokens.ts'
import { fc, forAllAsync } from '../../support/property.ts'
import { SECRET_LINE, type Shape } from '../../support/tree.ts'
import { type Project, project } from '../../support/workspace.ts'
import { elementsOf } from '../renderers/xml-scanner.ts'

const SHAPE = {
  '.context/CONSTITUTION.md': '# Constitution\n\n- Never lie.\n',
  '.context/TASKS.md': '# Tasks\n\n- [ ] Do it\n',
  '.context/DECISIONS.md': '# Decisions\n\nNone.\n',
  '.context/NOTES.md': '# Notes\n',
  'AGENTS.md': 'Root rules.\n',
  'a/AGENTS.md': 'Rules of a.\n',
  'a/b/AGENTS.md': 'Rules of b.\n',
  'a/b/x.ts': '',
  '~/.ambit/AGENTS.md': 'My rules.\n',
}

function at(planted: Project, { place = '', touched = [], ...request }: LoadRequest = {}): Promise<LoadAnswer> {
  const paths = touched.map((path) => planted.file(path))
  return load({ home: planted.home, ...request, place: planted.file(place), touched: paths }, SILENT)
}

async function loaded(shape: Shape, request: LoadRequest = {}) {
  using planted = project(shape)
  return await at(planted, request)
}

const sources = (text: string) => [...text.matchAll(/^Source: (.*)$/gm)].map(([, source]) => source)

/** What became of each file that is there, as `path: why`. */
function rows(planted: Project, { ledger }: LoadAnswer): string[] {
  const there = ledger.filter(({ why }) => why !== 'missing')
  return there.map(({ uri, decision, why }) => `${planted.name(fileURLToPath(uri))}: ${why ?? decision}`)
}

describe('a place', () => {
  it('prints the general first when that was asked for, and keeps the same', async () => {
    using planted = project(SHAPE)
    const request = { place: 'a', touched: ['a/b/x.ts'] }
    const specific = await at(planted, request)
    const general = await at(planted, { ...request, order: 'general-first' })
    expect(sources(general.text)).toEqual(
      (
        '~/.ambit/AGENTS.md .context/CONSTITUTION.md .context/TASKS.md .context/DECISIONS.md ' +
        '.context/NOTES.md AGENTS.md a/AGENTS.md a/b/AGENTS.md'
      ).split(' '),
    )
    expect(general.ledger).toEqual(specific.ledger)
    expect(general.digest).toBe(specific.digest)
  })

  it.each(['ambit://x/y', 'qfs://x', 'qmd://x', 'quilt+s3://b#package=a/b'])(
    'that is not on disk is refused: %s',
    async (place) => {
      await expect(load({ place }, SILENT)).rejects.toMatchObject({ code: 'invalid-input' })
    },
  )

  it('can be left before it is loaded', async () => {
    using planted = project(SHAPE)
    const run = { ...SILENT, signal: AbortSignal.abort() }
    await expect(load({ place: planted.root, home: false }, run)).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('tells what it gathers and does', async () => {
    using planted = project(SHAPE)
    const events: string[] = []
    const run = { emit: (event: { type: string }) => events.push(event.type) }
    await load({ place: planted.root, home: false }, run)
    expect(events.slice(0, 2)).toEqual(['gathered', 'gathered'])
    expect(events.at(-1)).toBe('rendered')
  })
})

describe('names with invisible characters', () => {
  const tags = [...'obey'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')

  it.each(['markdown', 'xml'] as const)('reach no frame and no title in %s, and are told', async (format) => {
    const shape = { [`pkg${tags}/AGENTS.md`]: 'a', [`pkg${tags}/x.ts`]: '', [`.context/N${tags}.md`]: 'n' }
    const { text, warnings, ledger } = await loaded(shape, { format, touched: [`pkg${tags}/x.ts`] })
    expect(text).not.toMatch(/[\u{e0000}-\u{e007f}]/u)
    expect(ledger.map(({ title }) => title).join()).not.toMatch(/[\u{e0000}-\u{e007f}]/u)
    const told = warnings.filter(({ message }) => message.startsWith('Its name has invisible characters'))
    expect(told).toHaveLength(2)
  })
})

describe('the accounts', () => {
  it('have a row for every file, and add up', async () => {
    const shape = { ...SHAPE, 'KODELET.md': 'k', '.context/empty.md': '', '.gitignore': `${SECRET_LINE}a/b/` }
    using planted = project(shape)
    const answer = await at(planted, { touched: ['a/b/x.ts', '../out'] })
    expect(rows(planted, answer)).toEqual(
      (
        '.context/CONSTITUTION.md: kept | a/AGENTS.md: kept | AGENTS.md: kept | .context/TASKS.md: kept | ' +
        '.context/DECISIONS.md: kept | .context/NOTES.md: kept | .context/empty.md: kept | ' +
        '~/.ambit/AGENTS.md: kept | a/b/AGENTS.md: excluded | KODELET.md: shadowed | ../out: denied'
      ).split(' | '),
    )
    const shown = answer.ledger.reduce((sum, { tokensAfter }) => sum + tokensAfter, 0)
    expect(answer.frameTokens).toBe(answer.tokenCount - shown)
    expect(answer.tokenCount).toBe(bytes4(answer.text))
  })

  it('count as asked', async () => {
    using planted = project(SHAPE)
    const o200k = await counter('o200k')
    const answer = await at(planted, { tokens: 'o200k' })
    expect(answer.tokenCount).toBe(o200k(answer.text))
    expect(answer.tokenCount).not.toBe((await at(planted)).tokenCount)
  })
})

describe('the answer', () => {
  it('in XML has an element for each file, named by its absolute path', async () => {
    using planted = project(SHAPE)
    const { text } = await at(planted, { format: 'xml' })
    const elements = elementsOf(text)
    expect(new Set(elements.map(({ attributes }) => attributes.map(([name]) => name).join()))).toEqual(
      new Set(['filename']),
    )
    expect(elements.map(({ attributes }) => planted.name(attributes[0]?.[1] ?? ''))).toEqual(
      (
        '.context/CONSTITUTION.md AGENTS.md .context/TASKS.md .context/DECISIONS.md .context/NOTES.md ' +
        '~/.ambit/AGENTS.md'
      ).split(' '),
    )
  })

  it('in XML warns of characters that it cannot hold', async () => {
    const { warnings, text } = await loaded({ 'AGENTS.md': 'a\u0001b\u0002' }, { format: 'xml' })
    expect(warnings).toMatchObject([{ message: 'Control characters that XML cannot hold are shown as U+FFFD: 2.' }])
    expect(text).toContain('a\ufffdb\ufffd')
  })

  it.each([20, 60, 120, 8000])(
    'says what is shown of each file, as the ledger counts it: %i tokens',
    async (budget) => {
      using planted = project({
        'AGENTS.md': `# Rules\n\n${'Keep to them. '.repeat(30)}\n`,
        '.context/CONSTITUTION.md': '# Law\n\nNever.\n',
        '.context/TASKS.md': '# Tasks\n\n- [ ] one\n- [x] two\n',
      })
      const { fragments = [], ledger, text } = await at(planted, { budget })
      const shown = ledger.filter(({ decision }) => decision !== 'left')
      expect(fragments.map(({ uri }) => uri).sort()).toEqual(shown.map(({ uri }) => uri).sort())
      for (const fragment of fragments) {
        const row = ledger.find(({ uri }) => uri === fragment.uri)
        expect(Math.ceil(Buffer.byteLength(fragment.text) / 4)).toBe(row?.tokensAfter)
        expect(text).toContain(fragment.text.trim())
      }
      expect(fragments.filter(({ isPinned }) => isPinned).map(({ uri }) => uri.slice(uri.lastIndexOf('/')))).toEqual([
        '/CONSTITUTION.md',
      ])
    },
  )

  it('is without contents and structure when it need not be full', async () => {
    using planted = project(SHAPE)
    const [full, bare] = [await at(planted), await at(planted, { full: false })]
    expect(full.files[0]).toMatchObject({
      name: 'CONSTITUTION',
      content: SHAPE['.context/CONSTITUTION.md'],
      parsed: { title: 'Constitution' },
    })
    expect(bare.files[0]).toEqual({
      name: 'CONSTITUTION',
      path: full.files[0]?.path,
      tokenCount: full.files[0]?.tokenCount,
    })
    expect(bare.text).toBe(full.text)
    expect(bare).not.toHaveProperty('fragments')
  })

  it('has a digest that neither place on disk nor budget, format or counter changes', async () => {
    using one = project(SHAPE)
    using other = project(SHAPE)
    const { digest } = await at(one)
    const others = [at(other), at(one, { budget: 20 }), at(one, { format: 'xml' }), at(one, { tokens: 'o200k' })]
    for (const answer of await Promise.all(others)) expect(answer.digest).toBe(digest)
    other.plant({ 'AGENTS.md': 'Other rules.\n' })
    expect((await at(other)).digest).not.toBe(digest)
  })

  it.each(['digest', 'sent'])('computes %s only when it is read', async (name) => {
    using planted = project(SHAPE)
    expect(Object.getOwnPropertyDescriptor(await at(planted), name)?.get).toBeTypeOf('function')
  })

  it('is for people and machines the same twice', async () => {
    using planted = project(SHAPE)
    expect(JSON.stringify(await at(planted))).toBe(JSON.stringify(await at(planted)))
  })
})

describe('the budget', () => {
  const long = (title: string) => `# ${title}\n\n${`A sentence about ${title}. `.repeat(120)}\n`
  const LONG = {
    '.context/TASKS.md': long('Tasks'),
    '.context/DECISIONS.md': long('Decisions'),
    'AGENTS.md': long('Root'),
    'a/AGENTS.md': long('Nested'),
    '~/.ambit/AGENTS.md': long('Home'),
  }

  it('is a cap on the text, in either format and order', async () => {
    using planted = project(LONG)
    const request = fc.record({
      budget: fc.integer({ min: 1, max: 9000 }),
      format: fc.constantFrom('markdown' as const, 'xml' as const),
      order: fc.constantFrom('specific-first' as const, 'general-first' as const),
    })
    await forAllAsync(60, request, async (asked) => {
      const answer = await at(planted, { place: 'a', ...asked })
      expect(answer.tokenCount).toBe(bytes4(answer.text))
      expect(answer.tokenCount).toBeLessThanOrEqual(asked.budget)
      expect(answer.overBudget).toBe(false)
      expect(answer.truncated).toBe(answer.ledger.some(({ why }) => why === 'over-budget'))
    })
  })

  it('is exceeded by nothing but the constitution, which is never cut', async () => {
    const constitution = `# Constitution\n\n${'Never. '.repeat(500)}\n`
    const answer = await loaded({ ...LONG, '.context/CONSTITUTION.md': constitution }, { budget: 100 })
    expect(answer).toMatchObject({ overBudget: true, truncated: true })
    expect(answer.text).toContain(constitution)
    expect(answer.ledger[0]).toMatchObject({ title: 'Constitution', decision: 'kept' })
  })

  it('has no say in contexts and files', async () => {
    const { contexts, files } = await loaded(LONG, { place: 'a', budget: 10 })
    expect([contexts.length, files.length]).toEqual([3, 2])
    expect(files[0]?.content).toBe(LONG['.context/TASKS.md'])
  })
})
