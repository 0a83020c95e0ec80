import { describe, expect, it } from 'vitest'
import type { Prompt } from '../../../../src/context/workspace/workspace.ts'
import { bytes4 } from '../../../../src/core/tokens.ts'
import { fc, forAllAsync } from '../../../support/property.ts'
import { open, project } from '../../../support/workspace.ts'

const relative = { filenames: 'relative', home: false } as const
/** Sentences of a token each. */
const text = (letter: string, tokens: number) => `${letter.toUpperCase()}${letter}. `.repeat(tokens)
const named = (prompt: Prompt) => [...prompt.text.matchAll(/filename="([^"]*)"/g)].map(([, name]) => name)

describe('a budget', () => {
  it('shows all that fits in it, less the reserve', async () => {
    using planted = project({ 'AGENTS.md': text('r', 50) })
    const whole = await (await open(planted, { options: relative })).prompt()
    const tokens = bytes4(whole.text)
    for (const [budget, reserve, fits] of [
      [tokens, 0, true],
      [tokens - 1, 0, false],
      [tokens, 0.25, false],
      [Math.ceil((tokens * 4) / 3), 0.25, true],
      [tokens * 2, 0.5, true],
      [tokens * 2 - 1, 0.5, false],
    ] as const) {
      const { text } = await (await open(planted, { options: { ...relative, budget, reserve } })).prompt()
      expect(text === whole.text, `${budget} ${reserve}`).toBe(fits)
      expect(bytes4(text)).toBeLessThanOrEqual(Math.max(1, Math.floor(budget * (1 - reserve))))
    }
  })

  it('keeps a quarter for deltas by default', async () => {
    using planted = project({ 'AGENTS.md': text('r', 100), 'a/AGENTS.md': text('a', 20) })
    const workspace = await open(planted, { options: { ...relative, budget: 100 } })
    const first = await workspace.prompt()
    expect(bytes4(first.text)).toBeGreaterThan(60)
    expect(bytes4(first.text)).toBeLessThanOrEqual(75)
  })

  it('says what it cut, and that it cut nothing', async () => {
    using planted = project({ 'AGENTS.md': text('r', 100) })
    const cut = (await (await open(planted, { options: { ...relative, budget: 100 } })).prompt()).cut
    expect(cut).toMatchObject([{ title: 'AGENTS.md', decision: 'truncated', why: 'over-budget', pass: 'budget' }])
    expect(cut[0]?.tokensAfter).toBeLessThan(cut[0]?.tokensBefore ?? 0)
    expect((await (await open(planted, { options: { ...relative, budget: 1000 } })).prompt()).cut).toEqual([])
    planted.plant({ 'AGENTS.md': text('r', 60), 'a/AGENTS.md': text('a', 300) })
    const workspace = await open(planted, { touched: ['a/x'], options: { ...relative, budget: 250 } })
    expect((await workspace.prompt()).cut.map(({ title }) => title)).toEqual(['a/AGENTS.md', 'AGENTS.md'])
  })

  it('is spent by deltas, then begins a new epoch', async () => {
    const shape = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}/AGENTS.md`, text(name, 30)]))
    using planted = project({ ...shape, 'AGENTS.md': text('r', 30) })
    const workspace = await open(planted, { options: { ...relative, budget: 200, reserve: 0.5 } })
    const steps = [await workspace.prompt()]
    for (const name of ['a', 'b', 'c', 'd']) {
      await workspace.touch(`${name}/x`)
      steps.push(await workspace.prompt())
    }
    expect(steps.map(({ epoch, reason }) => `${epoch} ${reason}`)).toEqual([
      '1 start',
      '1 start',
      '1 start',
      '1 start',
      '2 reserve spent',
    ])
    for (const { text } of steps) expect(bytes4(text)).toBeLessThanOrEqual(200)
    expect(bytes4(steps[4]?.text ?? '')).toBeLessThanOrEqual(100)
    expect(steps[4]?.delta).toBe(steps[4]?.text)
  })

  it('does not begin epoch after epoch while nothing is new', async () => {
    using planted = project({ 'AGENTS.md': text('r', 500), 'a/AGENTS.md': text('a', 500) })
    const workspace = await open(planted, { touched: ['a/x'], options: { ...relative, budget: 50 } })
    const first = await workspace.prompt()
    await workspace.touch('a/y')
    expect(await workspace.prompt()).toEqual({ ...first, delta: '' })
  })

  it('does not begin a new epoch for a change of what was never shown', async () => {
    using planted = project({ 'AGENTS.md': text('r', 500), 'a/AGENTS.md': 'a' })
    const options = { ...relative, budget: 20, reserve: 0 }
    const workspace = await open(planted, { touched: ['a/x'], options })
    const first = await workspace.prompt()
    expect(named(first)).toEqual(['a/AGENTS.md'])
    planted.plant({ 'AGENTS.md': text('s', 500) })
    expect(await workspace.prompt()).toEqual({ ...first, delta: '' })
    planted.plant({ 'a/AGENTS.md': 'A' })
    expect(await workspace.prompt()).toMatchObject({ epoch: 2, reason: 'changed: a/AGENTS.md' })
  })

  it('begins a new epoch for a change anywhere in a file that was cut', async () => {
    using planted = project({ 'AGENTS.md': `${text('r', 500)}\n\nend` })
    const workspace = await open(planted, { options: { ...relative, budget: 100 } })
    const first = await workspace.prompt()
    planted.plant({ 'AGENTS.md': `${text('r', 500)}\n\nEND` })
    expect(await workspace.prompt()).toMatchObject({ epoch: 2, reason: 'changed: AGENTS.md', text: first.text })
  })

  it('whose reserve is all of it shows only what is found later', async () => {
    using planted = project({ 'AGENTS.md': 'root', 'a/AGENTS.md': 'a' })
    const workspace = await open(planted, { options: { ...relative, budget: 100, reserve: 1 } })
    expect((await workspace.prompt()).text).toBe('')
    await workspace.touch('a/x')
    expect(named(await workspace.prompt())).toEqual(['a/AGENTS.md'])
  })
})

it('a text never takes more than its budget, whatever is found, touched, changed and asked for', async () => {
  const DIRECTORIES = ['', 'a/', 'a/b/', 'c/', 'd/']
  const step = fc.oneof(
    fc.record({ write: fc.constantFrom(...DIRECTORIES), tokens: fc.integer({ min: 0, max: 120 }), head: fc.boolean() }),
    fc.record({ touch: fc.constantFrom(...DIRECTORIES) }),
    fc.constant('rebase' as const),
  )
  const budget = fc.integer({ min: 1, max: 300 })
  const reserve = fc.constantFrom(0, 0.25, 0.5, 0.9, 1)
  await forAllAsync(150, budget, reserve, fc.array(step, { maxLength: 12 }), async (budget, reserve, steps) => {
    using planted = project(Object.fromEntries(DIRECTORIES.map((at) => [at, ''])))
    const workspace = await open(planted, { options: { ...relative, budget, reserve } })
    let last: Prompt | undefined
    for (const one of steps) {
      if (one === 'rebase') workspace.rebase()
      else if ('touch' in one) await workspace.touch(`${one.touch}x`)
      else planted.plant({ [`${one.write}AGENTS.md`]: `${one.head ? '# Head\n\n' : ''}${text('w', one.tokens)}\n` })
      const prompt: Prompt = await workspace.prompt(last ?? '')
      expect(bytes4(prompt.text)).toBeLessThanOrEqual(budget)
      expect(last?.epoch === prompt.epoch ? last.text + prompt.delta : prompt.delta).toBe(prompt.text)
      last = prompt
    }
  })
})
