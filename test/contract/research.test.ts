import { setTimeout as sleep } from 'node:timers/promises'
import { it } from 'vitest'
import type { ResearchRequest } from '../../src/research/input.ts'
import { checkQuotes, isQuoted } from '../../src/research/report/claim-check.ts'
import { checkClaims } from '../../src/research/report/claims.ts'
import { findUnsupportedNumber } from '../../src/research/report/numbers.ts'
import { numbersIn } from '../../src/research/report/written-numbers.ts'
import { nearestParagraphs, sharedItems } from '../../src/research/routing/route.ts'
import { served } from '../internet/served.ts'
import { MODEL, memoryEngine, modelRun, type Script, sessionOn, type Task } from '../research/model-run.ts'
import { perform, record } from './recorded.ts'

/*
 * Whole runs of research: what is asked of models and of the web, each event, the questions, the report and its exports. They
 * show whoever changes a limit, a prompt or a sentence each place that moves.
 */

interface RecordedRun {
  readonly script?: Script
  readonly request?: Partial<ResearchRequest>
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  readonly config?: Parameters<typeof modelRun>[1]
  /** Pages of the web by path; those whose path has a word of the query are found. */
  readonly pages?: Readonly<Record<string, string>>
  /** Exports the report in the formats of text. */
  readonly isExported?: boolean
}

const SHORT = 1600

const cut = (text: string) => (text.length > SHORT ? `${text.slice(0, SHORT)}… (${text.length})` : text)

const today = () => new Date().toISOString().slice(0, 10)
const TODAY = today()

/** Without what another run, day or machine has otherwise. */
function withoutChance(text: string, origin: string): string {
  return text
    .replaceAll(origin, 'http://web.example')
    .replace(/http-127-0-0-1-\d+/g, 'http-web')
    .replace(/\b[0-9a-f]{32}\b/g, 'ID')
    .replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(TODAY, 'DAY')
    .replaceAll(today(), 'DAY')
    .replace(/"accessed": \{[^}]*\}/g, '"accessed": DAY')
    .replace(/"ms":\d+/g, '"ms":0')
}

async function recorded({ script, request, files, config, pages, isExported }: RecordedRun): Promise<string> {
  await using web = await served(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const page = pages?.[pathname]
    const words = (searchParams.get('q') ?? '').toLowerCase()
    const names = Object.keys(pages ?? {}).filter((path) => words.includes(path.slice(1, 5)))
    const results = names.map((path) => ({
      url: `${web.url}${path}`,
      title: `About ${path}`,
      content: `A page ${path}.`,
    }))
    if (pathname === '/search') response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }))
    else if (page === undefined) response.writeHead(404).end()
    else response.setHeader('content-type', 'text/html').end(page)
  })
  const search = { search: { provider: 'searxng', url: web.url }, allowLoopback: true } as const
  await using run = await modelRun(script, { ...(pages && search), ...config })
  const { research, id } = await sessionOn(run.engine, { concurrency: 1, ...request }, files)
  const lines: string[] = []
  await research.run(id, {
    emit: ({ type, seq: _, at: __, session_id: ___, ...fields }) =>
      lines.push(`${type} ${cut(JSON.stringify(fields))}`),
  })
  for (const { body } of run.requests.map(Object)) {
    const { messages, tools, ...others } = body
    lines.push(`> ${JSON.stringify({ ...others, tools: tools?.map(({ function: { name } }: Task) => name) })}`)
    // What was said before is sent again.
    const said = messages.map(
      ({ role, content, tool_calls }: Task) => `${role}: ${JSON.stringify(content ?? tool_calls)}`,
    )
    lines.push(
      ...said
        .slice(1)
        .map(cut)
        .filter((line: string) => !lines.includes(line)),
    )
  }
  lines.push(...web.asked.map(({ path }) => `GET ${path}`))
  const { report: _, nodes, spent, ...session } = await research.show(id, true)
  lines.push(cut(JSON.stringify(session)), JSON.stringify({ ...spent, tokens: undefined }))
  lines.push(...nodes.map((node) => `node ${cut(JSON.stringify(node))}`))
  const { markdown, sources, claims, ...others } = await research.report(id)
  lines.push(cut(JSON.stringify(others)), markdown, ...sources.map((one) => `source ${cut(JSON.stringify(one))}`))
  lines.push(...claims.map((one) => `claim ${cut(JSON.stringify(one))}`))
  if (isExported)
    for (const format of ['html', 'bib', 'csl'] as const) lines.push((await research.exportReport(id, format)).text)
  return withoutChance(lines.join('\n'), web.url)
}

