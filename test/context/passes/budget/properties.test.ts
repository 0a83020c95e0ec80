/** @module-tag long */

import { describe, expect, it } from 'vitest'
import { budget } from '../../../../src/context/passes/budget/budget.ts'
import { buildLadder } from '../../../../src/context/passes/budget/ladder.ts'
import { markdown, xml } from '../../../../src/context/renderers/renderers.ts'
import { assemble } from '../../../../src/core/assemble.ts'
import { type Count, type Fragment, type Selection, SILENT } from '../../../../src/core/flow.ts'
import { bytes4 } from '../../../../src/core/tokens.ts'
import { blocksOf } from '../../../../src/text/blocks.ts'
import { left, recipeOf, selectionOf, stepOf } from '../../../core/fragments.ts'
import { fc, forAll, forAllAsync } from '../../../support/property.ts'
import { type Document, documents, tasks, withoutMarks } from './documents.ts'

const render = markdown({ heading: 'Project Context' })

/** Counts runs of letters and of white space, so that the parts of a text count more than the text: as real tokens do. */
const merging: Count = (text) => text.match(/ ?\p{L}{1,6}|\d{1,3}|\s+|[^\s\p{L}\d]+/gu)?.length ?? 0

interface Question {
  readonly given: readonly Document[]
  readonly task: string | undefined
  readonly count: Count
}

const questions: fc.Arbitrary<Question> = fc.record({
  given: documents,
  task: tasks,
  count: fc.constantFrom<Count>(bytes4, merging),
})
/** Budgets, as a share of what all files take; more often small ones. */
const shares = fc.oneof(fc.double({ min: 0, max: 0.2, noNaN: true }), fc.double({ min: 0, max: 1.05, noNaN: true }))

function budgetOf(share: number, question: Question): number {
  return Math.max(1, Math.floor(share * question.count(render(selectionFrom(question)))))
}

const selectionFrom = ({ given }: Question) => selectionOf(given.map((one) => one.fragment))

function blockOrder({ given }: Question) {
  return (fragment: Fragment) => given.find((one) => one.fragment.origin === fragment.origin)?.order ?? 'written'
}

async function cutTo(tokens: number, question: Question): Promise<Selection> {
  const { task, count } = question
  const step = stepOf(render, { count, ...(task !== undefined && { task }) })
  return budget(tokens, { blockOrder: blockOrder(question) })(selectionFrom(question), step)
}

/** The lines that are shown of a file: without blank ones and the marker. */
function linesOf(text: string): string[] {
  return withoutMarks(text)
    .split(/\r\n?|\n/)
    .flatMap((line) => (line.trim() === '' ? [] : [line.trimEnd()]))
}

/** The first shown line that is not the beginning of a line of the whole, after those before it; undefined when all are. */
function strangeLine(shown: readonly string[], whole: readonly string[]): string | undefined {
  let at = 0
  for (const line of shown) {
    while (at < whole.length && !whole[at]?.startsWith(line)) at++
    if (at === whole.length) return line
    at++
  }
  return undefined
}

function swallows(text: string): boolean {
  return blocksOf(`${text}\n\n# after\n`).at(-1)?.title !== 'after'
}

function headingsIn(text: string): string[] {
  return blocksOf(text).flatMap(({ title }) => (title === undefined ? [] : [title]))
}

