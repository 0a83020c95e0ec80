import { describe, expect, it } from 'vitest'
import { budget } from '../../src/context/passes/budget/budget.ts'
import { limit } from '../../src/context/passes/limits.ts'
import { assemble } from '../../src/core/assemble.ts'
import { ContextError } from '../../src/core/errors.ts'
import type { FlowEvent, Pass, Run, Selection } from '../../src/core/flow.ts'
import { EMPTY_SELECTION, SILENT } from '../../src/core/flow.ts'
import { bytes4 } from '../../src/core/tokens.ts'
import { fragment, left, listening, namesOf, plainly, recipeOf, selectionOf, sourceOf } from './fragments.ts'

const [a, b, c] = [fragment('a', 'apple'), fragment('b', 'banana'), fragment('c', 'cherry')]
const abc = selectionOf([a, b, c])

describe('what a recipe makes', () => {
  it('is the sources in their order, through the passes, rendered', async () => {
    const order: string[] = []
    const pass =
      (name: string): Pass =>
      (selection) => {
        order.push(name)
        return { ...selection, kept: selection.kept.toReversed() }
      }
    const recipe = recipeOf(EMPTY_SELECTION, {
      sources: [sourceOf('one', selectionOf([a], [left('x')])), sourceOf('two', selectionOf([b, c], [left('y')]))],
      passes: [pass('first'), pass('second'), pass('third')],
    })
    const { considered, selection, text, tokens } = await assemble(recipe, {}, SILENT)
    expect(order).toEqual(['first', 'second', 'third'])
    expect(namesOf(considered.kept)).toEqual(['a', 'b', 'c'])
    expect(namesOf(selection.kept)).toEqual(['c', 'b', 'a'])
    expect(namesOf(selection.left)).toEqual(['x', 'y'])
    expect([text, tokens]).toEqual(['cherry\nbanana\napple\n', bytes4('cherry\nbanana\napple\n')])
  })

  it('keeps the order of the sources, whichever answers first', async () => {
    const gather = () => new Promise<Selection>((done) => setTimeout(done, 20, selectionOf([a])))
    const sources = [{ name: 'slow', gather }, sourceOf('fast', selectionOf([b]))]
    const { considered } = await assemble(recipeOf(EMPTY_SELECTION, { sources }), {}, SILENT)
    expect(namesOf(considered.kept)).toEqual(['a', 'b'])
  })

  it('is empty without sources, and the warnings of all sources travel with it', async () => {
    const nothing = { considered: EMPTY_SELECTION, selection: EMPTY_SELECTION, text: '', tokens: 0, ledger: [] }
    expect(await assemble(recipeOf(EMPTY_SELECTION, { sources: [] }), {}, SILENT)).toEqual(nothing)
    const warned = (path: string) => sourceOf(path, { ...EMPTY_SELECTION, warnings: [{ path, message: 'odd' }] })
    const { selection } = await assemble(recipeOf(EMPTY_SELECTION, { sources: [warned('p'), warned('q')] }), {}, SILENT)
    expect(selection.warnings.map(({ path }) => path)).toEqual(['p', 'q'])
  })

  it('gives sources and passes the focus, and passes the counter and the cost of a rendering', async () => {
    const focus = { task: 'fix', place: '/p', touched: ['q'] }
    const seen: unknown[] = []
    const recipe = recipeOf(EMPTY_SELECTION, {
      sources: [{ name: 'files', gather: async (given) => noted(seen, given, abc) }],
      passes: [
        (selection, step) => {
          seen.push(step.focus, step.count('12'), step.measure(selection), step.measure(EMPTY_SELECTION))
          return selection
        },
      ],
      count: (text) => text.length,
    })
    const { tokens } = await assemble(recipe, focus, SILENT)
    expect(seen).toEqual([focus, focus, 2, 20, 0])
    expect(tokens).toBe(20)
  })

  it('measures what it is given, also when the same pass asks twice', async () => {
    const measured: number[] = []
    const pass: Pass = (selection, { measure }) => {
      for (const kept of [[a], [a, b], [a]]) measured.push(measure(selectionOf(kept)))
      measured.push(measure(selection), measure(selection))
      return selection
    }
    await assemble(recipeOf(abc, { passes: [pass] }), {}, SILENT)
    expect(measured).toEqual([2, 4, 2, 5, 5])
  })

  it('measures parts without joining them where renderer and counter can, with the same answer', async () => {
    const joined: string[] = []
    const whole = ({ kept }: Selection) => kept.map(({ text }) => text).join('')
    const parts = ({ kept }: Selection) => kept.map(({ text }) => text)
    const render = Object.assign((selection: Selection) => noted(joined, whole(selection), whole(selection)), { parts })
    const inParts = await assemble(recipeOf(abc, { render, passes: [budget(1)] }), {}, SILENT)
    expect(joined).toEqual([])
    expect(inParts).toEqual(await assemble(recipeOf(abc, { render: whole, passes: [budget(1)] }), {}, SILENT))
    const counted = await assemble(recipeOf(abc, { render, count: (text) => text.length }), {}, SILENT)
    expect([counted.text, counted.tokens, joined]).toEqual([whole(abc), whole(abc).length, [whole(abc)]])
  })

  it.each([
    [
      'a source',
      recipeOf(EMPTY_SELECTION, { sources: [{ name: 's', gather: () => Promise.reject(new TypeError('bug')) }] }),
    ],
    ['a source, at once', recipeOf(EMPTY_SELECTION, { sources: [{ name: 's', gather: () => fail() }] })],
    ['a pass', recipeOf(abc, { passes: [() => fail()] })],
    ['the renderer', recipeOf(abc, { render: () => fail() })],
  ])('passes on what %s throws', async (_, recipe) => {
    await expect(assemble(recipe, {}, SILENT)).rejects.toThrow(new TypeError('bug'))
  })
})

