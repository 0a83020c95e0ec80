import { chmodSync, copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BENCHMARKS, runBenchmark } from '../../../bench/deepresearch/run.ts'
import { openWith } from '../../../src/open.ts'
import { served } from '../../internet/served.ts'
import { type Shape, tree } from '../../support/tree.ts'

const PAGE =
  '<html><head><title>Boats</title></head><body><article><h1>Boats</h1><p>The ferry carries forty cars on each crossing, and has done so since it was built.</p></article></body></html>'

type Judge = (asked: Readonly<Record<string, unknown>>) => object

/** A service that searches, the page that it finds, and a judge, all at one address; and a checkout of a benchmark. */
async function harness(shape: Shape, judge: Judge) {
  const asked: Record<string, unknown>[] = []
  const server = await served((request, response, index) => {
    const path = request.url ?? ''
    const json = (value: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (path.startsWith('/judge')) {
      const body = JSON.parse(server.asked[index]?.body ?? '{}')
      asked.push(body)
      json(judge(body))
    } else if (path.startsWith('/search'))
      json({ results: [{ url: `${server.url}/boats`, title: 'Boats', content: 'x' }], unresponsive_engines: [] })
    else response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
  })
  const place = tree(shape)
  const python = place.at('python')
  copyFileSync(join(import.meta.dirname, 'scripted-evaluator.mjs'), python)
  chmodSync(python, 0o755)
  for (const name of ['GEMINI_API_KEY', 'JINA_API_KEY', 'OPENAI_API_KEY']) vi.stubEnv(name, 'sesame')
  vi.stubEnv('SCRIPTED_JUDGE', `${server.url}/judge`)
  vi.stubEnv('PATH', `${join(process.execPath, '..')}:${process.env.PATH}`)
  const search = { provider: 'searxng' as const, url: server.url }
  const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:', search, allowLoopback: true })
  const said: string[] = []
  return {
    asked,
    said,
    place,
    server,
    run: (name: string, options: { limit?: number; judge?: string } = {}) => {
      const benchmark = BENCHMARKS[name]
      if (!benchmark) throw new Error(`There is no ${name}.`)
      return runBenchmark(benchmark, engine, { data: place.base, python, say: (line) => said.push(line), ...options })
    },
    async [Symbol.asyncDispose]() {
      await engine.close()
      await server[Symbol.asyncDispose]()
      place[Symbol.dispose]()
    },
  }
}

afterEach(() => vi.unstubAllEnvs())

const lines = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

const QUERIES = [
  { id: 1, topic: 'Boats', language: 'en', prompt: 'What does the ferry carry on each crossing?' },
  { id: 2, topic: 'Boats', language: 'en', prompt: 'Since when has the ferry carried cars?' },
]

const DEEP_RESEARCH_BENCH: Shape = {
  'data/prompt_data/query.jsonl': lines(QUERIES),
  'data/criteria_data/criteria.jsonl': lines(QUERIES.map(({ id, prompt }) => ({ id, prompt, criterions: {} }))),
  'data/test_data/cleaned_data/reference.jsonl': lines(
    QUERIES.map(({ id, prompt }) => ({ id, prompt, article: 'Cars.' })),
  ),
  'utils/api.py': 'FACT_Model = "gemini-2.5-flash-preview-05-20"\nModel = "gemini-2.5-pro-preview-06-05"\n',
}

const overall = (figures: readonly { name: string; value: number }[]) =>
  Object.fromEntries(figures.map(({ name, value }) => [name, value]))

describe('DeepResearch Bench', () => {
  it('RACE gets an article for each question that was asked, with its pinned judge', async () => {
    await using bench = await harness(DEEP_RESEARCH_BENCH, ({ article }) => ({
      mine: String(article).includes('forty cars') ? 6 : 0,
      other: 4,
    }))
    const result = await bench.run('race', { limit: 1 })
    expect(result).toMatchObject({ judge: 'gemini-2.5-pro-preview-06-05', model: 'extractive', asked: 1, answered: 1 })
    expect(overall(result.figures)).toEqual({ Comprehensiveness: 0.6, 'Overall Score': 0.6 })
    expect(bench.asked).toMatchObject([{ model: 'gemini-2.5-pro-preview-06-05', reference: 'Cars.', id: 1 }])
    expect(JSON.parse(readFileSync(bench.place.at('ambit-race.json'), 'utf8'))).toEqual(result)
  })

  it('FACT finds the citations of the articles as links, reads their pages, and has them judged', {
    tags: 'long',
  }, async () => {
    await using bench = await harness(DEEP_RESEARCH_BENCH, ({ url_content }) => ({
      result: String(url_content).includes('forty cars') ? 'supported' : 'unknown',
    }))
    const { figures } = await bench.run('fact', { limit: 1 })
    expect(overall(figures)).toEqual({ total_citations: 1, total_valid_citations: 1, valid_rate: 1 })
    expect(bench.asked).toMatchObject([{ model: 'gemini-2.5-flash-preview-05-20', facts: ['A fact.'] }])
  })

  it('called again answers only what has no article yet', { tags: 'long' }, async () => {
    await using bench = await harness(DEEP_RESEARCH_BENCH, () => ({ mine: 1, other: 1 }))
    const searches = () => bench.server.asked.filter(({ path }) => path.startsWith('/search')).length
    await bench.run('race', { limit: 1 })
    const once = searches()
    await bench.run('race', { limit: 1 })
    expect(searches()).toBe(once)
    expect(await bench.run('race', { limit: 2 })).toMatchObject({ answered: 2 })
    expect(searches()).toBeGreaterThan(once)
  })

  it.each<[string, Shape, object, RegExp]>([
    ['another judge', { 'utils/api.py': 'Model = "other-1"\n' }, {}, /judges with other-1, not with gemini/],
    ['no questions', { 'data/': '' }, {}, /Give the checkout of Ayanami0730/],
    ['no key', DEEP_RESEARCH_BENCH, { GEMINI_API_KEY: '' }, /Set GEMINI_API_KEY/],
    ['one fails', { 'data/criteria_data/criteria.jsonl': '{' }, {}, /deepresearch_bench_race\.py ambit ended with 1/],
  ])('says what is missing: %s', async (_, shape, keys, message) => {
    const isBare = 'data/' in shape
    await using bench = await harness(isBare ? shape : { ...DEEP_RESEARCH_BENCH, ...shape }, () => ({
      mine: 1,
      other: 1,
    }))
    for (const [name, value] of Object.entries(keys)) vi.stubEnv(name, value)
    await expect(bench.run('race', { limit: 1 })).rejects.toThrow(message)
    expect(bench.asked).toEqual([])
  })
})

describe('BrowseComp-Plus', () => {
  const [boats, cranes] = [
    'The ferry of Bergen carries forty cars on each crossing.',
    'A crane of Oslo lifts 40 tonnes.',
  ]
  const corpus = [
    { docid: '18639', url: 'https://a.example/', text: `# Boats\n\n${boats}` },
    { docid: 'a/b7', url: 'https://b.example/', text: `# Cranes\n\n${cranes}` },
  ]
  const shape: Shape = {
    'data/corpus.jsonl': lines(corpus),
    'data/browsecomp_plus_decrypted.jsonl': lines([
      { query_id: '769', query: 'How many cars does the ferry of Bergen carry?', answer: 'forty' },
      { query_id: '770', query: 'How much does a crane of Oslo lift?', answer: '40 tonnes' },
    ]),
    'topics-qrels/qrel_evidence.txt': '769 Q0 18639 1\n770 Q0 a/b7 1\n',
  }

  it('is answered from its corpus, a collection, with the documents that were found by their ids', {
    tags: 'long',
  }, async () => {
    await using bench = await harness(shape, ({ response, answer }) => ({
      correct: String(response).includes(String(answer)),
    }))
    const { figures, judge } = await bench.run('browsecomp')
    expect(judge).toBe('gpt-4.1')
    expect(overall(figures)).toEqual({ 'Accuracy (%)': 100, 'Recall (%)': 100 })
    expect(bench.asked[0]?.response).toContain('[18639]')
    expect(bench.server.asked.some(({ path }) => path.startsWith('/search'))).toBe(false)
    const run = JSON.parse(readFileSync(bench.place.at('runs/ambit/769.json'), 'utf8'))
    expect(run).toMatchObject({ query_id: '769', status: 'completed', metadata: { model: 'ambit' } })
    expect(run.retrieved_docids).toContain('18639')
  })

  it('says where the corpus is to be had from', async () => {
    await using bench = await harness({ ...shape, 'data/corpus.jsonl': '' }, () => ({}))
    await expect(bench.run('browsecomp')).rejects.toThrow(
      /is empty\. Save the data set Tevatron\/browsecomp-plus-corpus/,
    )
  })
})

describe('DeepScholar-Bench', () => {
  it('is given the related work of each paper, and nothing that appeared after it', { tags: 'long' }, async () => {
    const abstract = 'We count, ""exactly"", the cars\nthat a ferry carries on each crossing.'
    const shape: Shape = {
      'dataset/papers_with_related_works.csv': `arxiv_id,title,abstract,publication_date\r\n2506.02838v1,Ferries,"${abstract}",2025-06-03 13:06:19+00:00\r\n`,
    }
    await using bench = await harness(shape, () => ({ score: 0.5 }))
    const { figures, asked } = await bench.run('deepscholar')
    expect(asked).toBe(1)
    expect(overall(figures)).toEqual({ organization: 0.5 })
    expect(bench.asked[0]).toMatchObject({
      model: 'gpt-4o',
      article: expect.stringContaining('the cars that a ferry carries'),
    })
    const searched = decodeURIComponent(bench.server.asked[0]?.path ?? '')
    expect(searched).toContain('site:arxiv.org')
    expect(existsSync(bench.place.at('ambit-run/0/article.md'))).toBe(true)
  })
})
