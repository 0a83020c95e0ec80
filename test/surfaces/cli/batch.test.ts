import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openWith } from '../../../src/open.ts'
import { researchBatch } from '../../../src/surfaces/cli/research/batch.ts'
import { tree } from '../../support/tree.ts'

const FERRY = '# Ferry\n\nA single ticket costs 4.50 euros.\nIn winter the last boat leaves at 19:40.\n'
const QUERIES = [
  { id: 1, prompt: 'How much is a single ticket?' },
  { id: 'two', prompt: 'When does the last boat leave in winter?' },
]

const lines = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

/** A batch over one file, with what it says. */
async function batch(queries: string, others: Readonly<Record<string, string>> = {}) {
  const place = tree({ 'ferry.md': FERRY, 'queries.jsonl': queries, ...others })
  const engine = openWith({ file: undefined, unknown: [], home: false, db: ':memory:' })
  const research = await engine.research()
  const said = { out: '', err: '' }
  const into = (name: 'out' | 'err') => ({
    write: (text: string) => {
      said[name] += text
      return true
    },
  })
  const streams = { out: into('out'), err: into('err') } as unknown as Parameters<typeof researchBatch>[2]['streams']
  const out = place.at('articles.jsonl')
  const request = { files: [place.at('ferry.md')], searchCollections: false }
  return {
    place,
    research,
    said,
    run: () => researchBatch(research, request, { batch: place.at('queries.jsonl'), out, streams }),
    articles: () =>
      readFileSync(out, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    async [Symbol.asyncDispose]() {
      await engine.close()
      place[Symbol.dispose]()
    },
  }
}

describe('a batch of questions', () => {
  it('gets an article for each, in their order', async () => {
    await using one = await batch(lines(QUERIES))
    expect(await one.run()).toBe(0)
    const articles = one.articles()
    expect(articles.map(({ id, prompt }) => ({ id, prompt }))).toEqual(QUERIES)
    expect(articles[0].article).toContain('4.50 euros')
    expect(articles[1].article).toContain('19:40')
    expect(existsSync(one.place.at('articles.jsonl.begun'))).toBe(false)
  })

  it('tells of one that fails, and goes on with the others', async () => {
    await using one = await batch(lines([{ id: 'none', prompt: ' ' }, ...QUERIES]))
    expect(await one.run()).toBe(1)
    expect(one.articles().map(({ id }) => id)).toEqual([1, 'two'])
    expect(one.said.err).toMatch(/^none: .+\n$/)
  })

  it('called again leaves the articles that are there, but for one of another question, or that was cut off', async () => {
    const written = `${lines(QUERIES.map((one, at) => ({ ...one, article: ['Mine.', 7][at] })))}{"id":"two","prompt":"When`
    await using one = await batch(lines(QUERIES), { 'articles.jsonl': written })
    expect(await one.run()).toBe(0)
    expect(one.articles()[0]).toEqual({ ...QUERIES[0], article: 'Mine.' })
    expect(one.articles()[1].article).toContain('19:40')
    expect((await one.research.list()).sessions).toHaveLength(1)
  })

  it.each([false, true])('called again goes on with the run that was under way, or over: %s', async (isOver) => {
    await using one = await batch(lines(QUERIES))
    const [first] = QUERIES
    const { session_id } = await one.research.createWithFiles({
      question: first?.prompt ?? '',
      files: [one.place.at('ferry.md')],
      searchCollections: false,
    })
    if (isOver) await one.research.run(session_id)
    one.place.plant({ 'articles.jsonl.begun': JSON.stringify({ 1: session_id, two: session_id }) })
    expect(await one.run()).toBe(0)
    // That of the first is not of the second, whatever was noted.
    expect((await one.research.list()).sessions).toHaveLength(2)
    expect(one.articles()[1].article).toContain('19:40')
  })

  it.each([
    ['no JSON', 'What does it cost?', /Line 1/],
    ['no prompt', '\n{"id":1}', /Line 2/],
    ['an id again', `${lines(QUERIES)}{"id":"1","prompt":"x"}`, /Line 3 .* id 1 again/],
  ])('with %s is refused before anything is done', async (_, queries, message) => {
    await using one = await batch(queries)
    await expect(one.run()).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringMatching(message) })
    expect((await one.research.list()).sessions).toEqual([])
  })
})