const TIDES = 'High water is at noon on the first day.\n\nLow water may be later than the table says.\n'
const HARBOUR =
  '# Harbour\n\n## Boats\n\nThe ferry carries 120 passengers.\nThe pilot boat must leave first.\n\n## Cranes\n\nThe north crane lifts 40 tonnes.\nThe south crane was repaired in 2023.\n'
const BOATS = 'city,country,boats\nBergen,Norway,120\nHull,England,80\nOslo,Norway,60\n'

const note = (...notes: readonly object[]) => ({ tool: 'note', input: { notes } })
const finish = {
  tool: 'finish',
  input: { is_sufficient: true, reasoning: 'All is said.', gaps: [], confidence: 0.9 },
}

/** Works with each of its tools. */
const STEPS = [
  [
    { tool: 'find', input: { words: 'north crane' } },
    { tool: 'find', input: { words: 'giraffe' } },
  ],
  [
    { tool: 'read', input: { id: 'F1' } },
    { tool: 'read', input: { id: 'F99' } },
    { tool: 'absent', input: { words: [] } },
    { tool: 'absent', input: { words: ['whale'], within: ['nowhere.md'] } },
  ],
  [
    { tool: 'absent', input: { words: ['dolphin', 'ferry'] } },
    { tool: 'absent', input: { words: ['the ferry'] } },
  ],
  [{ tool: 'absent', input: { words: ['whale'], within: ['harbour.md'] } }],
  [
    { tool: 'compute', input: { expression: '120 * (1 - 15%)', title: 'Less 15 %', refs: ['F1'] } },
    { tool: 'compute', input: { expression: '120 +', refs: ['F1'] } },
    { tool: 'compute', input: { expression: '77 + 1', refs: ['F1'] } },
    { tool: 'compute', input: { expression: '120 * (1 - 15%)', title: 'Less 15 %', refs: ['F1'] } },
    { tool: 'read', input: { id: 'C1' } },
  ],
  [
    { tool: 'sql', input: { query: 'SELECT country, sum(boats) FROM boats GROUP BY country', title: 'By country' } },
    { tool: 'sql', input: { query: 'SELECT nothing FROM boats' } },
    { tool: 'sql', input: { query: 'SELECT a, column_2, a_2, b FROM file, file_2' } },
    { tool: 'sql', input: { query: 'DROP TABLE boats' } },
  ],
  [
    note({ text: 'It carries 130 people.', basis: 'said', refs: ['F1'] }, { text: 'x', basis: 'odd', refs: 'F1' }),
    { tool: 'finish', input: { is_sufficient: true } },
    { tool: 'finish', input: { is_sufficient: 'yes', reasoning: '', gaps: [] } },
  ],
  [
    note(
      { text: 'Nothing is said of dolphins.', basis: 'absent', refs: ['A1'] },
      { text: 'Less 15 % it carries 102.', basis: 'computed', refs: ['C1'] },
      { text: 'Norway has 180 boats.', basis: 'computed', refs: ['C2'] },
      { text: 'The ferry carries 120 passengers.', basis: 'said', refs: ['F1'] },
    ),
    finish,
  ],
]

