import { describe, expect, it } from 'vitest'
import { limit } from '../../src/context/passes/limits.ts'
import { assemble } from '../../src/core/assemble.ts'
import type { Fragment, Pass, Selection } from '../../src/core/flow.ts'
import { SILENT } from '../../src/core/flow.ts'
import { isTruncated } from '../../src/core/ledger.ts'
import { fragment, left, recipeOf, selectionOf } from './fragments.ts'

const [a, b, c] = [fragment('a', 'apple'), fragment('b', 'banana'), fragment('c', 'cherry')]
const abc = selectionOf([a, b, c])

/** What the fragments of these tests are, and where their source says nothing, its name. */
const OF_FILES = { kind: 'context-file', scope: 'files' }
const LEFT_BY_FILES = { kind: 'files', scope: 'files' }

const rowOf = (title: string, decision: string, [tokensBefore, tokensAfter]: readonly number[], more: object = {}) => ({
  ...{ uri: `file:///${title}`, title, ...OF_FILES, decision, tokensBefore, tokensAfter },
  ...more,
})

function run(selection: Selection, ...passes: Pass[]) {
  return assemble(recipeOf(selection, { passes }), {}, SILENT)
}

describe('the ledger', () => {
  it('counts all of a file, also what a limit kept from being read', async () => {
    const one: Fragment = { ...a, cut: { to: 'part', why: 'over-limit' }, unreadBytes: 401 }
    const { ledger } = await run(selectionOf([one]))
    expect(ledger).toMatchObject([{ decision: 'truncated', tokensBefore: 2 + 101, tokensAfter: 2 }])
    expect(isTruncated(ledger)).toBe(true)
  })

  it('tells that nothing is truncated where some are whole, and others are left for what they are', async () => {
    const { ledger } = await run(selectionOf([a, b], [left('x', { why: 'excluded', detail: 'By a rule.' })]))
    expect(isTruncated(ledger)).toBe(false)
  })

  const cut = (title: string, text: string, to: 'part' | 'outline' = 'part'): Pass =>
    function cut(selection) {
      const cutOne = (one: Fragment): Fragment =>
        one.title === title ? { ...one, text, cut: { to, why: 'over-budget' } } : one
      return { ...selection, kept: selection.kept.map(cutOne) }
    }

  it('has a row for all that was gathered: the kept in order, then the left', async () => {
    const kept = [a, fragment('b', 'banana bread'), c, fragment('d', 'durian durian')]
    const { ledger } = await run(
      selectionOf(kept, [left('x', { why: 'excluded', detail: 'By a rule.' })]),
      cut('a', 'app'),
      cut('c', '', 'outline'),
      limit(3),
      (all) => ({ ...all, kept: all.kept.toReversed() }),
    )
    expect(ledger).toEqual([
      rowOf('c', 'outline', [2, 0], { why: 'over-budget', pass: 'cut' }),
      rowOf('b', 'kept', [3, 3]),
      rowOf('a', 'truncated', [2, 1], { why: 'over-budget', pass: 'cut' }),
      rowOf('x', 'left', [0, 0], { ...LEFT_BY_FILES, why: 'excluded', detail: 'By a rule.' }),
      rowOf('d', 'left', [4, 0], { why: 'over-limit', detail: 'Number 4; at most 3 are kept.', pass: 'limit' }),
    ])
  })

  it('says of what a pass left what it was, and how well what was ranked fits', async () => {
    const ranked = fragment('a', 'apple', { kind: 'code', scope: 'project', score: 0.5 })
    const { ledger } = await run(selectionOf([b, ranked], [left('x', { kind: 'passage', score: 0.1 })]), limit(1))
    const told = ledger.map(({ kind, scope, score }) => `${kind} ${scope} ${score}`)
    expect(told).toEqual(['context-file files undefined', 'passage files 0.1', 'code project 0.5'])
  })

  it('blames nobody for what was cut where it was gathered', async () => {
    const short = fragment('a', 'app', { cut: { to: 'part', why: 'over-limit' } })
    const { ledger } = await run(selectionOf([short]), limit(9))
    expect(ledger).toEqual([rowOf('a', 'truncated', [1, 1], { why: 'over-limit' })])
  })

  it('blames the last pass that cut a thing, and the one that left it', async () => {
    const second: Pass = (all, step) => cut('a', 'a')(all, step)
    expect((await run(abc, cut('a', 'app'), second)).ledger[0]).toMatchObject({ pass: 'second', tokensAfter: 1 })
    const last = await run(abc, cut('c', 'ch'), limit(2))
    expect(last.ledger[2]).toMatchObject({ decision: 'left', pass: 'limit', tokensBefore: 2, tokensAfter: 0 })
  })

  it('counts the tokens of the text that was kept and of the one that was not, where a uri came twice', async () => {
    const longer = fragment('a', 'a much longer text')
    const { ledger } = await run(selectionOf([a, longer]))
    expect(ledger).toMatchObject([
      { decision: 'kept', tokensBefore: 2, tokensAfter: 2 },
      { decision: 'left', why: 'duplicate', pass: 'unique', tokensBefore: 5, tokensAfter: 0 },
    ])
  })

  it('does so too when a pass labels the origin anew', async () => {
    const labels: Pass = (all) => ({
      ...all,
      kept: all.kept.map((one) => ({ ...one, origin: { ...one.origin, labels: { scope: 'project' } } })),
    })
    const { ledger } = await run(selectionOf([a, fragment('a', 'a much longer text')]), labels)
    expect(ledger[0]).toMatchObject({ decision: 'kept', tokensBefore: 2, tokensAfter: 2 })
  })

  it('knows what a pass without a name left from what was never read', async () => {
    const { ledger } = await run(abc, ...[(all: Selection) => ({ ...all, kept: all.kept.slice(0, 2) })])
    expect(ledger[2]).toMatchObject({ decision: 'left', pass: '', tokensBefore: 2 })
  })

  it('counts with the counter of the recipe', async () => {
    const recipe = recipeOf(selectionOf([a]), { passes: [cut('a', 'app')], count: (text) => text.length })
    expect((await assemble(recipe, {}, SILENT)).ledger).toMatchObject([{ tokensBefore: 5, tokensAfter: 3 }])
  })
})
