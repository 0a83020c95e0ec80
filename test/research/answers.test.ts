/** What is kept of answers that a model gives otherwise than it was asked to. */

import { describe, expect, it } from 'vitest'
import { ContextError } from '../../src/core/errors.ts'
import type { LanguageModel, StepRequest } from '../../src/models/language.ts'
import { Notebook } from '../../src/research/explore/notebook.ts'
import { calculate, queryTables, tablesIn } from '../../src/research/explore/tables.ts'
import { exploreTools } from '../../src/research/explore/tools.ts'
import { objectIn } from '../../src/research/model/ask.ts'
import { modelStages } from '../../src/research/model/model-stages.ts'
import { ReportSources } from '../../src/research/report/sources.ts'
import { spansOf } from '../../src/research/run/spans.ts'
import { FILES, MODEL, modelRun, nodeOf, type Task, WELL } from './model-run.ts'

const VALUE = { items: [{ text: 'A, “b” and "c".' }], is: true }
const JSON_TEXT = JSON.stringify(VALUE)

describe('the answer of a model', () => {
  it.each([
    ['alone', JSON_TEXT],
    ['behind its thoughts', `<think>\nPerhaps { "items": 1 }?\n</think>\n${JSON_TEXT}`],
    ['behind thoughts that were not begun', `So it is.</think>${JSON_TEXT}`],
    ['with single quotes', `{'items': [{'text': 'A, “b” and "c".'}], 'is': true}`],
    ['with a comment', JSON_TEXT.replace('{', '{ // the items\n')],
    ['cut before its end', JSON_TEXT.slice(0, -1)],
    ['behind a first try', `{"items": []}\nNo: \n${JSON_TEXT}`],
  ])('is read %s', (_, text) => expect(objectIn(text)).toEqual(VALUE))

  it.each(['', 'I cannot do that.', '[1, 2]', '"text"', '{'.repeat(3000)])('is none: %j', (text) => {
    const found = objectIn(text)
    expect(found === undefined || Object.keys(found).length === 0 || text.startsWith('[')).toBe(true)
  })
})

const ITEM = 'The ferry carries 120 passengers.'

describe('a stage whose model', () => {
  it('makes everything up is asked once more, and the file itself tells then', async () => {
    const items = [{ kind: 'fact', text: 'The moon is near.', sources: ['S1'] }]
    await using run = await modelRun({ digest: () => ({ items }) })
    const outcome = await run.run()
    expect(run.asked.filter(({ stage }) => stage === 'digest')).toHaveLength(2)
    expect(
      nodeOf(outcome, '1')
        .slice?.selected_items?.map(({ text }) => text)
        .join(' '),
    ).toContain(ITEM)
    const told = outcome.events.find(({ type }) => type === 'context_binding_parsing_file_completed')
    expect(told?.fallback_reason).toEqual(expect.any(String))
    expect(outcome.markdown).toContain(`digest: ${told?.fallback_reason}`)
  })

  it('mends no item that it made up has the others kept', async () => {
    const items = [ITEM, 'The moon is near.'].map((text) => ({ kind: 'fact', text, quote: text, sources: ['S1'] }))
    await using run = await modelRun({ digest: ({ refused }) => (refused ? 'no JSON' : { items }) })
    const outcome = await run.run()
    expect(nodeOf(outcome, '1').slice?.selected_items?.map(({ text }) => text)).toEqual([ITEM])
    expect(outcome.markdown).not.toContain('digest: ')
  })

  it('is told what is wrong with an item, and mends it', async () => {
    const bad = { kind: 'fact', text: 'It takes 120.', quote: 'The ferry carries 130 passengers.', sources: ['S1'] }
    await using run = await modelRun({
      digest: ({ refused }) => ({ items: refused ? [{ ...bad, quote: ITEM }] : [bad] }),
    })
    const outcome = await run.run()
    expect(run.asked.find(({ task }) => task.refused)?.task.refused[0].why).toContain('word for word')
    expect(nodeOf(outcome, '1').slice?.selected_items?.[0]).toMatchObject({ text: 'It takes 120.', quote: ITEM })
    expect(outcome.shown.files[0]).toMatchObject({ items_count: 1, rejected_count: 0 })
  })

  it('was not asked for a part of a file, which was over the limit, is asked twice for the next', async () => {
    const spans = [
      ...spansOf({ text: `# Sea\n\n${'It is wide. '.repeat(2000)}\n\n# Ferry\n\n${ITEM}\n`, syntax: 'markdown' }),
    ]
    const requests: StepRequest[] = []
    const model: LanguageModel = {
      name: MODEL,
      canSee: false,
      async *step(request) {
        const text = requests.push(request) === 1 ? 'No.' : JSON.stringify(WELL.digest?.({ spans: spans.slice(-1) }))
        yield { type: 'text', text }
        yield { type: 'finish', reason: 'stop', usage: { input: 100, cached: 0, output: 100 } }
      },
    }
    const limits = { calls: 9, tokens: 5000, cost: 1 }
    const task = { alias: 'a.md', title: 'Sea', spans }
    const done = await modelStages(model).digest(task, { signal: AbortSignal.timeout(60_000), limits })
    expect([requests.length, done.by, done.exhausted]).toEqual([2, MODEL, 'tokens'])
  })

  it('notes nothing keeps the items that speak of the question, and says so', async () => {
    await using run = await modelRun({ synthesis: () => 'I do not know.' })
    const outcome = await run.run({ question: 'What does the ferry carry?' })
    expect(nodeOf(outcome, '1').findings.map(({ text }) => text)).toContain(ITEM)
    expect(outcome.events.find(({ type }) => type === 'node_synthesized')?.fallback_reason).toContain('noted nothing')
  })
})

