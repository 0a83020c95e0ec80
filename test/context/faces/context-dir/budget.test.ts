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
  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.5, -0])(
    'is refused when it is %d',
    async (tokenBudget) => {
      await expect(loaded({}, { tokenBudget })).rejects.toMatchObject({
        name: 'ContextError',
        code: 'invalid-input',
        message: `The token budget is ${tokenBudget}.`,
        hint: 'Give a whole number of tokens, 1 or more.',
      })
    },
  )

  it.each<[what: string, value: unknown]>([
    ['a text', '100'],
    ['a list', [100]],
    ['an object', {}],
    ['a big integer', 100n],
  ])('is refused when it is %s', async (_, value) => {
    const options = Object.assign({}, { tokenBudget: value }) as LoaderOptions
    await expect(loaded({}, options)).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('is 8000 when none is given', async () => {
    const { budget, tokenCount, truncated, overBudget } = await loaded(BIG)
    expect({ budget, truncated, overBudget }).toEqual({ budget: 8000, truncated: true, overBudget: false })
    expect(tokenCount).toBeLessThanOrEqual(8000)
    expect(tokenCount).toBeGreaterThan(7900)
  })

  it.each([
    1,
    2,
    10,
    30,
    50,
    100,
    101,
    500,
    1000,
    4000,
    7999,
    8000,
    8001,
    12_000,
    20_000,
    2 ** 31,
    Number.MAX_SAFE_INTEGER,
  ])('of %d holds, unless what is never cut takes more', async (tokenBudget) => {
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
  })

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

  it('that is tight still shows the names of all files, and marks what is cut', async () => {
    const { summary, ledger } = await loaded(BIG, { tokenBudget: 200 })
    for (const heading of ['Constitution', 'Current Tasks', 'Key Decisions', 'Glossary']) {
      expect(summary).toContain(`\n## ${heading}\n`)
    }
    expect(summary.match(/\[truncated\]/g)).toHaveLength(3)
    expect(ledger.filter(({ why }) => why === 'over-budget').every(({ pass }) => pass === 'budget')).toBe(true)
  })

  it('shows no less of a file that matters more, and recent decisions before old ones', async () => {
    const { summary } = await loaded(BIG, { tokenBudget: 900 })
    expect(summary).toContain('NEW WAY')
    expect(summary).toContain('Sentence number 0')
    const { ledger } = await loaded(BIG, { tokenBudget: 4000 })
    const shown = ledger.filter(({ why }) => why === 'over-budget').map(({ tokensAfter }) => tokensAfter)
    expect(shown[0]).toBeGreaterThan(shown[2] ?? Number.POSITIVE_INFINITY)
  })

  it('shows a code block whole or not at all', async () => {
    const code = '```ts\nconst a = 1\n\nconst b = 2\n\nconst c = 3\n```'
    const files = { 'TASKS.md': `# T\n\n${LONG}\n\n${code}\n\n${LONG}\n` }
    for (const tokenBudget of [20, 100, 400, 1000, 3000, 5000, 8000]) {
      const { summary } = await loaded(files, { tokenBudget })
      expect([code, undefined]).toContain(/```[\s\S]*/.exec(summary)?.[0].slice(0, code.length))
    }
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

  it('does not let a task change anything when all fits', async () => {
    const plain = await loaded(BIG, { tokenBudget: 100_000 })
    expect((await loaded(BIG, { tokenBudget: 100_000, task: 'NEW WAY' })).summary).toBe(plain.summary)
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

  it('says why it was cancelled', async () => {
    await expect(loaded(BIG, { signal: AbortSignal.abort('enough') })).rejects.toMatchObject({ cause: 'enough' })
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
