import { describe, expect, it } from 'vitest'
import { type LoaderOptions, loadContext } from '../../../../src/context/context-dir/load-context.ts'
import { bytes4 } from '../../../../src/core/tokens.ts'
import { contextTree, type Shape } from '../../../support/tree.ts'

async function loaded(files: Shape, options: LoaderOptions = {}) {
  using planted = contextTree(files)
  return await loadContext({ rootDir: planted.base, ...options })
}

const LONG = Array.from({ length: 400 }, (_, index) => `Sentence number ${index} of a long text.`).join('\n\n')
const BIG: Shape = {
  'CONSTITUTION.md': '# Rules\n\nNever lie.\n',
  'TASKS.md': `# Tasks\n\n${LONG}\n`,
  'DECISIONS.md': `# Decisions\n\n## 2020-01-01 old\n\nOLD WAY\n\n${LONG}\n\n## 2024-01-01 new\n\nNEW WAY\n`,
  'GLOSSARY.md': `# Terms\n\n${LONG}\n`,
}

describe('the budget', () => {
  it.each<[value: unknown]>([[0], [1.5], [Number.NaN], ['100']])('is refused when it is %j', async (tokenBudget) => {
    await expect(loaded({}, Object.assign({}, { tokenBudget }) as LoaderOptions)).rejects.toMatchObject({
      name: 'ContextError',
      code: 'invalid-input',
      message: `The token budget is ${tokenBudget}.`,
      hint: 'Give a whole number of tokens, 1 or more.',
    })
  })

  it('is 8000 when none is given', async () => {
    const { budget, tokenCount, truncated, overBudget } = await loaded(BIG)
    expect({ budget, truncated, overBudget }).toEqual({ budget: 8000, truncated: true, overBudget: false })
    expect(tokenCount).toBeLessThanOrEqual(8000)
    expect(tokenCount).toBeGreaterThan(7900)
  })

  it.each([1, 100, 8000, 12_000, Number.MAX_SAFE_INTEGER])(
    'of %d holds, unless what is never cut takes more',
    async (tokenBudget) => {
      const { summary, tokenCount, budget, overBudget, truncated, files, ledger } = await loaded(BIG, { tokenBudget })
      expect(budget).toBe(tokenBudget)
      expect(tokenCount).toBe(bytes4(summary))
      expect(overBudget).toBe(tokenCount > tokenBudget)
      expect(summary).toContain('\n# Rules\n\nNever lie.\n')
      expect(truncated).toBe(ledger.some(({ decision, why }) => decision !== 'kept' && why === 'over-budget'))
      expect(truncated).toBe(tokenBudget < 12_000)
      expect(files).toHaveLength(4)
      if (overBudget)
        expect([...summary.matchAll(/^Source: (.*)$/gm)].map((match) => match[1])).toEqual(['.context/CONSTITUTION.md'])
    },
  )

  it('is held to the token', async () => {
    const { tokenCount } = await loaded(BIG, { tokenBudget: 1_000_000 })
    expect(await loaded(BIG, { tokenBudget: tokenCount })).toMatchObject({ truncated: false, tokenCount })
    expect((await loaded(BIG, { tokenBudget: tokenCount - 1 })).truncated).toBe(true)
  })

  it('is that of a given counter', async () => {
    const count = (text: string) => text.length
    const { summary, tokenCount, files } = await loaded(BIG, { tokenBudget: 2000, count })
    expect(tokenCount).toBe(summary.length)
    expect(tokenCount).toBeLessThanOrEqual(2000)
    expect(files.map((file) => file.tokenCount)).toEqual(files.map((file) => file.content.length))
  })

  it.each<[what: string, shape: Shape, priorityOrder?: string[]]>([
    ['by its name', { 'CONSTITUTION.md': LONG, 'TASKS.md': LONG }],
    ['wherever it stands', { 'CONSTITUTION.md': LONG, 'TASKS.md': LONG, 'A.md': LONG }, ['TASKS', 'A', 'CONSTITUTION']],
    ['when nobody expects it', { 'CONSTITUTION.md': LONG, 'A.md': LONG }, []],
    ['as a link', { 'CONSTITUTION.md -> RULES.md': '', 'RULES.md': LONG, 'A.md': LONG }],
    ['also under another name first', { 'CONSTITUTION.md': LONG, 'A.md -> CONSTITUTION.md': '', 'B.md': LONG }, ['A']],
    ['as a link that comes second', { 'A.md': LONG, 'CONSTITUTION.md -> A.md': '', 'B.md': LONG }, ['A']],
  ])('never cuts the constitution: %s', async (_, shape, priorityOrder) => {
    for (const tokenBudget of [1, 100, 5000]) {
      const answer = await loaded(shape, { tokenBudget, ...(priorityOrder && { priorityOrder }) })
      expect(answer.summary).toContain(`\n\n${LONG}\n`)
      expect(answer.truncated).toBe(true)
      expect(answer.overBudget).toBe(answer.tokenCount > tokenBudget)
      expect(answer.ledger.filter(({ decision }) => decision === 'kept')).toHaveLength(1)
    }
  })

  it.each(['constitution.md', 'CONSTITUTION.MD', 'CONSTITUTION2.md'])(
    'may cut what is only called alike: %s',
    async (name) => {
      expect(await loaded({ [name]: LONG }, { tokenBudget: 100 })).toMatchObject({ truncated: true, overBudget: false })
    },
  )

  it('keeps the blocks that speak of the task when not all fits', async () => {
    const text = `# T\n\n${LONG}\n\nThe flux capacitor is broken.\n`
    const files = { 'CONVENTIONS.md': text }
    const phrase = 'The flux capacitor is broken.'
    expect((await loaded(files, { tokenBudget: 500 })).summary).not.toContain(phrase)
    expect((await loaded(files, { tokenBudget: 500, task: 'Repair the capacitor' })).summary).toContain(phrase)
    expect((await loaded(files, { tokenBudget: 500, task: '' })).summary).not.toContain(phrase)
  })
})

describe('a call that is cancelled', () => {
  const cancelled = { name: 'ContextError', code: 'cancelled' }

  it.each([false, true])('before it begins is rejected (cache: %s)', async (cache) => {
    using planted = contextTree(BIG)
    const options = { rootDir: planted.base, cache }
    await expect(loadContext({ ...options, signal: AbortSignal.abort('enough') })).rejects.toMatchObject(cancelled)
    await loadContext(options)
    await expect(loadContext({ ...options, signal: AbortSignal.abort('enough') })).rejects.toMatchObject(cancelled)
  })

  it.each([false, true])('while it runs is rejected (cache: %s)', async (cache) => {
    using planted = contextTree(BIG)
    const controller = new AbortController()
    const answer = loadContext({ rootDir: planted.base, cache, signal: controller.signal, tokenBudget: 500 })
    controller.abort()
    await expect(answer).rejects.toMatchObject(cancelled)
  })

  it('is cancelled before it looks at its directory', async () => {
    const signal = AbortSignal.abort()
    await expect(loadContext({ rootDir: '/no/such/place', signal })).rejects.toMatchObject(cancelled)
  })

  it('leaves one that is not cancelled alone', async () => {
    const { signal } = new AbortController()
    expect((await loaded(BIG, { signal })).summary).toBe((await loaded(BIG)).summary)
  })
})