describe('a note', () => {
  it.each([
    ['a number that stands nowhere', { text: 'It carries 130 people.', refs: ['F1'] }],
    ['a quotation that is not there', { text: 'It “carries all the cars”.', refs: ['F1'] }],
    ['something that there is not', { text: 'It is so.', refs: ['F99'] }],
    ['nothing', { text: 'It is so.', refs: [] }],
    ['an absence that was not searched for', { text: 'No boat.', basis: 'absent', refs: ['F1'] }],
  ])('that rests on %s goes back, and is not a finding', async (_, bad) => {
    const good = { text: 'It takes 120 people.', basis: 'said', refs: ['F1'] }
    await using run = await modelRun({ synthesis: () => ({ findings: [bad, good] }) })
    const outcome = await run.run({ depth: 1 })
    expect(nodeOf(outcome, '1').findings.map(({ text }) => text)).toEqual([good.text])
    expect(JSON.stringify(run.requests)).toContain('These findings were refused')
  })
})

it('that is refused is mended, though the model said with it that it is done', async () => {
  const note = (text: string) => ({ tool: 'note', input: { notes: [{ text, basis: 'said', refs: ['F1'] }] } })
  const finish = { tool: 'finish', input: { is_sufficient: true, reasoning: 'It is so.', gaps: [] } }
  const steps = ['It carries 130 people.', 'It carries 120 people.'].map((text) => [note(text), finish])
  await using run = await modelRun({ synthesis: () => ({ calls: steps.shift() }) })
  const outcome = await run.run({ depth: 1 })
  expect(nodeOf(outcome, '1').findings.map(({ text }) => text)).toEqual(['It carries 120 people.'])
})

