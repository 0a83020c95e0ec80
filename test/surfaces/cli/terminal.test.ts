import { describe, expect, it } from 'vitest'
import { Spinner } from '../../../src/surfaces/cli/progress.ts'
import type { Stream } from '../../../src/surfaces/cli/streams.ts'
import { LineWrapper, wrapLines } from '../../../src/surfaces/cli/table.ts'
import { drawAnswer } from '../../../src/surfaces/cli/views.ts'
import { displayWidth } from '../../../src/text/columns.ts'
import { fc, forAll } from '../../support/property.ts'

describe('wrapping', () => {
  const words = fc.array(fc.stringMatching(/^[a-zé歩]{0,12}$|^[\n ]{1,3}$/)).map((all) => all.join(' '))

  it('changes nothing but white space, and leaves no line longer than its one word', () =>
    forAll(words, fc.integer({ min: 1, max: 40 }), (text, width) => {
      const wrapped = wrapLines(text, width)
      expect(wrapped.split(/\s+/)).toEqual(text.split(/\s+/))
      for (const line of wrapped.split('\n'))
        expect(displayWidth(line.trimEnd()) <= width || !line.trim().includes(' ')).toBe(true)
    }))

  it('is the same however a text comes in pieces', () =>
    forAll(words, fc.integer({ min: 0, max: 60 }), (text, at) => {
      const wrap = new LineWrapper(10)
      expect(wrap.add(text.slice(0, at)) + wrap.add(text.slice(at)) + wrap.end()).toBe(wrapLines(text, 10))
    }))
})

describe('what is drawn', () => {
  const row = { uri: 'file:///a', title: 'AGENTS.md', decision: 'kept', tokensBefore: 1, tokensAfter: 1 }
  const explained = {
    ...{ ledger: [row], tokenCount: 14, budget: 8000, frameTokens: 13, overBudget: false, missing: [] },
    ...{ contextDir: null, warnings: [], missingRequired: ['CONSTITUTION.md', 'TASKS.md', 'DECISIONS.md'] },
  }
  const finding = { path: 'a.md', line: 1, severity: 'error', rule: 'path', message: 'word '.repeat(40).trim() }
  const check = { name: 'node', status: 'ok', message: 'word '.repeat(40).trim() }

  it.each([
    ['explain', explained],
    ['check', { findings: [finding], checked: 1 }],
    ['doctor', { checks: [check] }],
  ])('by %s breaks at words, at the width of the terminal', (name, answer) => {
    const text = drawAnswer(name, answer, { isTerminal: true, plain: true, columns: 60 }) ?? ''
    expect(text.split('\n').filter((line) => displayWidth(line) > 60)).toEqual([])
    expect(text).not.toBe('')
  })
})

describe('the sign that a model is waited for', () => {
  const spun = async (isTerminal: boolean, ms: number) => {
    const drawn: string[] = []
    const display = { isTerminal, plain: true, columns: 80 }
    const err: Stream = {
      isTerminal,
      display,
      write: () => {},
      bytes: async () => {},
      draw: (text) => drawn.push(text),
    }
    const spinner = new Spinner({ err })
    spinner.start('waiting for the model')
    await new Promise((resolve) => setTimeout(resolve, ms))
    spinner.stop()
    return drawn
  }

  it('turns on a terminal after a moment, and is taken away', async () => {
    const drawn = await spun(true, 800)
    expect(drawn.length).toBeGreaterThan(1)
    expect(drawn[0]).toMatch(/^\r\u001b\[2K\S waiting for the model, 0 s$/)
    expect(drawn.at(-1)).toBe('\r\u001b[2K')
  })

  it.each([
    ['elsewhere', false, 800],
    ['where the answer comes at once', true, 50],
  ])('is not there %s', async (_, isTerminal, ms) => {
    expect(await spun(isTerminal, ms)).toEqual([])
  })
})
