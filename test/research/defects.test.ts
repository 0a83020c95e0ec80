/** Ways in which a run like this has gone wrong elsewhere, each with what is right instead; the others have tests of their own. */

import { expect, it } from 'vitest'
import { ITEM_KINDS } from '../../src/research/answers.ts'
import { statementsLine } from '../../src/text/own-reports.ts'
import { tree } from '../support/tree.ts'
import { memoryEngine, modelRun, nodeOf, runOf, sessionOn, type Task } from './model-run.ts'
import { goOn, newSession, stubStages } from './stub.ts'

const engine = memoryEngine()

const FACTS = (count: number) =>
  Array.from({ length: count }, (_, at) => `Berth ${at + 1} was painted in the colour number ${at * 7 + 3}.`).join(
    '\n\n',
  )

it('D1: questions that a person put into the plan have slices of the whole context', async () => {
  const files = { 'a.md': 'The ferry carries cars.\n\nThe crane lifts stones.\n' }
  const { research, id } = await sessionOn(engine, { plan: true }, files)
  await research.run(id)
  await research.plan(id, [{ question: 'What does the ferry carry?' }, { question: 'What does the crane lift?' }])
  await research.run(id)
  const { nodes } = await research.show(id, true)
  for (const at of [0, 1]) {
    const slice = nodes[at + 1]?.slice
    expect(slice?.mode).toBe('routed')
    expect(slice?.selected_items).toMatchObject([{ text: 'The ferry carries cars. The crane lifts stones.' }])
  }
})

it('D2: front matter is no passage of a file', async () => {
  const text = '---\ntitle: The cache costs 999 EUR\ncost: 999 EUR\n---\n\n# Plan\n\nThe cache costs 400 EUR a month.\n'
  const { markdown } = await runOf(engine, { question: 'What does the cache cost?' }, { 'plan.md': text })
  expect(markdown).toContain('> The cache costs 400 EUR a month.')
  expect(markdown).not.toContain('999')
})

it('D3: lines of code in a passage are lines, as far in as they were, and mark nothing', async () => {
  const text = '# Start\n\nTo start the ferry:\n\n```sh\nif tide; then\n  - go *now*\nfi\n```\n'
  const { markdown, shown } = await runOf(engine, { question: 'How to start the ferry?' }, { 'a.md': text })
  expect(markdown).toContain('> \u00A0if tide; then  \n> \u00A0\u00A0\u00A0- go \\*now\\*  \n> \u00A0fi  \n')
  expect(shown.report?.quotes).toEqual({ proven: 1, unproven: [] })
})

it('D7: two questions with the same query both have what was found', async () => {
  const session = await newSession({ depth: 2 }, {})
  const stages = {
    ...stubStages([]),
    queries: async () => ({ value: ['ferry'], spent: { calls: 1, input: 1, output: 1 }, by: 'stub' }),
  }
  const places = {
    collections: async () => [
      { ref: 'ambit://docs/a.md#L1-L1', kind: 'collections' as const, title: 'A', text: 'The ferry carries cars.' },
    ],
  }
  const { state } = await goOn(session, { stages, places })
  expect([...state.nodes.values()].map(({ evidence }) => evidence)).toEqual(
    Array.from({ length: 3 }, () => ['collections']),
  )
})

it('D8: the same question under two parents is two nodes', async () => {
  await using run = await modelRun({
    sufficiency: ({ depth }) => ({ is_sufficient: depth > 2, reasoning: 'x', gaps: depth > 2 ? [] : ['y'] }),
    decompose: ({ depth }) => ({
      children: depth === 1 ? ['What of boats?', 'What of cranes?'] : ['What of money?', 'What of time?'],
    }),
  })
  const outcome = await run.run()
  expect(outcome.shown.nodes.map(({ id, status }) => `${id} ${status}`)).toEqual([
    '1 answered',
    '1.1 answered',
    '1.1.1 answered',
    '1.1.2 answered',
    '1.2 answered',
    '1.2.1 answered',
    '1.2.2 answered',
  ])
})

