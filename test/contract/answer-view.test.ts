import { afterEach, expect, it, vi } from 'vitest'
import type { ShownMessage } from '../../src/agent/answers.ts'
import type { AgentEvent, EndReason } from '../../src/agent/events.ts'
import { AnswerBuilder, type ShownEvent } from '../../src/agent/transcript.ts'
import { ContextError } from '../../src/core/errors.ts'
import type { FlowEvent } from '../../src/core/flow.ts'
import { AnswerView, isCompleteAnswer, replayMessages } from '../../src/surfaces/cli/answer-view.ts'
import { MarkdownView } from '../../src/surfaces/cli/markdown-view.ts'
import { ProgressLine } from '../../src/surfaces/cli/progress.ts'
import { ResearchView } from '../../src/surfaces/cli/research.ts'
import type { Stream, Streams } from '../../src/surfaces/cli/streams.ts'
import { styleOf, wrapLines } from '../../src/surfaces/cli/table.ts'
import { perform, record as recordLines, valuesIn } from './recorded.ts'

/* What a terminal, and what a program sees of an answer, of a conversation that is shown again, and of progress. */

afterEach(() => vi.useRealTimers())

const LOOKS = [
  { isTerminal: true, plain: false, columns: 60 },
  { isTerminal: true, plain: true, columns: 45 },
  { isTerminal: false, plain: true, columns: undefined },
]

/** What is said on two streams, each piece with the name of its stream. */
function record(display: Stream['display']): { readonly streams: Streams; readonly said: string[] } {
  const said: string[] = []
  const stream = (name: string): Stream => {
    const write = (text: string) => void said.push(`${name}: ${JSON.stringify(text)}`)
    return { isTerminal: display.isTerminal, display, write, draw: write, bytes: async () => {} }
  }
  return { streams: { out: stream('out'), err: stream('err'), canAsk: false }, said }
}

const CALL = { id: 'a', tool: 'search', input: { query: 'token\nof', limit: 3 } }
const USAGE = { input: 1200, cached: 1000, output: 30 }
const CALLS: readonly AgentEvent[] = [
  { type: 'step', number: 1 },
  { type: 'thought', text: 'Hm.' },
  { type: 'tool-started', ...CALL },
  { type: 'tool-finished', result: 'x', ...CALL },
  { type: 'tool-failed', result: 'No\u001b[31m such.\nMore.', ...CALL, input: null },
  { type: 'within', id: 'a', event: { type: 'tool-finished', result: '', ...CALL, input: { path: 'p'.repeat(90) } } },
  { type: 'within', id: 'a', event: { type: 'text', text: 'inner' } },
  { type: 'usage', step: USAGE, total: USAGE },
  { type: 'compacted', before: 1, after: 12_000, by: 'model' },
  { type: 'waiting', ms: 1234, attempt: 1 },
]
const TEXTS = ['', 'The **token** is checked ', 'at noon, see ambit://docs/a.md [1]\u001b[31m.\n\n', '- one\n- ', 'two']

const END = {
  answer: TEXTS.join(''),
  citations: [
    { number: 1, place: 'ambit://docs/a.md' },
    { number: 2, place: 'ambit://docs/b.md', line: 12, heading: 'Time\nouts' },
    { number: 3, place: 'ambit://docs/c.md', line: 4, sections: [{ line: 4, heading: 'Fees' }, { line: 9 }] },
  ],
  claims: [{ text: 'It is\nso.', why: 'Not there.' }, { text: 'It is fine.' }],
}
const REASONS: readonly EndReason[] = ['done', 'step-limit', 'token-limit', 'cost-limit', 'time-limit', 'loop']

it.each(LOOKS)('an answer is shown so: %j', async (display) => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
  const shown: string[] = []
  for (const isStreamed of [undefined, !display.isTerminal]) {
    const { streams, said } = record(display)
    const view = new AnswerView(streams, isStreamed)
    for (const text of TEXTS) view.emit({ type: 'text', text })
    for (const event of CALLS) {
      view.emit(event)
      vi.advanceTimersByTime(event.type === 'step' ? 1450 : 250)
    }
    for (const text of TEXTS.toReversed()) view.emit({ type: 'text', text })
    view.end({ ...END, reason: 'done' } as never)
    for (const [cached, cost] of [[0], [1000, 0.00123]] as const)
      view.showUsage({ usage: { ...USAGE, cached, cost } as never })
    for (const input of [0, 1]) view.showUsage({ usage: { input, cached: 0, output: 0, cost: undefined } as never })
    shown.push(`# streamed: ${isStreamed}`, ...said)
  }
  for (const reason of REASONS) {
    const { streams, said } = record(display)
    const view = new AnswerView(streams, false)
    view.emit({ type: 'step', number: 1 })
    vi.advanceTimersByTime(450)
    view.end({ answer: '', citations: [], reason })
    vi.advanceTimersByTime(450)
    shown.push(`# ${reason}`, ...said)
  }
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot(`snapshots/answer-view/${display.columns ?? 'program'}.txt`)
})