const PAGES = {
  '/ferry':
    '<html><head><title>The ferry</title><meta name="author" content="Anna Berg"><meta property="article:published_time" content="2024-05-03"></head><body><article><h1>The ferry</h1><p>The ferry carries forty cars on each crossing, and has done so since it was built.</p><p>Nobody knows what the raft carries.</p></article></body></html>',
  '/ferry-copy':
    '<html><head><title>A copy</title></head><body><article><p>The ferry carries forty cars on each crossing, and has done so since it was built.</p><p>Nobody knows what the raft carries.</p></article></body></html>',
  '/cranes':
    '<html><head><title>Cranes</title></head><body><article><h1>Cranes</h1><p>The cranes of the harbour lift forty tonnes at most, in any weather but a storm.</p></article></body></html>',
  '/ferry-short': '<html><body>x</body></html>',
}

const RUNS: Readonly<Record<string, RecordedRun>> = {
  plain: { files: { 'harbour.md': HARBOUR, 'tides.txt': TIDES }, isExported: true },
  tools: {
    files: { 'harbour.md': HARBOUR, 'boats.csv': BOATS, '9.csv': 'a,,a\n1,,2\n', '10.csv': 'b\n€1,200\n' },
    request: { depth: 1, question: 'How many boats has Norway, and 15 % less of the passengers?', language: 'German' },
    script: {
      synthesis: ({ question }: Task) => ({ calls: question ? (STEPS[toolTurns++] ?? [finish]) : [finish] }),
      report: ({ findings }: Task) =>
        `## Answer\n\n${findings.map(({ text, n }: Task) => `${text} [${n.join(', ')}]`).join('\n\n')}\n\n## More\n\n- It lifts 900 tonnes [1].\n- “Not said at all” [1].\n- See [https://never.example/page].`,
      judge: ({ claims }: Task) => ({
        verdicts: claims.map(({ id }: Task, at: number) => ({
          id,
          verdict: ['supported', 'partly', 'unsupported', 'contradicted'][at % 4],
          why: `Because ${at}.`,
          ...(at % 4 === 1 && { edit: 'It is so.' }),
        })),
      }),
      repair: ({ paragraphs }: Task) => ({
        paragraphs: paragraphs.map(({ id, text }: Task, at: number) => ({
          id,
          text: at === 1 ? '' : `${text} Mended.`,
        })),
      }),
      grade: ({ parts }: Task) => ({
        parts: parts.map(({ id }: Task) => ({ id, answered: 'partly', lacks: 'The rest.' })),
      }),
      brief: ({ question }: Task) => ({
        parts: [question, 'What of dolphins?'],
        reader: 'A sailor.',
        form: 'A table.',
        missing: ['The year.'],
      }),
      outline: () => ({
        sections: [
          { title: 'Boats', points: ['How many?'] },
          { title: 'Ferries', points: [] },
        ],
      }),
    },
  },
  web: {
    pages: PAGES,
    files: { 'harbour.md': HARBOUR },
    request: {
      web: 'default',
      depth: 2,
      question: 'What does the ferry carry on each crossing? What do the cranes lift?',
      searches: 3,
      pages: 3,
      blockedDomains: ['blocked.example'],
    },
    script: {
      queries: ({ question }: Task) => ({ queries: [question, `${question} cranes ferry`] }),
      synthesis: ({ items, passages = [] }: Task) => {
        const found = [...items.slice(0, 1), ...passages]
        const noted = found.map(({ id, text }: Task) => ({ text: text.split('.')[0], basis: 'said', refs: [id] }))
        const find = ['cranes raft', 'cranes'].map((words) => ({ tool: 'find', input: { words } }))
        return toolTurns++ === 0 ? { calls: [...find, { tool: 'read', input: { id: 'P1' } }] } : { findings: noted }
      },
    },
    isExported: true,
  },
  extractive: {
    pages: PAGES,
    files: { 'harbour.md': HARBOUR, 'boats.csv': BOATS, 'tides.txt': TIDES },
    request: {
      extractive: true,
      web: 'default',
      question: 'What does the ferry carry? How many boats has Bergen? Who wrote the opera?',
      from: '2024-01-01',
      to: '2025-01-01',
    },
    isExported: true,
  },
  budget: { request: { calls: 6, tokens: 30_000, nodes: 2 }, files: { 'harbour.md': HARBOUR, 'tides.txt': TIDES } },
  failing: {
    files: { 'harbour.md': HARBOUR, 'empty.txt': '', 'broken.pdf': 'no pdf', 'old.md': 'It is old.\n\n'.repeat(2500) },
    script: {
      digest: () => ({ items: [{ kind: 'poem', text: 'x', sources: ['S1'] }] }),
      brief: () => 'no form',
      decompose: () => ({ children: ['One?'] }),
      router: () => ({}),
      outline: () => 'no form',
      report: () => ({ cut: '## Answer\n\nIt is cut [1] in the mid' }),
      grade: () => 'no form',
      judge: () => 'no form',
      synthesis: () => 'no findings at all',
      sufficiency: () => ({ is_sufficient: 'maybe' }),
    },
  },
  conflict: {
    files: { 'a.md': 'The ferry leaves at noon.', 'b.md': 'The ferry leaves at nine in the evening only.' },
    config: { prices: { [MODEL]: { input: 1, output: 5 } } },
    request: { cost: 3, depth: 2, models: ['router=extractive'] },
    script: {
      aggregate: ({ items }: Task) => ({
        conflicts: [1, 2].map(() => ({ item_ids: items.map(({ id }: Task) => id) })),
      }),
      decompose: () => ({ children: ['When at noon?', 'When in the evening?', 'When at noon?'] }),
    },
  },
}

