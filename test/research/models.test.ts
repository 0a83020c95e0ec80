import { describe, expect, it } from 'vitest'
import { STAGES } from '../../src/research/settings.ts'
import { served } from '../internet/served.ts'
import { fc, forAllAsync } from '../support/property.ts'
import { MODEL, modelRun, nodeOf, sessionOn, type Task } from './model-run.ts'

describe('a run by models', () => {
  it('asks each stage once a node, and says in its report which model did it', async () => {
    await using run = await modelRun()
    const outcome = await run.run()
    const counts = Object.groupBy(run.asked, ({ stage }) => stage)
    const asked = STAGES.map((stage) => [stage, counts[stage]?.length ?? 0])
    // Nothing is looked up, so nothing is asked of the stage that writes queries.
    const expected = { digest: 1, queries: 0, synthesis: 3, decompose: 1, router: 1, report: 1 }
    expect(Object.fromEntries(asked)).toEqual(expected)
    const stages = [...STAGES.filter((stage) => stage !== 'queries'), 'brief', 'grade']
    expect(outcome.shown.report?.stages).toEqual(Object.fromEntries(stages.map((stage) => [stage, [MODEL]])))
    expect(outcome.shown.report?.grade).toBe('full')
    expect(outcome.shown.report?.quotes.unproven).toEqual([])
    // With the brief, the outline and the grade.
    expect(outcome.shown.spent.calls).toBe(10)
  })

  it('sends no text of a file but what its digest says; each child sees its own slice alone', async () => {
    const secret = 'This sentence is in no item'
    await using run = await modelRun({
      digest: ({ spans }) => ({
        items: [
          { kind: 'fact', text: 'The ferry carries 120 passengers.', sources: [spans[0].id] },
          { kind: 'fact', text: 'The crane lifts 40 tonnes.', sources: [spans[0].id] },
        ],
      }),
    })
    const text = `The ferry carries 120 passengers. The crane lifts 40 tonnes. ${secret}.`
    const outcome = await run.run({}, { 'a.md': text })
    const others = run.asked.filter(({ stage }) => stage !== 'digest')
    expect(JSON.stringify(others)).not.toContain(secret)
    for (const id of ['1.1', '1.2']) {
      const { question, slice } = nodeOf(outcome, id)
      const own = slice?.selected_items?.map((item) => item.id)
      const [{ task } = { task: undefined }] = run.asked.filter(
        ({ stage, task }) => stage === 'synthesis' && task.question === question,
      )
      expect(task.items.map((item: Task) => item.id)).toEqual(own)
      expect(own).toHaveLength(1)
    }
  })

  it('takes a comma in a row of CSV for the end of a cell', async () => {
    const item = { kind: 'fact', text: 'It has many.', quote: 'Bergen,Norway,120', sources: ['S2'] }
    await using run = await modelRun({ digest: () => ({ items: [item] }) })
    const { shown } = await run.run({}, { 'boats.csv': 'city,country,boats,since\nBergen,Norway,120,1987\n' })
    expect(shown.files[0]?.items_count).toBe(1)
    expect(run.asked.filter(({ stage }) => stage === 'digest')).toHaveLength(1)
  })

  it('keeps the first of items that a model repeats, with its kind', async () => {
    const item = { text: 'It carries boats.', quote: 'Bergen,Norway,120', sources: ['S2'] }
    const items = ['constraint', 'fact'].map((kind) => ({ kind, ...item }))
    await using run = await modelRun({ digest: () => ({ items }) })
    const { shown } = await run.run({}, { 'boats.csv': 'city,country,boats,since\nBergen,Norway,120,1987\n' })
    expect(shown.files[0]?.items_count).toBe(1)
    const kinds = run.asked.flatMap(({ task }) => (task.items ?? []).map((one: Task) => one.kind))
    expect(new Set(kinds)).toEqual(new Set(['constraint']))
  })

  it('names at most thirty headings of a file for the brief', async () => {
    const text = Array.from({ length: 40 }, (_, at) => `# Pier ${at + 1}\n\nIt is long.\n`).join('\n')
    await using run = await modelRun()
    await run.run({ depth: 1 }, { 'piers.md': text })
    const { files } = run.asked.find(({ stage }) => stage === 'brief')?.task ?? {}
    expect(files[0].headings).toEqual(Array.from({ length: 30 }, (_, at) => `Pier ${at + 1}`))
  })

  it('quotes to the writer only what findings rest on', async () => {
    const quotes = ['The ferry carries 120 passengers.', 'The north crane lifts 40 tonnes.']
    await using run = await modelRun({
      digest: ({ spans }) => ({
        items: spans.map(({ id }: Task, at: number) => ({
          text: at === 0 ? 'It carries people.' : 'It lifts much.',
          kind: 'fact',
          quote: quotes[at],
          sources: [id],
        })),
      }),
      synthesis: () => ({ findings: [{ text: 'It carries people.', ref: 'F1' }] }),
    })
    await run.run({ depth: 1 })
    const { items } = run.asked.find(({ stage }) => stage === 'report')?.task ?? {}
    expect(items.map(({ quote }: Task) => quote)).toEqual([quotes[0], undefined])
  })

  it('gives the report everything again', async () => {
    await using run = await modelRun()
    const outcome = await run.run()
    const task = run.asked.find(({ stage }) => stage === 'report')?.task
    const texts = nodeOf(outcome, '1').slice?.selected_items?.map((item) => item.text)
    expect(task.items.map((item: Task) => item.text)).toEqual(texts)
    const attached = outcome.events.find(({ type }) => type === 'report_context_attached')
    expect(attached).toMatchObject({ context_available: true, items_count: 4 })
  })

  it('asks nothing between the upload and the start', async () => {
    await using run = await modelRun()
    const { research, id } = await sessionOn(run.engine)
    await research.show(id)
    expect(run.requests).toEqual([])
  })

  it('may have any stage without one', async () => {
    await using run = await modelRun()
    const outcome = await run.run({ models: ['router=extractive', 'report=extractive'] })
    const stages = { router: ['extractive'], report: ['extractive'], digest: [MODEL] }
    expect(outcome.shown.report?.stages).toMatchObject(stages)
    expect(run.asked.map(({ stage }) => stage)).not.toContain('router')
    const completed = outcome.events.filter(({ type }) => type === 'context_routing_completed')
    expect(completed.map(({ mode }) => mode)).toEqual(['routed', 'routed'])
  })

  it('takes the model that decomposes for the router, unless another is named', async () => {
    await using run = await modelRun()
    const { shown } = await run.run({ model: 'extractive', models: [`decompose=${MODEL}`] })
    expect(Object(shown.settings).models).toMatchObject({ decompose: MODEL, router: MODEL, synthesis: 'extractive' })
    expect(shown.report?.stages.router).toEqual([MODEL])
  })
})