/** Checks of one question, under one budget. */
const RULES: Readonly<Record<string, (selection: Selection, question: Question, tokens: number) => void>> = {
  'takes no more than the budget, but for pinned files': (selection, { count }, tokens) => {
    if (count(render(selection)) > tokens) expect(selection.kept.every(({ pinned }) => pinned)).toBe(true)
  },
  'keeps pinned files whole': ({ kept }, { given }) => {
    const pinned = given.flatMap((one) => (one.fragment.pinned ? [one.fragment] : []))
    expect(kept.filter((one) => one.pinned)).toEqual(pinned)
  },
  'gives the selection itself when all fits, and cuts something when not': (selection, question, tokens) => {
    const whole = selectionFrom(question)
    if (question.count(render(whole)) <= tokens) expect(selection).toEqual(whole)
    else if (whole.kept.some(({ pinned }) => !pinned)) {
      expect(selection.left.length + selection.kept.filter(({ cut }) => cut).length).toBeGreaterThan(0)
    }
  },
  'shows lines in their own order, and nothing that is not there': ({ kept }, { given }) => {
    for (const { origin, text } of kept) {
      const whole = given.find((one) => one.fragment.origin === origin)?.fragment.text ?? ''
      expect(strangeLine(linesOf(text), linesOf(whole))).toBeUndefined()
    }
  },
  'shows fenced code whole or not at all': ({ kept }, { given }) => {
    for (const { fragment, fences } of given) {
      const text = kept.find(({ origin }) => origin === fragment.origin)?.text ?? ''
      for (const fence of fences) {
        const name = /\bcode\w+/.exec(fence)?.[0] ?? '?'
        expect([name, text.includes(fence)]).toEqual([name, new RegExp(`\\b${name}\\b`).test(text)])
      }
    }
  },
  'leaves no fence open': ({ kept }) => {
    for (const { text, cut, syntax } of kept)
      if (cut && syntax === 'markdown') expect([text, swallows(text)]).toEqual([text, false])
  },
  'shows headings as headings, code as code': ({ kept }, { given }) => {
    for (const { origin, text, cut, syntax } of kept) {
      if (!cut || syntax !== 'markdown') continue
      const whole = given.find((one) => one.fragment.origin === origin)?.fragment.text ?? ''
      expect(headingsIn(text)).toEqual(
        headingsIn(whole).filter((title) => linesOf(text).some((line) => line.endsWith(title))),
      )
    }
  },
  'marks once, where something is missing': ({ kept }, { given }) => {
    for (const { origin, text, cut } of kept) {
      const whole = given.find((one) => one.fragment.origin === origin)?.fragment
      expect(text.split('[truncated]').length - 1).toBe(cut ? 1 : 0)
      if (cut) expect(linesOf(text).join('').length).toBeLessThan(linesOf(whole?.text ?? '').join('').length)
      else expect(text).toBe(whole?.text)
    }
  },
  'says of each file what became of it': ({ kept, left: gone }, { given }) => {
    const titles = given.map((one) => one.fragment.title)
    const isShown = (title: string) => kept.some((one) => one.title === title)
    expect(kept.map(({ title }) => title)).toEqual(titles.filter(isShown))
    expect(gone.map(({ title }) => title)).toEqual(titles.filter((title) => !isShown(title)))
    for (const { cut } of kept) if (cut) expect(cut.why).toBe('over-budget')
    for (const { why, detail } of gone)
      expect([why, detail]).toEqual(['over-budget', 'Its name alone exceeds the budget.'])
  },
}

describe('under any budget, of any files', () => {
  it.each(Object.entries(RULES))('it %s', async (_, rule) => {
    await forAllAsync(300, questions, shares, async (question, share) => {
      const tokens = budgetOf(share, question)
      rule(await cutTo(tokens, question), question, tokens)
    })
  })

  it('gives the same for the same', () =>
    forAllAsync(100, questions, shares, async (question, share) => {
      const tokens = budgetOf(share, question)
      expect(await cutTo(tokens, question)).toEqual(await cutTo(tokens, question))
    }))

  it('has a row in the ledger for each file, whose tokens are those of what is shown', () =>
    forAllAsync(200, questions, shares, async (question, share) => {
      const tokens = budgetOf(share, question)
      const given = selectionOf(selectionFrom(question).kept, [left('x')])
      const { count } = question
      const passes = [budget(tokens, { blockOrder: blockOrder(question) })]
      const { ledger, selection, ...whole } = await assemble(recipeOf(given, { passes, render, count }), {}, SILENT)
      expect(ledger.map(({ title }) => title).toSorted()).toEqual([...given.kept.map(({ title }) => title), 'x'])
      expect(whole.tokens).toBe(count(whole.text))
      for (const [index, { text, cut }] of selection.kept.entries()) {
        const decision = cut ? (cut.to === 'part' ? 'truncated' : 'outline') : 'kept'
        expect(ledger[index]).toMatchObject({ decision, tokensAfter: count(text), ...(cut && { pass: 'budget' }) })
      }
      const rows = ledger.slice(selection.kept.length).filter(({ title }) => title !== 'x')
      for (const row of rows)
        expect(row).toMatchObject({ decision: 'left', why: 'over-budget', pass: 'budget', tokensAfter: 0 })
    }))
})