let toolTurns = 0

it.each(Object.entries(RUNS))('a run with %s is this', async (name, run) => {
  toolTurns = 0
  await record([await recorded(run)], `research/${name}`)
})

it('quotations, numbers and statements are found in their sources, or marked, as this', async () => {
  const sources = [
    '',
    'The pump must not run above 65 degrees before 1 May 2024.',
    'It costs “about five” euros and takes two long days.',
  ]
  const sourceOf = (number: number) => {
    const text = sources[number]
    return text === undefined ? undefined : { text, context: 'Searched for “deadline”\nUsing PPL' }
  }
  const quotations = { isQuoted, check: (report: string) => checkQuotes(report, sourceOf, 'File by when?') }
  const lost = (claim: string, text: string, question = '', isRow = false) =>
    findUnsupportedNumber(claim, { passages: [{ text, isRow }], otherTexts: ['report-2019.md'], question })
  const checkOver = (text: string, ...texts: readonly string[]) => {
    const basis = { numbers: { refOf: String }, question: '', computed: [] }
    const sourceOf = (ref: string) => {
      const source = texts[Number(ref) - 1]
      return source === undefined ? undefined : { text: source, context: 'a.md' }
    }
    return checkClaims(text, { ...basis, sourceOf })
  }
  const targets = {
    ...{ quotations, numbers: { lost, read: numbersIn }, claims: { check: checkOver } },
    routes: { nearest: nearestParagraphs, shared: sharedItems },
  }
  await record(await perform('quotations', targets), 'research/quotations')
})

it('sessions answer as this, and refuse with these hints', async () => {
  const research = await memoryEngine().research()
  const own: Readonly<Record<string, unknown>> = {
    addFile: (id: string, name: string, text: string) =>
      research.addFile(id, { name, type: '', bytes: Buffer.from(text) }),
    // The newest is told by milliseconds.
    create: async (request: ResearchRequest) => {
      await sleep(5)
      return research.create(request)
    },
  }
  // Methods are of the object that has them.
  const get = (target: object, name: string) => own[name] ?? Reflect.get(target, name).bind(target)
  const doors = new Proxy(research, { get: (target, name) => get(target, String(name)) })
  const lines = await perform('sessions', { research: doors })
  await record(
    [withoutChance(lines.map((line) => line.slice(0, 3000)).join('\n'), 'http://localhost')],
    'research/sessions',
  )
})