/** A router that gives the same to each child. */
const giving =
  (given: object) =>
  ({ children }: Task) => ({
    children: children.map(({ node_id }: Task) => ({ node_id, selection_reason: 'x', ...given })),
  })

describe('a router that', () => {
  const malformed: readonly (readonly [string, (task: Task) => unknown])[] = [
    ['answers with nothing in it', () => ({})],
    ['answers with a list', () => []],
    ['answers with null', () => 'null'],
    ['has the wrong types', () => ({ children: [{ node_id: 1, item_ids: 'F1', selection_reason: [] }] })],
    ['writes without an end', () => 'x'.repeat(500_000)],
    ['names only items that it made up', giving({ item_ids: ['Z1'] })],
    ['names ten thousand', giving({ item_ids: Array.from({ length: 10_000 }, (_, at) => `X${at}`) })],
    ['names made-up nodes', () => ({ children: [{ node_id: '7.7', item_ids: ['F1'], selection_reason: 'x' }] })],
  ]

  it.each(malformed)('%s does not fail the run: it is done by words, and called so', async (_, router) => {
    await using run = await modelRun({ router })
    const outcome = await run.run()
    const routing = outcome.events.filter(({ type }) => type.startsWith('context_routing'))
    expect(routing.map(({ type, node_id, mode = '' }) => `${type} ${node_id} ${mode}`)).toEqual([
      'context_routing_started 1 ',
      ...['1.1', '1.2'].flatMap((id) => [`context_routing_failed ${id} `, `context_routing_completed ${id} fallback`]),
    ])
    expect(outcome.events.at(-1)?.type).toBe('run_completed')
    const parent = nodeOf(outcome, '1').slice?.selected_items?.length
    for (const id of ['1.1', '1.2']) {
      const { slice } = nodeOf(outcome, id)
      expect(slice?.mode).toBe('fallback')
      expect((slice?.selected_items?.length ?? 0) + (slice?.dropped_items_count ?? 0)).toBe(parent)
    }
  })

  it('forgets a child leaves it what its own words choose, not its sibling’s', async () => {
    await using run = await modelRun({
      router: ({ items }) => ({
        children: [{ node_id: '1.1', item_ids: [items[2].id], selection_reason: 'x', coverage_note: 'y' }],
      }),
    })
    const outcome = await run.run()
    expect(nodeOf(outcome, '1.1').slice).toMatchObject({ mode: 'routed', selection_reason: 'x', coverage_note: 'y' })
    const { slice } = nodeOf(outcome, '1.2')
    expect(slice?.mode).toBe('fallback')
    expect(slice?.selected_items?.map(({ text }) => text).join()).toContain('crane')
  })

  it('keeps a rule from a child gives it nevertheless, if it has words of its question', async () => {
    await using run = await modelRun({ router: giving({ item_ids: [] }) })
    const outcome = await run.run()
    const kindsOf = (id: string) => nodeOf(outcome, id).slice?.selected_items?.map(({ kind }) => kind)
    expect([kindsOf('1.1'), kindsOf('1.2')]).toEqual([['constraint'], []])
  })

  it.each<[string, (id: string) => unknown]>([
    ['by id', (id) => ({ [id]: 'It is so.', ZZZ: 'No.' })],
    ['in a list', (id) => [id, 'ZZZ'].map((one) => ({ id: one, why: 'It is so.' }))],
  ])('gives reasons %s has them kept, and its text dropped', async (_, reasonsOf) => {
    await using run = await modelRun({
      router: (task) => {
        const [{ id }] = task.items
        const why_relevant = reasonsOf(id)
        return giving({ item_ids: [id, 'ZZZ'], text: 'INVENTED', why_relevant })(task)
      },
    })
    const outcome = await run.run()
    const [item] = nodeOf(outcome, '1.1').slice?.selected_items ?? []
    expect(item).toEqual({
      ...{ id: 'F1', kind: 'fact', text: 'The ferry carries 120 passengers.', sources: ['harbour.md::S1'] },
      why_relevant: 'It is so.',
    })
    expect(JSON.stringify(outcome.shown)).not.toContain('INVENTED')
    const completed = outcome.events.find(({ type }) => type === 'context_routing_completed')
    expect(completed?.unknown_ids_count).toBe(2)
  })
})

