/** What is kept of a run whose model answers roughly, late, or not at all, and how that is told. */

import { afterEach, describe, expect, it, vi } from 'vitest'
import { served } from '../internet/served.ts'
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

function textFor(stage: Stage, task: Task): string {
  const items = stage === 'synthesis' ? task.items.map((item: Task) => ({ ...item, sources: [item.id] })) : []
  const said =
    stage === 'synthesis'
      ? { ...Object(WHOLE.synthesis?.({ ...task, items })), ...Object(WHOLE.sufficiency?.(task)) }
      : WHOLE[stage]?.(task)
  return typeof said === 'string' ? said : JSON.stringify(said)
}

/** A run of all stages, some of which answer in another way. `times`: how often each. */
async function runWith(answer: (whole: string, stage: Stage) => unknown, stages: readonly Stage[], times = 1e6) {
  const counts = new Map<string, number>()
  const script = STAGES.map((stage) => {
    const rough = (task: Task) => {
      const key = `${stage} ${JSON.stringify(task.question ?? task)}`
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      const whole = textFor(stage, task)
      return stages.includes(stage) && count <= times ? answer(whole, stage) : whole
    }
    return [stage, rough] as const
  })
  await using search = await served((_, response) => response.end('{"results":[]}'))
  const config = { search: { provider: 'searxng', url: search.url }, allowLoopback: true } as const
  await using run = await modelRun(Object.fromEntries(script), config)
  const outcome = await run.run(
    { web: 'default', concurrency: 1, minutes: 600 },
    { ...FILES, 'b.md': 'Boats go in the evening.' },
  )
  return { ...outcome, asked: new Set(run.asked.map(({ stage }) => stage)) }
}

const isJson = (whole: string) => whole.startsWith('{')

/** Answers that hold all that was asked for. */
const ROUGH: readonly (readonly [string, (whole: string) => unknown])[] = [
  ['as it should', (whole) => whole],
  ['behind its thoughts', (whole) => `<think>So { it } is.</think>${whole}`],
  ['with its thoughts apart', (whole) => ({ said: { thought: 'So { it } is.', text: whole } })],
  ['in a fence', (whole) => `\`\`\`${isJson(whole) ? 'json' : 'markdown'}\n${whole}\n\`\`\``],
  ['within prose', (whole) => (isJson(whole) ? `Sure!\n\n${whole}\n\nI hope this helps.` : `Sure!\n\n${whole}`)],
  ['with a comma too many', (whole) => (isJson(whole) ? whole.replace(/\}$/, ',}') : whole)],
  ['after a minute', (whole) => after(60, whole)],
]

/** Answers of no use. */
const USELESS: readonly (readonly [string, (whole: string) => unknown])[] = [
  ['nothing', () => ''],
  ['nothing but thoughts', () => '<think>Hm.</think>'],
  ['half of its answer', (whole) => ({ said: { text: whole.slice(0, whole.length / 2), finish: null, end: 'cut' } })],
  ['a refusal', () => ({ said: { text: '', finish: 'content_filter' } })],
  ['that it is busy', () => ({ fault: { status: 429 } })],
  ['that it failed', () => ({ fault: { status: 500 } })],
  ['no word in five minutes', () => after(300, { fault: 'hang' })],
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
  const plain = runWith((whole) => whole, [])

  it.each(ROUGH)('answers %s loses nothing at any stage', async (_, rough) => {
    const { markdown, shown, asked } = await lateRun(() => runWith(rough, STAGES))
    expect([...asked].sort()).toEqual([...STAGES].sort())
    expect(markdown).toBe((await plain).markdown)
    expect(new Set(Object.values(shown.report?.stages ?? {}).flat())).toEqual(new Set([MODEL]))
  })

  it.each(USELESS)('says %s, and then all, loses nothing at any stage', async (_, useless) => {
    expect((await lateRun(() => runWith(useless, STAGES, 1))).markdown).toBe((await plain).markdown)
  })

  it.each(USELESS)('never says but %s ends no run, which shows what it found without it', async (_, useless) => {
    const { shown, markdown, events } = await lateRun(() => runWith(useless, STAGES))
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

describe('a stage that gets no answer', () => {
  it.each(STAGES)('keeps what there is, and says so: %s', async (stage) => {
    const outcome = await lateRun(() => runWith(() => ({ fault: { status: 500 } }), [stage]))
    const [event, kept, is] = KEPT[stage]
    expect(outcome.shown.status).toBe('completed')
    expect(kept(outcome)).toEqual(is)
    expect(reasonsIn(outcome.events.filter(({ type }) => type === event))).not.toEqual([])
    const named = { aggregate: 'digest', outline: 'report' }[stage as string] ?? stage
    expect(outcome.markdown).toMatch(new RegExp(`^- ${named}: .*500`, 'm'))
  })

  it('to its end keeps the beginning, and says so', async () => {
    const { markdown, events } = await runWith((whole) => ({ cut: whole.slice(0, -1) }), STAGES)
    expect(markdown).toContain(ITEM)
    expect(reasonsIn(events).filter((one) => one.includes('cut off'))).not.toEqual([])
  })
})

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