it.each([
  ['a title', { title: 'Passengers, less 15 %' }],
  ['no title', {}],
])('is made of an absence, whatever else was looked for with it, and of a calculation with %s', async (_, title) => {
  const more = Array.from({ length: 16 }, (_, at) => ({ tool: 'absent', input: { words: [`whale ${at}`] } }))
  const steps = [
    [
      { tool: 'absent', input: { words: ['south pier', 'ferry'], within: ['harbour.md', 'quay.md', 'quay.md'] } },
      ...more,
    ],
    { tool: 'compute', input: { expression: '120 * (1 - 15%)', ...title, refs: ['F1'] } },
    {
      tool: 'note',
      input: {
        notes: [
          { text: 'Nothing is said of a south pier.', basis: 'absent', refs: ['A1', 'A17'] },
          { text: 'Less 15 % it carries 102.', basis: 'computed', refs: ['C1'] },
        ],
      },
    },
    { tool: 'finish', input: { is_sufficient: true, reasoning: 'It is so.', gaps: ['Is it a steamer?'] } },
  ]
  await using run = await modelRun({
    synthesis: () => ({ calls: [steps.shift()].flat() }),
    report: ({ findings: [none, less] }) =>
      `## Answer\n\nSo it is of a “south pier” [${none.n[0]}].\n\nSo it is with “15 % less” [${less.n[0]}].`,
  })
  const outcome = await run.run(
    { depth: 1, question: 'Does it carry 15 % less?' },
    { ...FILES, 'quay.md': 'It is long.' },
  )
  expect(nodeOf(outcome, '1').findings).toMatchObject([{ basis: 'absent' }, { basis: 'computed' }])
  expect(outcome.shown.report?.quotes).toEqual({ proven: 2, unproven: [] })
  expect(outcome.shown.report?.gaps).toEqual(['Is it a steamer?'])
  const { passages, today } = run.asked.find(({ stage }) => stage === 'judge')?.task ?? {}
  expect(passages).toMatchObject([
    {
      under: 'Searched for “south pier” in all 2 files: not found',
      text: expect.stringMatching(
        /^It does not stand there\.\n“ferry” stands in harbour\.md::S1: “The ferry carries [^”]*”\nNear to it in harbour\.md::S2: “[^”]*The south crane/,
      ),
    },
    { under: '', text: '120 * (1 - 15%) = 102\nof The ferry carries 120 passengers.' },
  ])
  expect(today).toMatch(/^\d{4}-\d\d-\d\d$/)
})

it('names, in the answer that asks for them, an absence and a calculation, whichever calls before them failed', async () => {
  const calls = [
    { tool: 'absent', input: { words: ['ferry'] } },
    { tool: 'absent', input: { words: ['south pier'] } },
    { tool: 'compute', input: { expression: '7777 * 2', refs: ['F1'] } },
    { tool: 'compute', input: { expression: '120 * 2', refs: ['F1'] } },
    { tool: 'compute', input: { expression: '120 * 2', refs: ['F1'] } },
    {
      tool: 'note',
      input: {
        notes: [
          { text: 'Nothing is said of a south pier.', basis: 'absent', refs: ['A2'] },
          { text: 'Two carry 240.', basis: 'computed', refs: ['C2'] },
          { text: 'There and back it carries 240.', basis: 'computed', refs: ['C3'] },
        ],
      },
    },
    { tool: 'finish', input: { is_sufficient: true, reasoning: 'It is so.', gaps: [] } },
  ]
  await using run = await modelRun({ synthesis: () => ({ calls }) })
  const outcome = await run.run({ depth: 1 })
  expect(nodeOf(outcome, '1').findings).toMatchObject([
    { text: 'Nothing is said of a south pier.', ref: 'absence:1/2' },
    { text: 'Two carry 240.', ref: 'calculation:1/2' },
    { text: 'There and back it carries 240.', ref: 'calculation:1/2' },
  ])
  expect(run.asked.filter(({ stage }) => stage === 'synthesis')).toHaveLength(1)
})

it('of an absence shows the beginning of what is near to it', async () => {
  const finish = { tool: 'finish', input: { is_sufficient: false, reasoning: 'It is so.', gaps: [] } }
  const steps = [[{ tool: 'absent', input: { words: ['zebra at the pier'] } }], [finish]]
  await using run = await modelRun({ synthesis: () => ({ calls: steps.shift() }) })
  const text = `The pier ${'is long and '.repeat(40)}old.`
  await run.run({ depth: 1 }, { 'pier.md': text })
  expect(JSON.stringify(run.requests)).toContain(`Near to it in pier.md::S1: “${text.slice(0, 300)} …”`)
})

it('is made of no tool whose call waits when the run is stopped', async () => {
  const sources = { tables: [], claimSource: () => undefined }
  const task = { slice: { selected_items: [] }, passages: [], sources }
  const notebook = new Notebook(task as never)
  const compute = exploreTools({ task, notebook, finish: () => {} } as never).find(({ name }) => name === 'compute')
  const called = compute?.run({ expression: '1 + 1', refs: [] }, AbortSignal.abort(), {} as never)
  await expect(called).rejects.toMatchObject({ code: 'cancelled' })
  expect(notebook.passages).toEqual([])
})

it('has room for what a model notes at once', () => {
  const items = [{ id: 'F1', text: 'The ferry carries cars.', sources: [] }]
  const task = { slice: { selected_items: items }, passages: [], sources: { claimSource: () => undefined } }
  const notebook = new Notebook(task as never)
  const note = (at: number) =>
    notebook.addNote({ text: `It carries cars${'.'.repeat(at)}`, basis: 'said', refs: ['F1'] })
  for (let at = 1; at <= 200; at++) note(at)
  expect(() => note(201)).toThrow('At most 200 notes are kept.')
})