function noted<Value>(notes: unknown[], note: unknown, value: Value): Value {
  notes.push(note)
  return value
}

function fail(): never {
  throw new TypeError('bug')
}

describe('events', () => {
  it('tell what each stage kept and left, in turn', async () => {
    const listener = listening<FlowEvent>()
    const recipe = recipeOf(EMPTY_SELECTION, {
      sources: [sourceOf('one', selectionOf([a, b], [left('x')])), sourceOf('two', selectionOf([c]))],
      passes: [limit(2), ({ kept, ...all }) => ({ ...all, kept: kept.slice(1) })],
    })
    await assemble(recipe, {}, listener)
    expect(listener.heard).toEqual([
      { type: 'gathered', source: 'one', kept: 2, left: 1 },
      { type: 'gathered', source: 'two', kept: 1, left: 0 },
      { type: 'passed', pass: 'limit', kept: 2, left: 2 },
      { type: 'passed', pass: '', kept: 1, left: 3 },
      { type: 'rendered', tokens: 2 },
    ])
  })

  it('reach a run whose methods are those of its class', async () => {
    class Collector implements Run {
      readonly types: string[] = []
      get signal() {
        return new AbortController().signal
      }
      emit({ type }: FlowEvent) {
        this.types.push(type)
      }
    }
    const collector = new Collector()
    await assemble(recipeOf(abc, { passes: [limit(1)] }), {}, collector)
    expect(collector.types).toEqual(['gathered', 'passed', 'rendered'])
  })
})

describe('a signal', () => {
  const cancelled = { code: 'cancelled', message: 'The call was cancelled.', cause: 'enough' }

  function stoppedBy(where: string) {
    const controller = new AbortController()
    const stop = (here: string) => here === where && controller.abort('enough')
    const ran: string[] = []
    const passing = <Value>(name: string, value: Value): Value => {
      stop(name)
      return noted(ran, name, value)
    }
    const recipe = recipeOf(EMPTY_SELECTION, {
      sources: [{ name: 's', gather: async () => passing('source', abc) }],
      passes: ['first', 'second'].map(
        (name): Pass =>
          async (all) =>
            passing(name, all),
      ),
      render: (all) => passing('render', plainly(all)),
    })
    stop('before')
    return { ran, done: assemble(recipe, {}, { ...SILENT, signal: controller.signal }) }
  }

  it.each([
    ['before', []],
    ['source', ['source']],
    ['first', ['source', 'first']],
    ['second', ['source', 'first', 'second']],
  ])('that fires at "%s" lets nothing more run', async (where, expected) => {
    const { ran, done } = stoppedBy(where)
    await expect(done).rejects.toMatchObject(cancelled)
    await expect(done).rejects.toBeInstanceOf(ContextError)
    expect(ran).toEqual(expected)
  })

  it('that never fires changes nothing', async () => {
    const { ran, done } = stoppedBy('never')
    expect((await done).selection).toEqual(abc)
    expect(ran).toEqual(['source', 'first', 'second', 'render'])
  })

  it.each(['source', 'pass'])('makes one error of whatever a %s throws when it is stopped', async (where) => {
    const controller = new AbortController()
    const stopped = async () => {
      controller.abort('enough')
      throw new DOMException('stopped', 'AbortError')
    }
    const recipe =
      where === 'source'
        ? recipeOf(EMPTY_SELECTION, { sources: [{ name: 's', gather: stopped }] })
        : recipeOf(abc, { passes: [stopped] })
    await expect(assemble(recipe, {}, { ...SILENT, signal: controller.signal })).rejects.toMatchObject(cancelled)
  })

  it('is handed to sources and passes', async () => {
    const { signal } = new AbortController()
    const seen: unknown[] = []
    const recipe = recipeOf(EMPTY_SELECTION, {
      sources: [{ name: 's', gather: async (_, given) => noted(seen, given.signal, abc) }],
      passes: [(all, step) => noted(seen, step.signal, all)],
    })
    await assemble(recipe, {}, { ...SILENT, signal })
    expect(seen).toEqual([signal, signal])
  })
})