/** How much of a file is shown, from nothing to all. */
function rank({ kept }: Selection, title: string): number {
  const one = kept.find((fragment) => fragment.title === title)
  return one === undefined ? 0 : one.cut ? (one.cut.to === 'outline' ? 1 : 2) : 3
}

function textOf({ kept }: Selection, title: string): string {
  return kept.find((fragment) => fragment.title === title)?.text ?? ''
}

/** Where the larger budget shows less, in words; none where it shows at least as much. */
function less(small: Selection, large: Selection, titles: readonly string[]): string[] {
  return titles.flatMap((title) => {
    const [under, over] = [linesOf(textOf(small, title)), linesOf(textOf(large, title))]
    const lost = strangeLine(under, over)
    if (rank(large, title) < rank(small, title)) return [`${title} is shown as less`]
    if (over.join('').length < under.join('').length) return [`${title} has fewer characters`]
    return lost === undefined ? [] : [`${title} lost ${lost}`]
  })
}

describe('a larger budget', () => {
  it('never shows less of anything', () =>
    forAllAsync(300, questions, fc.array(shares, { minLength: 2, maxLength: 8 }), async (question, some) => {
      const titles = question.given.map((one) => one.fragment.title)
      let before: Selection | undefined
      for (const share of some.toSorted((one, other) => one - other)) {
        const now = await cutTo(budgetOf(share, question), question)
        if (before) expect(less(before, now, titles)).toEqual([])
        before = now
      }
    }))

  it('never shows less than one token fewer', () =>
    forAllAsync(60, questions, shares, async (question, share) => {
      const from = budgetOf(share, question)
      const titles = question.given.map((one) => one.fragment.title)
      let before = await cutTo(from, question)
      for (let tokens = from + 1; tokens < from + 12; tokens++) {
        const now = await cutTo(tokens, question)
        expect(less(before, now, titles)).toEqual([])
        before = now
      }
    }))
})

describe('the ladder', () => {
  const ladder = (question: Question, by = render) => {
    const { task, count } = question
    const step = stepOf(by, { count, ...(task !== undefined && { task }) })
    return buildLadder(selectionFrom(question), step, blockOrder(question))
  }

  it('shows on each rung what the one below shows, and something more', () =>
    forAll(100, questions, (question) => {
      const titles = question.given.map((one) => one.fragment.title)
      const rungs = ladder(question)
      let before = rungs.upTo(0)
      expect(before.kept.every(({ pinned }) => pinned)).toBe(true)
      for (let rung = 1; rung <= rungs.length; rung++) {
        const now = rungs.upTo(rung)
        expect(less(before, now, titles)).toEqual([])
        before = now
      }
      expect(before).toEqual(selectionFrom(question))
    }))

  it('is climbed until the next rung does not fit', async () => {
    const frames = [render, xml({ attributes: ['path', 'truncated'] })]
    await forAllAsync(100, questions, shares, fc.constantFrom(...frames), async (question, share, by) => {
      const tokens = budgetOf(share, question)
      const { count, task } = question
      const step = stepOf(by, { count, ...(task !== undefined && { task }) })
      const given = selectionFrom(question)
      const cut = await budget(tokens, { blockOrder: blockOrder(question) })(given, step)
      if (cut === given || given.kept.every(({ pinned }) => pinned)) return
      const rungs = ladder(question, by)
      const shown = by(cut)
      let rung = 0
      while (rung < rungs.length && by(rungs.upTo(rung)) !== shown) rung++
      while (rung < rungs.length && by(rungs.upTo(rung + 1)) === shown) rung++
      expect(rung).toBeLessThan(rungs.length)
      expect(count(by(rungs.upTo(rung + 1)))).toBeGreaterThan(tokens)
    })
  })
})
