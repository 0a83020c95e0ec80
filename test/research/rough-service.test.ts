/** What is kept of a run whose model answers roughly, late, or not at all, and how that is told. */

import { afterEach, describe, expect, it, vi } from 'vitest'
import { served } from '../internet/served.ts'
import type { Said } from '../support/language-server.ts'
import type { Fault } from '../support/model-server.ts'
import { FILES, MODEL, modelRun, nodeOf, type Outcome, type Script, type Task, WELL } from './model-run.ts'

const ITEM = 'The ferry carries 120 passengers.'
const FALSE = 'It carries 900 people [1].'

/** Work at which each stage is asked: one statement needs a judge, another is refused. */
const WHOLE: Script = {
  ...WELL,
  report: (task) => `${WELL.report?.(task)}\n\nIt takes 120 people [1].\n\n${FALSE}`,
  repair: ({ paragraphs }) => ({
    paragraphs: paragraphs.map(({ id }: Task) => ({ id, text: 'It takes 120 people [1].' })),
  }),
}
const STAGES = [
  ...(['brief', 'digest', 'aggregate', 'queries', 'synthesis', 'decompose'] as const),
  ...(['router', 'outline', 'report', 'judge', 'repair', 'grade'] as const),
]
type Stage = (typeof STAGES)[number]

type Form = (text: string) => Said | { readonly fault: Fault }

/** A run of all stages, some of which answer in another form. `times`: how often each. */
async function runIn(form: Form, stages: readonly string[] = STAGES, times = 1e6) {
  const counts = new Map<string, number>()
  await using search = await served((_, response) => response.end('{"results":[]}'))
  const config = { search: { provider: 'searxng', url: search.url }, allowLoopback: true } as const
  await using run = await modelRun(WHOLE, config, ({ text }, stage, { messages }) => {
    const key = JSON.stringify(messages.slice(0, 2))
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return stages.includes(stage) && Number(counts.get(key)) <= times ? form(String(text)) : { text: String(text) }
  })
  const request = { web: 'default', concurrency: 1, minutes: 600 }
  const outcome = await run.run(request, { ...FILES, 'b.md': 'Boats go in the evening.' })
  return { ...outcome, asked: new Set(run.asked.map(({ stage }) => stage)) }
}

const isJson = (whole: string) => whole.startsWith('{')

/** Answers that hold all that was asked for. */
const ROUGH: readonly (readonly [string, Form])[] = [
  ['as it should', (text) => ({ text })],
  ['behind its thoughts', (text) => ({ text: `<think>So { it } is.</think>${text}` })],
  ['with its thoughts apart', (text) => ({ thought: 'So { it } is.', text })],
  ['in a fence', (text) => ({ text: `\`\`\`${isJson(text) ? 'json' : 'markdown'}\n${text}\n\`\`\`` })],
  ['within prose', (text) => ({ text: `Sure!\n\n${text}${isJson(text) ? '\n\nI hope this helps.' : ''}` })],
  ['with a comma too many', (text) => ({ text: isJson(text) ? text.replace(/\}$/, ',}') : text })],
  ['after a minute', (text) => after(60, { text })],
]

const FAILURE: readonly [string, Form] = ['that it failed', () => ({ fault: { status: 500 } })]

/** Answers of no use. */
const USELESS: readonly (readonly [string, Form])[] = [
  ['nothing', () => ({ text: '' })],
  ['nothing but thoughts', () => ({ text: '<think>Hm.</think>' })],
  ['half of its answer', (text) => ({ text: text.slice(0, text.length / 2), finish: null, end: 'cut' })],
  ['a refusal', () => ({ text: '', finish: 'content_filter' })],
  ['that it is busy', () => ({ fault: { status: 429 } })],
  FAILURE,
  ['no word in five minutes', () => after(300, { fault: 'hang' })],
]

const CUT: readonly [string, Form] = [
  'what its length allows of its answer',
  (text) => ({ text: text.slice(0, text.length / 2), finish: 'length' }),
]