it('of numbers shows the sentences that have them, however they are written', () => {
  const items = [{ id: 'F1', text: `${'The hall of 7 rows is old. '.repeat(20)}\nIt cost 7,340 euros.`, sources: [] }]
  const task = { slice: { selected_items: items }, passages: [], sources: { claimSource: () => undefined } }
  const notebook = new Notebook(task as never)
  notebook.takeId('C')
  const { text } = notebook.compute({ expression: '7340 * 7', title: 'For forty rowers' }, ['F1'])
  expect(text).toBe('7340 * 7 = 51380\nof It cost 7,340 euros.')
  const note = { text: 'It is £51,380 for forty rowers.', basis: 'computed', refs: ['C1'] }
  expect(() => notebook.addNote(note)).toThrow('No cited passage, computation or question contains 40.')
})

it('of a page names it by its address, has it once, and shows the beginning of a long sentence of it', () => {
  const text = `It cost 7,340 euros${' and more'.repeat(60)}.`
  const passages = ['https://a.example/1', 'https://a.example/2'].map((ref) => ({ ref, text, title: 'A', kind: 'web' }))
  const task = { slice: { selected_items: [] }, passages, sources: { claimSource: () => undefined } }
  const notebook = new Notebook(task as never)
  expect(notebook.addPassages(passages as never).map(({ id }) => id)).toEqual(['P1', 'P2'])
  expect(notebook.referent('https://a.example/2').id).toBe('P2')
  notebook.takeId('C')
  const computed = notebook.compute({ expression: '7340 * 7', title: '' }, ['P2'])
  expect(computed.text).toBe(`7340 * 7 = 51380\nof ${text.slice(0, 400)} …`)
})

it('may be made of days and weeks, the years of which stand somewhere', async () => {
  const compute = (expression: string) => ({ tool: 'compute', input: { expression, refs: ['F1'] } })
  const finish = { tool: 'finish', input: { is_sufficient: true, reasoning: 'It is so.', gaps: [] } }
  const sums = ['2027-04-30 - 2 * 7', '2031-04-30 - 2 * 7', '2027-04-30 + 12 months', '12 / 24 * 100', '24 * 100']
  const steps = [sums.map(compute), [finish]]
  await using run = await modelRun({ synthesis: () => ({ calls: steps.shift() }) })
  await run.run({ depth: 1, question: 'When is it in 2027?' })
  const told = JSON.stringify(run.requests)
  expect(told).toContain('C1: 2027-04-30 - 2 * 7 = 2027-04-16')
  expect(told).toContain('No cited passage, computation or question contains 2031.')
  expect(told).toContain('2027-04-30 + 12 months = 2028-04-30')
  expect(told).toContain('12 / 24 * 100 = 50')
  expect(told).toContain('No cited passage, computation or question contains 100.')
})

it.each([
  ['ollama', 'json_schema'],
  ['openai-compatible', undefined],
] as const)('of %s is asked for in its form, where the service is known to keep to one', async (provider, format) => {
  await using run = await modelRun({}, { model: { provider } as never })
  await run.run()
  const formats = run.requests.map((request) => Object(request).body.response_format?.type)
  const isJson = run.asked.map(({ stage }) => !['synthesis', 'report'].includes(stage))
  expect(formats).toEqual(isJson.map((is) => (is ? format : undefined)))
})

it('is asked once more without a form, where its service refuses that', async () => {
  await using run = await modelRun({}, { model: { provider: 'ollama' } as never })
  run.faults.push({ status: 400, body: '{"error":{"message":"response_format is not known"}}' })
  const { shown } = await run.run()
  const [first, second] = run.requests.map((request) => Object(request).body.response_format?.json_schema)
  expect(first).toMatchObject({
    strict: true,
    schema: { additionalProperties: false, required: ['parts', 'reader', 'form', 'missing'] },
  })
  expect([second, shown.report?.grade, shown.report?.stages.brief]).toEqual([undefined, 'full', ['ollama/test']])
})