it('D9: every branch has its share of the report, however many there are', async () => {
  const long = 'x'.repeat(300)
  await using run = await modelRun({
    digest: ({ spans }) => ({
      items: Array.from({ length: 60 }, (_, at) => ({
        kind: 'fact',
        text: `Fact ${at} ${long}`,
        sources: [spans[0].id],
      })),
    }),
    decompose: () => ({ children: Array.from({ length: 7 }, (_, at) => `What of part ${at}?`) }),
    sufficiency: ({ depth }) => ({ is_sufficient: depth > 2, reasoning: 'x', gaps: depth > 2 ? [] : ['y'] }),
    synthesis: ({ items, question }) => ({
      findings: items.slice(0, 12).map(({ sources }: Task, at: number) => ({
        text: `${question} ${'abcdefghijkl'[at]} ${long}`,
        ref: sources[0],
      })),
    }),
    router: ({ items, children }) => ({
      children: children.map(({ node_id }: Task) => ({
        node_id,
        item_ids: items.map(({ id }: Task) => id),
        selection_reason: 'x',
      })),
    }),
    report: () => '## Answer\n\nIt is so.',
  })
  await run.run({ nodes: 60 })
  const { findings } = run.asked.find(({ stage }) => stage === 'report')?.task ?? {}
  const begins = findings.flatMap(({ text }: Task, at: number) => (/ a x+$/.test(text) ? [at] : []))
  expect(begins.length).toBeGreaterThan(45)
  const lengths = begins.map((at: number, branch: number) => (begins[branch + 1] ?? findings.length) - at)
  expect(Math.min(...lengths)).toBeGreaterThan(0)
  expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1)
})

it('D10: what stands last is found as what stands first', async () => {
  const text = `${FACTS(60)}\n\nThe lighthouse was sold to a baker.\n`
  const outcome = await runOf(engine, { question: 'Who was the lighthouse sold to?' }, { 'a.md': text })
  expect(nodeOf(outcome, '1').findings[0]?.text).toMatch(/The lighthouse was sold to a baker\.$/)
})

it('D11: items of every kind are divided among the children', async () => {
  await using run = await modelRun({
    digest: ({ spans }) => ({
      items: ITEM_KINDS.map((kind) => ({
        kind,
        text: `The pilot boat is of this kind: ${kind}.`,
        quote: spans[0].text.split('\n')[1],
        sources: [spans[0].id],
      })),
    }),
  })
  const outcome = await run.run({ models: ['router=extractive'] })
  expect(new Set(nodeOf(outcome, '1.1').slice?.selected_items?.map(({ kind }) => kind))).toEqual(new Set(ITEM_KINDS))
})

it('D13: where no file can be read, the run says so once and goes on', async () => {
  const outcome = await runOf(engine, {}, { 'a.docx': 'no zip', 'b.bin': new Uint8Array([0, 1, 2]) })
  expect(outcome.events.filter(({ type }) => type === 'context_unavailable')).toHaveLength(1)
  expect(outcome.events.find(({ type }) => type === 'report_context_attached')).toMatchObject({
    context_available: false,
    items_count: 0,
  })
  expect(outcome.shown.context_processing).toEqual({ status: 'error', files_total: 2, files_ready: 0, files_error: 2 })
  expect(outcome.shown.status).toBe('completed')
})

it('D14: a child whose words are nowhere is told so, and given nothing for it', async () => {
  await using run = await modelRun({ decompose: () => ({ children: ['What of zebras?', 'What of cranes?'] }) })
  const outcome = await run.run({ models: ['router=extractive'] })
  const { slice } = nodeOf(outcome, '1.1')
  expect(slice).toMatchObject({ coverage_note: 'No item was selected.', selected_items: [] })
})

it('D15: two files of one name are cited by two names', async () => {
  const research = await engine.research()
  const { session_id } = await research.create({
    question: 'What do the ferry and the crane carry?',
    searchCollections: false,
  })
  for (const text of ['The ferry carries cars.', 'The crane carries stones.']) {
    await research.addFile(session_id, { name: 'report.txt', type: '', bytes: new TextEncoder().encode(text) })
  }
  await research.run(session_id)
  const { sources } = await research.report(session_id)
  expect(sources.map(({ ref, text }) => [ref, text]).toSorted()).toEqual([
    ['report (2).txt::S1', 'The crane carries stones.'],
    ['report.txt::S1', 'The ferry carries cars.'],
  ])
})

it('a report of an earlier run is no evidence beside the documents that it is about', async () => {
  const line = statementsLine(() => 0)
  const reports = Array.from({ length: 6 }, (_, at) => [
    `r${at}.md`,
    `# What does the ferry carry?\n\nThe ferry carries ${at} cars.\n\n${line}\n`,
  ])
  using planted = tree({ ...Object.fromEntries(reports), 'ferry.md': '# Boats\n\nThe ferry carries people.\n' })
  const { collections } = await engine.library()
  await collections.add({ name: 'docs', root: planted.base })
  await collections.index()
  const { markdown } = await runOf(
    engine,
    { question: 'What does the ferry carry?', extractive: true, searchCollections: true, depth: 1 },
    {},
  )
  await collections.remove('docs')
  expect([markdown.includes('> The ferry carries people.'), markdown.includes('cars')]).toEqual([true, false])
})