describe('what files do not agree on', () => {
  const files = { 'a.md': 'The ferry leaves at noon.', 'b.md': 'Boats go in the evening only.' }

  it('is found by a model that names items, and is an item, which no report shows', async () => {
    await using run = await modelRun({
      aggregate: ({ items }) => ({ conflicts: [{ item_ids: items.map(({ id }: Task) => id) }] }),
    })
    const outcome = await run.run({}, files)
    const item = nodeOf(outcome, '1').slice?.selected_items?.at(-1)
    expect(item).toEqual({
      id: 'F3',
      kind: 'conflict',
      text: 'Sources disagree: “The ferry leaves at noon.” and “Boats go in the evening only.”',
      sources: ['a.md::S1', 'b.md::S1'],
    })
    expect(outcome.markdown).not.toContain('Where sources disagree')
    const filesFor = (stage: string) =>
      run.asked.find((one) => one.stage === stage)?.task.items.map(({ file }: Task) => file)
    // A conflict is of the file that it names first.
    expect([filesFor('aggregate').join(), filesFor('synthesis').join()]).toEqual(['a.md,b.md', 'a.md,b.md,a.md'])
  })

  it('is looked for in what files state, if two do', async () => {
    const digest = ({ spans }: Task) => ({
      items: spans.map(({ id, text }: Task) => ({ kind: /^See/.test(text) ? 'lead' : 'fact', text, sources: [id] })),
    })
    const comparedIn = async (given: Readonly<Record<string, string>>) => {
      await using run = await modelRun({ digest })
      await run.run({}, given)
      const compared = run.asked.filter(({ stage }) => stage === 'aggregate')
      return compared.map(({ task }) => task.items.map(({ file }: Task) => file).join())
    }
    const lead = { 'c.md': 'See the chart of the harbour.' }
    expect(await comparedIn({ ...files, ...lead })).toEqual(['a.md,b.md'])
    expect(await comparedIn({ 'a.md': files['a.md'], ...lead })).toEqual([])
  })

  it.each<[string, unknown]>([
    ['names one item', { conflicts: [{ item_ids: ['F1'] }] }],
    ['names items that it made up', { conflicts: [{ item_ids: ['F1', 'Z9'] }] }],
    ['has no form', 'They disagree.'],
  ])('is not what a model says that %s', async (_, answer) => {
    await using run = await modelRun({ aggregate: () => answer })
    const outcome = await run.run({}, files)
    expect(nodeOf(outcome, '1').slice?.selected_items?.map(({ kind }) => kind)).toEqual(['fact', 'fact'])
  })
})