describe.each([
  ['whose window is known', { contextTokens: 8000 }, 1],
  ['whose service refuses what is too long', {}, 2],
])('a judge %s', (_, window, requestCount) => {
  it('gets the parts of the passages that are nearest to the statements', async () => {
    const sent: string[] = []
    const model: LanguageModel = {
      name: MODEL,
      canSee: false,
      ...window,
      async *step({ messages }) {
        const text = JSON.stringify(messages)
        sent.push(text)
        if (text.length > 8000 * 4)
          throw new ContextError('invalid-input', 'The prompt is too long: 10000 tokens of at most 8000.')
        yield { type: 'text', text: '{ "verdicts": [{ "id": "1", "verdict": "supported" }] }' }
        yield { type: 'finish', reason: 'stop', usage: { input: 100, cached: 0, output: 100 } }
      },
    }
    const sea = 'The sea is wide.\n\n'.repeat(1000)
    const passages = [ITEM, 'It was built in 1987.'].map((text, at) => {
      return { id: `P${at + 1}`, under: '', text: `${sea}${text}\n\n${sea}` }
    })
    const claims = [{ id: '1', claim: 'A ferry takes 120 passengers.', passages: ['P1', 'P2'] }]
    const limits = { calls: 9, tokens: 1_000_000, cost: 1 }
    const task = { question: '', passages, claims }
    const done = await modelStages(model).judge(task, { signal: AbortSignal.timeout(60_000), limits })
    expect([done.value, sent.length]).toMatchObject([[{ verdict: 'supported' }], requestCount])
    expect(sent.at(-1)).toContain(ITEM)
  })
})

it.each([
  ['age', 'The average is 4.', false],
  ['age', 'They are of all ages.', true],
  ['3月', '2024年3月に開始', true],
  ['12', 'It was in 2012.', false],
  ['the ferries', 'Take the ferry.', true],
  ['水', '防水です。', true],
  ['€', 'It costs 5€.', true],
])('an absence of %j is not shown where it stands: %j', (word, text, isThere) => {
  const file = { alias: 'a.md', title: '', text, spans: [...spansOf({ text, syntax: 'plain' })] }
  expect(new ReportSources([file], new Map()).findWords([word], [])).toHaveLength(isThere ? 1 : 0)
})

it('a word that stands only in a heading is found; one in many files is shown in three', () => {
  const fileOf = (alias: string, text: string) => {
    return { alias, title: '', text, spans: [...spansOf({ text, syntax: 'markdown' })] }
  }
  const text = '# Move\n\n## Short stays\n\nA ferry goes.\n\nA ferry comes.\n'
  const files = ['a.md', 'b.md', 'c.md', 'd.md'].map((alias) => fileOf(alias, text))
  const found = (words: string[]) => new ReportSources(files, new Map()).findWords(words, [])
  expect(found(['short stay'])[0]).toEqual({ word: 'short stay', ref: 'a.md::S1', around: 'Move > Short stays' })
  expect(found(['ferry']).map(({ ref }) => ref)).toEqual(['a.md::S1', 'b.md::S1', 'c.md::S1'])
})

it('a word that stands late in a long sentence is shown with the words around it', () => {
  const text = `The ferry takes ${'a car, '.repeat(100)}a whale and a lamp.`
  const file = { alias: 'a.md', title: '', text, spans: [...spansOf({ text, syntax: 'plain' })] }
  const [found] = new ReportSources([file], new Map()).findWords(['whale'], [])
  expect(found?.around).toMatch(/^.{100}whale and a lamp\.$/)
})

