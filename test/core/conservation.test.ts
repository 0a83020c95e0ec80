import { describe, expect, it } from 'vitest'
import { limit } from '../../src/context/passes/limits.ts'
import { assemble } from '../../src/core/assemble.ts'
import type { FlowEvent, Fragment, Left, Pass, Selection } from '../../src/core/flow.ts'
import { EMPTY_SELECTION, SILENT } from '../../src/core/flow.ts'
import { bytes4 } from '../../src/core/tokens.ts'
import { fc, forAllAsync } from '../support/property.ts'
import { fragment, left, listening, namesOf, plainly, recipeOf, selectionOf, sourceOf } from './fragments.ts'

const [a, b, c] = [fragment('a', 'apple'), fragment('b', 'banana'), fragment('c', 'cherry')]
const abc = selectionOf([a, b, c])

function run(selection: Selection, ...passes: Pass[]) {
  return assemble(recipeOf(selection, { passes }), {}, SILENT)
}

const drop =
  (...titles: string[]): Pass =>
  (selection) => ({ ...selection, kept: selection.kept.filter(({ title }) => !titles.includes(title)) })

const tooOften = (title: string) => `Pass "odd" leaves file:///${title} more often than it was selected.`

describe('conservation', () => {
  it('leaves as irrelevant what a pass drops without a word', async () => {
    const { selection } = await run(abc, function choose(all, step) {
      return drop('b')(all, step)
    })
    expect(namesOf(selection.kept)).toEqual(['a', 'c'])
    const detail = 'Dropped by the pass "choose".'
    expect(selection.left).toEqual([{ origin: b.origin, title: 'b', why: 'irrelevant', detail }])
  })

  it('believes a pass that says why', async () => {
    const told = left('b', { why: 'over-limit', detail: 'One is enough.' })
    const { selection } = await run(abc, () => selectionOf([a, c], [told]))
    expect(selection.left).toEqual([told])
  })

  it('leaves again what a pass forgets to leave, before what the pass leaves itself', async () => {
    const { selection } = await run(selectionOf([a, b], [left('x'), left('y')]), () => selectionOf([a], [left('b')]))
    expect(namesOf(selection.left)).toEqual(['x', 'y', 'b'])
  })

  it('takes a copy of what was left for the thing itself', async () => {
    const copies: Pass = (selection) => ({ ...selection, left: selection.left.map((one) => ({ ...one })) })
    const { selection } = await run(selectionOf([a], [left('x'), left('y')]), copies)
    expect(namesOf(selection.left)).toEqual(['x', 'y'])
  })

  it('keeps a uri once, the first time, when two sources give it', async () => {
    const again = fragment('a', 'another text', { title: 'a2' })
    const recipe = recipeOf(EMPTY_SELECTION, {
      sources: [sourceOf('one', abc), sourceOf('two', selectionOf([again, b]))],
    })
    const { considered, selection } = await assemble(recipe, {}, SILENT)
    expect(considered.kept).toHaveLength(5)
    expect(selection.kept).toEqual([a, b, c])
    expect(selection.left.map(({ title, why, detail }) => [title, why, detail])).toEqual([
      ['a2', 'duplicate', 'The same as a, which is kept.'],
      ['b', 'duplicate', 'The same as b, which is kept.'],
    ])
  })

  it.each([
    ['in silence', drop('a'), ['duplicate', 'irrelevant']],
    ['and forgets all that was left', () => selectionOf([b]), ['duplicate', 'irrelevant']],
    ['and why', (all: Selection) => ({ ...all, kept: [b], left: [...all.left, left('a')] }), ['duplicate', 'missing']],
    ['and says why, and forgets the rest', () => selectionOf([b], [left('a')]), ['duplicate', 'missing']],
  ] as [string, Pass, string[]][])(
    'tells twice of a thing that came twice when a pass drops it %s',
    async (_, pass, whys) => {
      const { selection, ledger } = await run(selectionOf([a, b, fragment('a', 'again')]), pass)
      expect(namesOf(selection.kept)).toEqual(['b'])
      expect(selection.left.map(({ title, why }) => [title, why])).toEqual(whys.map((why) => ['a', why]))
      expect(ledger).toHaveLength(3)
    },
  )

  it('lets a thing stay that one source left and another one gave', async () => {
    const { selection, ledger } = await run(selectionOf([a, b], [left('a', { why: 'excluded' })]), limit(1))
    expect(namesOf(selection.kept)).toEqual(['a'])
    expect(selection.left.map(({ title, why }) => `${title} ${why}`)).toEqual(['a excluded', 'b over-limit'])
    expect(ledger).toHaveLength(3)
  })

  it.each([
    ['adds one', () => selectionOf([a, b, c, fragment('d')]), 'Pass "odd" adds file:///d; only a source may add.'],
    ['revives one', () => selectionOf([a, b, c, fragment('x')]), 'Pass "odd" adds file:///x; only a source may add.'],
    ['keeps a thing twice', () => selectionOf([a, b, c, a]), 'Pass "odd" keeps file:///a twice.'],
    ['keeps a thing and leaves it', () => selectionOf([a, b, c], [left('x'), left('a')]), tooOften('a')],
    ['leaves a thing twice', () => selectionOf([a, b], [left('x'), left('c'), left('c')]), tooOften('c')],
    ['leaves what was never there', () => selectionOf([a, b, c], [left('x'), left('ghost')]), tooOften('ghost')],
  ] as [string, Pass, string][])('takes it for a bug when a pass %s', async (_, pass, message) => {
    const odd: Pass = (selection, step) => pass(selection, step)
    Object.defineProperty(odd, 'name', { value: 'odd' })
    await expect(run(selectionOf([a, b, c], [left('x')]), odd)).rejects.toThrow(new Error(message))
  })

  it('takes it for a bug when a later pass revives what an earlier one left', async () => {
    await expect(run(abc, limit(1), () => abc)).rejects.toThrow('adds file:///b')
  })
})