describe('another stage that', () => {
  it('is refused for its key stops the run with what to do, and it goes on once that is mended', async () => {
    await using run = await modelRun()
    run.faults.push({ status: 401, body: '{"error":{"message":"bad key"}}' })
    const { research, id } = await sessionOn(run.engine)
    await expect(research.run(id)).rejects.toMatchObject({ code: 'denied' })
    expect(await research.show(id)).toMatchObject({ status: 'failed', failure: { code: 'denied' } })
    await research.run(id)
    expect((await research.show(id)).status).toBe('completed')
  })

  it('names sources that there are not gives items that are left out, and counted', async () => {
    await using run = await modelRun({
      digest: () => ({
        items: [
          { kind: 'fact', text: 'The ferry carries 120 passengers.', sources: ['S1'] },
          { kind: 'fact', text: 'Made up.', sources: ['S99'] },
          { kind: 'nothing', text: 'x', sources: ['S1'] },
          { kind: 'fact', text: 'No source.' },
        ],
      }),
    })
    const outcome = await run.run()
    const texts = nodeOf(outcome, '1').slice?.selected_items?.map(({ text }) => text)
    expect(texts).toContain('The ferry carries 120 passengers.')
    expect(texts).not.toContain('Made up.')
    expect(outcome.shown.files[0]).toMatchObject({ items_count: 1, rejected_count: 3 })
  })

  it('quotes what does not stand there, or cites what was not read, is marked in the report', async () => {
    await using run = await modelRun({
      report: () =>
        '## Answer\n\n“The ferry carries 120 passengers.” [harbour.md::S1] “The ferry carries 130 passengers.” [harbour.md::S1] It is so [https://never.example/read].',
    })
    const { shown, markdown } = await run.run()
    expect(shown.report?.quotes).toMatchObject({
      proven: 1,
      unproven: [{ quote: 'The ferry carries 130 passengers.', ref: 'harbour.md::S1' }],
    })
    expect(shown.report?.unknown_refs).toEqual(['https://never.example/read'])
    expect(markdown).toContain('1 quotations could not be verified')
    expect(markdown).not.toContain('[https://never.example/read]')
  })
})

