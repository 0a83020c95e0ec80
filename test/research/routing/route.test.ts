import { describe, expect, it } from 'vitest'
import { ITEM_KINDS } from '../../../src/research/answers.ts'
import { route } from '../../../src/research/routing/route.ts'
import type { DigestItem } from '../../../src/research/run/evidence.ts'
import { fc, forAll } from '../../support/property.ts'
import { SOON } from '../../support/soon.ts'

type Kind = DigestItem['kind']

function item(id: string, text: string, source = `a.md::S${id.slice(1)}`, kind: Kind = 'fact'): DigestItem {
  return { id, kind, text, sources: [source] }
}

const childrenOf = (questions: readonly string[]) => questions.map((question, at) => ({ id: `1.${at + 1}`, question }))

const routed = (items: readonly DigestItem[], questions: readonly string[]) => [
  ...route(items, childrenOf(questions)).values(),
]

const PRICE = item('F1', 'A ticket costs three euros.', 'a.md::S1')
const SPEED = item('F2', 'The ferry makes twelve knots.', 'b.md::S1')
const QUESTIONS = ['What does a ticket cost?', 'How many knots does the ferry make?']

describe('routing', () => {
  it('gives an item to the question that it fits', () => {
    expect(routed([PRICE, SPEED], QUESTIONS)).toEqual([['F1'], ['F2']])
  })

  it('gives what stands under a heading to the question that the heading fits', () => {
    const items = [item('F1', 'Children pay half.', 'a.md::S1'), item('F2', 'Twelve in calm water.', 'a.md::S9')]
    const index = { tags: { Ferry: ['F1', 'F2'], Knots: ['F2'], Tickets: ['F1'] } }
    expect([...route(items, childrenOf(QUESTIONS), index).values()]).toEqual([['F1'], ['F2']])
  })

  it('gives an item to each of two that it fits alike', () => {
    const questions = ['What does a ticket cost in summer?', 'What does a ticket cost in winter?']
    expect(routed([PRICE], questions)).toEqual([['F1'], ['F1']])
  })

  it('gives what no question asks for to none', () => {
    expect(routed([PRICE, item('F9', 'Coffee was served.', 'c.md::S1')], QUESTIONS)).toEqual([['F1'], []])
  })

  it.each(['constraint', 'definition'] as const)('gives a %s to each question that it has words of', (kind) => {
    const rule = item('F3', 'A ticket must be shown with coffee.', 'c.md::S1', kind)
    const slices = routed([PRICE, rule], ['What does a ticket cost?', 'Where is coffee, and where is tea?', 'Who?'])
    expect(slices).toEqual([['F1', 'F3'], ['F3'], []])
  })

  it.each([
    ['in the same span', 'a.md::S1', true],
    ['in the span after', 'a.md::S2', false],
    ['in another file', 'b.md::S1', false],
  ])('takes along what stands %s', (_, source, along) => {
    const near = item('F2', 'Children pay half.', source)
    expect(routed([PRICE, near], ['What does a ticket cost?'])).toEqual([along ? ['F1', 'F2'] : ['F1']])
  })

  it('finds words of scripts without spaces', () => {
    const items = [item('F1', '船票的价格是三欧元。', 'a.md::S1'), item('F2', '渡轮速度为十二节。', 'b.md::S1')]
    expect(routed(items, ['船票多少钱?价格如何?', '渡轮的速度是多少?'])).toEqual([['F1'], ['F2']])
  })

  it.each<[string, readonly DigestItem[], readonly string[], readonly string[][]]>([
    ['no items', [], ['a?'], [[]]],
    ['no questions', [PRICE], [], []],
    ['an empty question', [PRICE], [''], [[]]],
    ['an item without words', [item('F1', '…')], ['ticket'], [[]]],
    ['an item without a source', [{ ...PRICE, sources: [] }], ['ticket'], [['F1']]],
  ])('takes %s', (_, items, questions, slices) => {
    expect(routed(items, questions)).toEqual(slices)
  })

  const word = fc.constantFrom('ticket', 'ferry', 'knots', 'price', 'crew', 'the', 'harbour', 'of')
  const words = fc.array(word, { maxLength: 8 }).map((some) => some.join(' '))
  const items = fc
    .array(fc.record({ kind: fc.constantFrom(...ITEM_KINDS), text: words, span: fc.nat(9) }))
    .map((all) => all.map(({ kind, text, span }, at): DigestItem => item(`F${at + 1}`, text, `a.md::S${span}`, kind)))
  const questions = fc.array(words, { maxLength: 7 })

  it('gives, whatever the items, a part of them in their order, and the same again', () => {
    forAll(500, items, questions, (all, asked) => {
      const ids = all.map(({ id }) => id)
      const slices = routed(all, asked)
      for (const slice of slices) expect(slice).toEqual(ids.filter((id) => slice.includes(id)))
      expect(slices).toHaveLength(asked.length)
      expect(routed(all, asked)).toEqual(slices)
    })
  })

  it('does not depend on the order of the questions', () => {
    forAll(items, questions, (all, asked) => {
      expect(routed(all, asked.toReversed()).toReversed()).toEqual(routed(all, asked))
    })
  })

  it('takes thousands of items in a bounded time', () => {
    const many = Array.from({ length: 5000 }, (_, at) =>
      item(`F${at}`, `Ticket ${at} of the ferry costs ${at % 7} euros.`),
    )
    const started = performance.now()
    expect(routed(many, QUESTIONS)[0]?.length).toBeGreaterThan(0)
    expect(performance.now() - started).toBeLessThan(SOON)
  })
})