describe('whatever passes do', () => {
  /** What a generated pass does to the fragments that `picks` picks. */
  const DEEDS = ['drop', 'leave', 'cut', 'reorder', 'forget', 'copy', 'nothing'] as const
  interface Deed {
    readonly deed: (typeof DEEDS)[number]
    readonly salt: number
  }

  function passOf({ deed, salt }: Deed): Pass {
    const picks = ({ origin, title }: Fragment | Left) => (origin.uri.charCodeAt(8) * 7 + title.length + salt) % 3 === 0
    const passes: Record<Deed['deed'], (all: Selection) => Selection> = {
      nothing: (all) => all,
      copy: (all) => ({ ...all, kept: all.kept.map((one) => ({ ...one })), left: all.left.map((one) => ({ ...one })) }),
      forget: (all) => ({ ...all, left: all.left.filter((one) => !picks(one)) }),
      reorder: (all) => ({
        ...all,
        kept: all.kept.toSorted((x, y) => Number(picks(x)) - Number(picks(y))).toReversed(),
      }),
      drop: (all) => ({ ...all, kept: all.kept.filter((one) => !picks(one)) }),
      leave: (all) => ({
        ...all,
        kept: all.kept.filter((one) => !picks(one)),
        left: [
          ...all.left,
          ...all.kept.filter(picks).map((one) => left(one.title, { origin: one.origin, why: 'excluded' })),
        ],
      }),
      cut: (all) => ({
        ...all,
        kept: all.kept.map((one) =>
          picks(one) ? { ...one, text: one.text.slice(1), cut: { to: 'part', why: 'over-limit' } } : one,
        ),
      }),
    }
    return Object.defineProperty((all: Selection) => passes[deed](all), 'name', { value: deed })
  }

  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
  const sources = fc.array(
    fc.record({
      kept: fc.array(fc.tuple(name, fc.string({ maxLength: 12 })), { maxLength: 5 }),
      left: fc.array(fc.tuple(name, fc.constantFrom('missing', 'shadowed', 'excluded')), { maxLength: 3 }),
    }),
    { maxLength: 3 },
  )
  const deeds = fc.array(fc.record({ deed: fc.constantFrom(...DEEDS), salt: fc.nat(2) }), { maxLength: 6 })

  function recipeFrom(given: typeof sources extends fc.Arbitrary<infer Value> ? Value : never, done: readonly Deed[]) {
    return recipeOf(EMPTY_SELECTION, {
      sources: given.map(({ kept, left: gone }, index) =>
        sourceOf(
          `source ${index}`,
          selectionOf(
            kept.map(([title, text]) => fragment(title, text)),
            gone.map(([title, why]) => left(title, { why })),
          ),
        ),
      ),
      passes: done.map(passOf),
    })
  }

  const uris = ({ kept, left: gone }: Pick<Selection, 'kept' | 'left'>) =>
    [...kept, ...gone].map(({ origin }) => origin.uri).toSorted()

  it('nothing is lost, nothing is added, nothing is kept twice, and the ledger has a row for each', async () => {
    await forAllAsync(1000, sources, deeds, async (given, done) => {
      const { considered, selection, ledger, text, tokens } = await assemble(recipeFrom(given, done), {}, SILENT)
      const kept = selection.kept.map(({ origin }) => origin.uri)
      expect(new Set(kept).size).toBe(kept.length)
      expect(uris(selection)).toEqual(uris(considered))
      for (const gone of considered.left) expect(selection.left).toContainEqual(gone)
      expect(ledger.map(({ uri }) => uri)).toEqual([...kept, ...selection.left.map(({ origin }) => origin.uri)])
      const isLeft = [...kept.map(() => false), ...selection.left.map(() => true)]
      expect(ledger.map((row) => row.decision === 'left')).toEqual(isLeft)
      expect([text, tokens]).toEqual([plainly(selection), bytes4(plainly(selection))])
      selection.kept.forEach((one, index) => {
        const first = considered.kept.find(({ origin }) => origin.uri === one.origin.uri)
        const row = ledger[index]
        expect(row).toMatchObject({ tokensBefore: bytes4(first?.text ?? '?'), tokensAfter: bytes4(one.text) })
        expect([row?.decision, row?.why, row?.pass]).toEqual(
          one.cut ? ['truncated', 'over-limit', 'cut'] : ['kept', undefined, undefined],
        )
      })
    })
  })

  it('the same gives the same', async () => {
    await forAllAsync(200, sources, deeds, async (given, done) => {
      const [one, two] = [listening<FlowEvent>(), listening<FlowEvent>()]
      const first = await assemble(recipeFrom(given, done), {}, one)
      expect(await assemble(recipeFrom(given, done), {}, two)).toEqual(first)
      expect(two.heard).toEqual(one.heard)
    })
  })
})