/** Time passes for whoever waits for the answer. */
function after<Answer>(seconds: number, answer: Answer): Answer {
  setImmediate(() => vi.advanceTimersByTime(seconds * 1000))
  return answer
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('a service that', () => {
  const plain = runIn((text) => ({ text }))

  it.each(ROUGH)('answers %s loses nothing at any stage', async (_, rough) => {
    const { markdown, shown, asked } = await lateRun(() => runIn(rough))
    expect([...asked].sort()).toEqual([...STAGES].sort())
    expect(markdown).toBe((await plain).markdown)
    expect(new Set(Object.values(shown.report?.stages ?? {}).flat())).toEqual(new Set([MODEL]))
  })

  it.each([...USELESS, CUT])('says %s, and then all, loses nothing at any stage', async (_, useless) => {
    expect((await lateRun(() => runIn(useless, STAGES, 1))).markdown).toBe((await plain).markdown)
  })

  it.each(USELESS)('never says but %s ends no run, which shows what it found without it', async (_, useless) => {
    const { shown, markdown, events } = await lateRun(() => runIn(useless))
    expect([shown.status, shown.report?.grade]).toEqual(['completed', 'partial'])
    expect(markdown).toContain(`> ${ITEM}`)
    expect(reasonsIn(events).length).toBeGreaterThan(4)
  })
})

/** By stage the event that says of one without an answer why, and what stays of the run. */
const KEPT: Readonly<Record<Stage, readonly [event: string, kept: (outcome: Outcome) => unknown, is: unknown]>> = {
  brief: ['brief_ready', ({ shown }) => shown.brief?.parts, ['What of the harbour?']],
  digest: ['context_binding_parsing_file_completed', ({ shown }) => shown.files.map((one) => one.items_count), [2, 1]],
  aggregate: ['context_binding_parsing_completed', (outcome) => nodeOf(outcome, '1').slice?.selected_items?.length, 5],
  queries: ['queries_planned', (outcome) => nodeOf(outcome, '1').queries, ['What of the harbour?']],
  synthesis: [
    'node_synthesized',
    (outcome) => nodeOf(outcome, '1').findings.some((one) => one.text.includes(ITEM)),
    true,
  ],
  decompose: ['node_completed', (outcome) => nodeOf(outcome, '1').findings.length, 3],
  router: ['context_routing_failed', (outcome) => nodeOf(outcome, '1.1').slice?.selected_items?.length, 3],
  outline: ['report_generation_completed', ({ shown }) => shown.report?.stages.report, [MODEL]],
  report: ['report_generation_completed', ({ markdown }) => markdown.includes(ITEM), true],
  judge: [
    'report_generation_completed',
    ({ shown }) => shown.report?.claims.some((one) => one.verdict === 'unchecked'),
    true,
  ],
  repair: ['report_generation_completed', ({ shown }) => shown.report?.claims.at(-1)?.verdict, 'unsupported'],
  grade: ['report_generation_completed', ({ shown }) => shown.report?.grade, 'full'],
}

const OF_NO_ANSWER = 'a stage whose service never says but %s'
describe.each([FAILURE, CUT])(OF_NO_ANSWER, keepsWhatThereIs)
describe.each(USELESS.filter((one) => one !== FAILURE))(OF_NO_ANSWER, { tags: 'long' }, keepsWhatThereIs)

function keepsWhatThereIs(what: string, form: Form) {
  it.each(STAGES)('keeps what there is, and says so: %s', async (stage) => {
    const outcome = await lateRun(() => runIn(form, [stage]))
    const [event, kept, is] = KEPT[stage]
    expect(outcome.shown.status).toBe('completed')
    if (what !== CUT[0]) expect(kept(outcome)).toEqual(is)
    expect(reasonsIn(outcome.events.filter(({ type }) => type === event))).not.toEqual([])
    const named = { aggregate: 'digest', outline: 'report' }[stage as string] ?? stage
    expect(outcome.markdown).toMatch(new RegExp(`^- ${named}: \\S.*$`, 'm'))
  })
}

function reasonsIn(events: Outcome['events']): string[] {
  return events.flatMap(({ fallback_reason, type, reason }) => {
    const why = type === 'context_routing_failed' ? reason : fallback_reason
    return why === undefined ? [] : [String(why)]
  })
}

/** By a clock that is moved by answers alone; a busy service is asked again at once. */
async function lateRun<Value>(work: () => Promise<Value>): Promise<Value> {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return work()
}