describe('arithmetic', () => {
  it.each([
    ['180 + 2 * 95', 370],
    ['(1,250 - 250) / 4', 250],
    ['20 × 4.90 × 13', 1274],
    ['£13,140 − £1,725', 11_415],
    ['100 - 92%', 99.08],
    ['-2 - -2', 0],
    ['2027-04-30 - 2026-11-29', 152],
    ['2027-04-01 - 26 * 7', '2026-10-01'],
    ['2026-10-31 + 7 months', '2027-05-31'],
    ['2027-03-01 + 240 days', '2027-10-27'],
    ['2026-12-01 + 1 month + 1 week - 2 days', '2027-01-06'],
    ['2026-01-30 + 2 days + 1 month', '2026-03-01'],
    ['2026-01-30 + 1 month + 2 days', '2026-03-02'],
    ['2026-10-31 + 1 year + 4 months', '2028-02-29'],
    ['2027-03-31 − 1 month - 2026-11-30', 90],
    ['2027-01-31 + 1 month + 1 month', '2027-03-31'],
    ['2027-04-30 - 0001-01-01', 740_100],
    ['0001-01-01 + 1', '0001-01-02'],
    ['(2027-04-30 - 2026-11-30) / 2', 75.5],
    ['1'.padStart(2000), 1],
  ])('%s is %s', (expression, value) => expect(calculate(expression)).toBe(value))

  it.each([
    ...['1 / 0', '2 +', '(1', 'process.exit()', '1 2', '2^2', '1 /* 2', ''],
    ...[
      '9999-12-31 + 999 years',
      '2027-04-30 + 2027-04-30',
      '2 * 2027-04-30',
      '5 / 2027-04-30',
      '2027-04-30 + 9999999999',
      '1'.padStart(2001),
    ],
  ])('%j is none', (expression) => {
    expect(() => calculate(expression)).toThrow()
  })
})

describe('SQL over the tables of files', () => {
  const files = {
    'boats.csv': 'city,boats,fee\nBergen,120,"€1,200"\nHull,80,€90\nOslo,,none\n',
    'crew.md': '# Crew\n\n| **name** | `city` |\n| - | - |\n| Anna | Hull |\n| Bo | Hull |\n',
  }
  const spansIn = Object.entries(files).map(([alias, text]) => {
    const isCsv = alias.endsWith('.csv')
    return { alias, text, isCsv, spans: spansOf({ text, syntax: 'markdown', isCsv }) }
  })
  const tables = tablesIn(spansIn)
  const query = (sql: string) => queryTables({ tables, sql }, AbortSignal.timeout(60_000))

  it('knows their columns, numbers and gaps', async () => {
    expect(tables.map(({ name, ref, columns }) => [name, ref, columns.join()])).toEqual([
      ['boats', 'boats.csv::S1', 'city,boats,fee'],
      ['crew', 'crew.md::S1', 'name,city'],
    ])
    const { rows } = await query('SELECT sum(boats), max(fee), count(*) - count(boats) FROM boats')
    expect(rows).toEqual([[200, 'none', 1]])
    expect((await query('SELECT b.city FROM boats b JOIN crew USING (city) GROUP BY 1')).rows).toEqual([['Hull']])
  })

  it.each([
    ['writes', 'DELETE FROM boats'],
    ['writes behind a query', 'WITH all_boats AS (SELECT * FROM boats) DELETE FROM boats RETURNING city'],
    ['opens a file', "ATTACH '/tmp/other.db' AS other"],
    ['is two', 'SELECT 1; SELECT 2'],
    ['is none', 'How many boats?'],
  ])('refuses what %s', async (_, sql) => {
    await expect(query(sql)).rejects.toThrow()
  })

  it('ends what has no end', { tags: 'long' }, async () => {
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'
    await expect(query(endless)).rejects.toThrow()
  })

  it('is a tool of a model, whose result notes can cite', async () => {
    const calls = [
      { tool: 'sql', input: { query: 'SELECT city, boats FROM boats WHERE boats > 0', title: 'Boats by city' } },
      { tool: 'note', input: { notes: [{ text: 'Bergen has 120 boats.', basis: 'computed', refs: ['C1'] }] } },
      { tool: 'finish', input: { is_sufficient: true, reasoning: 'It is counted.', gaps: [] } },
    ]
    await using run = await modelRun({
      synthesis: () => ({ calls: [calls.shift()] }),
      report: ({ findings }) => `## Answer\n\n${findings.map(({ text, n }: Task) => `${text} [${n[0]}]`).join('\n')}`,
    })
    const { shown, markdown } = await run.run({ depth: 1 }, files)
    expect(nodeOf({ shown } as never, '1').findings).toMatchObject([
      { refs: [expect.any(String), 'boats.csv::S1'], sql: 'SELECT city, boats FROM boats WHERE boats > 0' },
    ])
    expect(markdown).toContain('Bergen has 120 boats. [1]')
    expect(markdown).toContain('- [1] Boats by city (calculated from boats.csv)\n')
    expect(run.asked.find(({ stage }) => stage === 'judge')?.task.passages[0].text).toContain('By SELECT city, boats')
  })
})