it('an answer is whole, or an error', async () => {
  const outcomes = [...REASONS, 'cancelled', 'interrupted', 'refused', 'failed'].map((reason) => {
    const error = reason === 'failed' ? new ContextError('unavailable', 'It failed.') : undefined
    try {
      return `${reason}: ${isCompleteAnswer({ reason: reason as EndReason, error } as never)}`
    } catch (thrown) {
      return thrown instanceof ContextError ? `${reason}: ${thrown.code} ${thrown.message} ${thrown.hint}` : 'other'
    }
  })
  await expect(`${outcomes.join('\n')}\n`).toMatchFileSnapshot('snapshots/answer-view/ends.txt')
})

const KEPT: readonly ShownEvent[] = [
  { type: 'facts', facts: { model: 'acme/m' } },
  ...(['one', ' more'].map((text) => ({ type: 'text', text })) as ShownEvent[]),
  ...CALLS,
  { type: 'tool-started', ...CALL, id: 'b' },
  { type: 'approval', id: 'b', approvalId: 'p' },
  { type: 'approved', id: 'b', approvalId: 'p', isApproved: false },
  { type: 'tool-failed', result: 'No.', ...CALL, id: 'b' },
  { type: 'tool-started', ...CALL },
  { type: 'within', id: 'a', event: { type: 'tool-failed', result: '', ...CALL } },
  { type: 'within', id: 'a', event: { type: 'tool-finished', result: '', ...CALL } },
  { type: 'approved', id: 'a', approvalId: 'q', isApproved: true },
  { type: 'tool-finished', result: 'found', ...CALL },
  { type: 'tool-failed', result: 'unknown', ...CALL, id: 'none' },
  { type: 'text', text: 'last' },
  { type: 'end', reason: 'failed', error: new ContextError('denied', 'No.', { hint: 'Ask.' }) },
]

it('an answer is kept so, after each event', async () => {
  const kept = new AnswerBuilder()
  const shown = KEPT.map((event) => {
    kept.apply(event)
    return `${event.type}: ${JSON.stringify(kept.parts.slice(-2))} ${JSON.stringify(kept.facts)}\n`
  })
  shown.push(`${JSON.stringify(kept.parts, null, 1)}\n`)
  await expect(shown.join('')).toMatchFileSnapshot('snapshots/answer-view/kept.txt')
})

const shownMessage = (role: string, ...parts: object[]) => ({ id: 'i', role, parts }) as unknown as ShownMessage
const EXCHANGE = [
  shownMessage('user', { type: 'text', text: 'What of\nit?' }, { type: 'file', filename: 'a\n.pdf' }),
  shownMessage(
    'assistant',
    { type: 'dynamic-tool', toolName: 'search', state: 'output-available', input: { query: 'it' } },
    { type: 'dynamic-tool', toolName: 'get', state: 'output-error', input: { path: 'a' } },
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'It is **so**.' },
  ),
]

it.each(LOOKS)('a conversation is shown again so: %j', async (display) => {
  const shown = [0, 1, 20, 21, 22].flatMap((times) => {
    const { streams, said } = record(display)
    replayMessages(streams, Array.from({ length: times }, () => EXCHANGE).flat())
    return [`# ${times}: ${said.length}`, ...said.slice(0, 7)]
  })
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot(
    `snapshots/answer-view/replay-${display.columns ?? 'program'}.txt`,
  )
})

/** Progress, and the milliseconds before it. */
const PROGRESS: readonly (readonly [what: string, done: number, total: number, ms: number])[] = [
  ['docs', 0, 10, 0],
  ['docs', 1, 10, 50],
  ['docs', 2, 10, 60],
  ['docs', 3, 10, 150],
  ['docs', 4, 10, 99],
  ['docs', 5, 10, 1],
  ['docs', 10, 10, 5],
  ['no\nne', 0, 0, 10],
  ['one', 1, 1, 10],
  ['one', 1, 3, 2000],
]

it('progress is shown so', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const shown: string[] = []
  for (const display of LOOKS)
    for (const json of [false, true]) {
      const { streams, said } = record(display)
      const line = new ProgressLine(streams, json)
      line.end()
      line.emit({ type: 'rendered', tokens: 1 } as FlowEvent)
      for (const [what, done, total, ms] of PROGRESS) {
        vi.advanceTimersByTime(ms)
        line.emit({ type: 'progress', what, done, total })
      }
      line.end()
      line.end()
      shown.push(`# ${JSON.stringify(display)}, json: ${json}`, ...said)
    }
  await expect(`${shown.join('\n')}\n`).toMatchFileSnapshot('snapshots/answer-view/progress.txt')
})

it.each(LOOKS)('a run of research is shown so: %j', async (display) => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
  const shown = [false, true].flatMap((json) => {
    const { streams, said } = record(display)
    const view = new ResearchView(streams, json)
    for (const { ms, ...event } of valuesIn('run-events.jsonl')) {
      vi.advanceTimersByTime(ms)
      view.emit(event)
    }
    vi.advanceTimersByTime(160)
    view.end()
    vi.advanceTimersByTime(160)
    return [`# JSON: ${json}`, ...said]
  })
  await recordLines(shown, `answer-view/run-${display.columns ?? 'program'}`)
})

it('Markdown and long lines are shown so', async () => {
  const style = styleOf({ isTerminal: true, plain: false, columns: 40 })
  const markdown = (text: string) => {
    const view = new MarkdownView(style)
    return view.add(text) + view.end()
  }
  const wrapped = (text: string) => wrapLines(text, 8)
  await recordLines(await perform('terminal', { view: { markdown, wrapped } }), 'answer-view/terminal')
})