describe('a budget', () => {
  it('of few requests is kept, and the rest is done without a model', async () => {
    await using run = await modelRun()
    const outcome = await run.run({ calls: 5 })
    expect(run.asked.length).toBeLessThanOrEqual(5)
    expect(run.asked.at(-1)?.stage).toBe('report')
    expect(outcome.events.some(({ type, what }) => type === 'budget_exhausted' && what === 'calls')).toBe(true)
    expect(outcome.shown.report?.is_partial).toBe(true)
    expect(outcome.markdown).toContain('requests to models that the run may take were used up')
  })

  it('of few tokens is enough for a brief, and for what files say', async () => {
    await using run = await modelRun()
    const { shown } = await run.run({ tokens: 8000, depth: 1 })
    expect(shown.report?.stages).toMatchObject({ brief: [MODEL], digest: [MODEL], synthesis: [MODEL], report: [MODEL] })
  })

  it('of calls, tokens, cost, searches and pages is never exceeded, though each answer is as long as it may be', async () => {
    await using web = await served(({ url: path = '' }, response) => {
      const urls = Array.from({ length: 6 }, (_, at) => `${web.url}/${at}?${path.slice(-20)}`)
      const results = urls.map((url) => ({ url, title: 'Boats', content: 'x' }))
      if (path.startsWith('/search')) response.end(JSON.stringify({ results }))
      else response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>A</title><p>${path} is green.`)
    })
    const search = { provider: 'searxng', url: web.url } as const
    const config = { prices: { [MODEL]: { input: 1, output: 5 } }, search, allowLoopback: true } as const
    await using run = await modelRun({}, config, (said, _, body) => {
      return { ...said, usage: { input: JSON.stringify(body).length >> 2, output: body.max_tokens ?? 128_000 } }
    })
    const budgets = fc.record({
      calls: fc.integer({ min: 1, max: 30 }),
      tokens: fc.integer({ min: 2000, max: 3_000_000 }),
      cost: fc.double({ min: 0.001, max: 5, noNaN: true }),
      searches: fc.nat(5),
      pages: fc.nat(12),
    })
    await forAllAsync(25, budgets, async (budget) => {
      const before = web.asked.length
      const { calls, input, output, cost = 0 } = (await run.run({ ...budget, web: 'default' })).shown.spent
      const paths = web.asked.slice(before).map(({ path }) => path)
      const searches = paths.filter((path) => path.startsWith('/search')).length
      const pages = paths.filter((path) => /^\/\d/.test(path)).length
      const within = { calls, tokens: input + output, cost, searches, pages }
      expect(Object.entries(budget).filter(([what, most]) => within[what as keyof typeof within] > most)).toEqual([])
    })
  })

  it('of cost lets no request be made that might cost more, and says so', async () => {
    await using run = await modelRun({}, { prices: { [MODEL]: { input: 100, output: 100 } } })
    const outcome = await run.run({ cost: 0.1 })
    expect(run.requests).toEqual([])
    expect(outcome.events.some(({ type, what }) => type === 'budget_exhausted' && what === 'cost')).toBe(true)
    expect(outcome.markdown).toContain('The cost that the run may have was reached')
  })

  it.each([1, 4, 16])('divides a run alike with %i at once', async (concurrency) => {
    await using one = await modelRun()
    await using many = await modelRun()
    const [a, b] = await Promise.all([one.run({ calls: 9, concurrency: 1 }), many.run({ calls: 9, concurrency })])
    expect(b.markdown).toBe(a.markdown)
  })
})
