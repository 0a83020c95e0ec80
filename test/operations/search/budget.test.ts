import { describe, expect, it } from 'vitest'
import type { GetAnswer, SearchAnswer } from '../../../src/collections/answers.ts'
import { utf8Length } from '../../../src/core/tokens.ts'
import {
  documentElements,
  fitDocuments,
  fitLines,
  joinDocuments,
} from '../../../src/operations/search/document-formats.ts'
import { fitResults, SEARCH_FORMATS } from '../../../src/operations/search/formats.ts'
import { searchOperation } from '../../../src/operations/search/search.ts'
import { fc, forAll } from '../../support/property.ts'

type Result = SearchAnswer['results'][number]
type Context = Result['contexts'][number]

function hit(path: string, contexts: readonly Context[], snippet = 'Retry after a timeout.'): Result {
  return {
    docid: '#abcdef01',
    collection: 'docs',
    path,
    uri: `ambit://docs/${path}`,
    title: 'Retries',
    score: 0.5,
    snippet,
    lines: { start: 1, end: 1 },
    highlights: [],
    headings: [],
    ...(contexts.length > 0 && { context: contexts.map(({ text }) => text).join('\n\n') }),
    contexts,
  }
}

function answered(results: readonly Result[]): SearchAnswer {
  return { query: 'retry', mode: 'lexical', degraded: [], results, total: results.length, notices: [] }
}

const json = (answer: SearchAnswer) => `${JSON.stringify(answer)}\n`
const said = (text: string): Context => ({ scope: 'path', prefix: '/api', text })
const nine = answered(
  Array.from({ length: 9 }, (_, at) => hit(`api/${at}.md`, [said('What servers call. '.repeat(100))])),
)

describe('results under a budget', () => {
  it('say a path context once, and name it in the later ones', () => {
    const { results, dropped } = fitResults(nine, 4000, json)
    expect([results.length, dropped]).toEqual([9, 0])
    expect(results.map((result) => 'context' in result)).toEqual(results.map(() => false))
    expect(results[0]?.contexts).toEqual([said('What servers call. '.repeat(100))])
    for (const { contexts } of results.slice(1)) expect(contexts).toEqual([{ scope: 'path', prefix: '/api' }])
  })

  it('say what was said of the same path in two collections twice', () => {
    const other = { ...hit('api/a.md', [said('Another.')]), collection: 'notes' }
    const { results } = fitResults(answered([hit('api/a.md', [said('One.')]), other]), 4000, json)
    expect(results.map(({ contexts }) => contexts[0]?.text)).toEqual(['One.', 'Another.'])
  })

  it('are dropped whole, the last first, and counted', () => {
    const { results, dropped } = fitResults(nine, 500, json)
    expect(results.length).toBeGreaterThan(0)
    expect([results.length + Number(dropped), results.map(({ path }) => path)]).toEqual([
      9,
      nine.results.slice(0, results.length).map(({ path }) => path),
    ])
    expect(results[0]?.contexts[0]?.text).toMatch(/^What servers call\. .*\[truncated\]$/)
    const input = searchOperation.input.parse({ query: 'retry', budget: 100 })
    expect(searchOperation.notices?.(nine, input)).toEqual([
      expect.stringMatching(/^[1-9] more hits? dropped: no room/),
    ])
  })

  it('are printed within it, in every format, whatever they hold', () => {
    const piece = fc.constantFrom('<', '&', '"', '\n', '漢', 'word ', '```', '\u202e', ']]>')
    const text = fc.array(piece, { maxLength: 400 }).map((pieces) => pieces.join(''))
    const one = fc.record({ path: text, context: fc.option(text, { nil: undefined }), snippet: text })
    const formats = fc.constantFrom(...SEARCH_FORMATS, 'json')
    forAll(fc.array(one, { maxLength: 8 }), fc.integer({ min: 100, max: 3000 }), formats, (list, budget, format) => {
      const answer = answered(
        list.map(({ path, context, snippet }) => {
          return hit(path, context === undefined ? [] : [said(context)], snippet)
        }),
      )
      const asked = searchOperation.input.parse({ query: 'retry', budget })
      const printed =
        format === 'json'
          ? json(fitResults(answer, budget, json))
          : searchOperation.text(answer, { ...asked, format: format as 'xml' })
      expect(Buffer.byteLength(printed)).toBeLessThanOrEqual(budget * 4)
    })
  })

  it('are refused where there is no room for any answer', () => {
    expect(() => fitResults(nine, 10, json)).toThrow('The budget has no room for an answer.')
  })
})

it('documents that are left take at most half of a budget from the first one', () => {
  const document = { uri: 'ambit://docs/a.md', path: 'a.md', collection: 'docs', text: 'word\n'.repeat(1000) }
  const documents = [{ ...document, docid: '#1', title: 'A', lines: { start: 1, end: 1000, total: 1000 } }]
  const left = Array.from({ length: 21 }, (_, at) => ({
    path: `docs/b${at}.md`,
    detail: 'It is too large. '.repeat(9),
  }))
  for (const budget of [150, 300, 1000, 2000]) {
    const fitted = fitDocuments({ documents, left }, budget, documentElements)
    expect(utf8Length(documentElements(fitted))).toBeLessThanOrEqual(budget * 4)
    expect(fitted.documents[0]?.text).toMatch(/^(word\n){5}/)
    const [kept, last] = [fitted.left.length - 1, fitted.left.at(-1)]
    expect(last?.path).toBe(budget === 2000 ? 'docs/b20.md' : `${21 - kept} more`)
  }
  const without = fitDocuments({ documents: [], left }, 200, documentElements)
  expect(utf8Length(documentElements(without))).toBeLessThanOrEqual(800)
  expect(without.left.at(-1)?.path).toBe('18 more')
  // The rows are not in a text.
  expect(fitDocuments({ documents, left }, 10, joinDocuments).left).toEqual(left)
})

it('a document that takes all of a budget is whole, and one byte more is a line less', () => {
  const of = (text: string) => ({ text, lines: { start: 1, end: 2, total: 2 } }) as GetAnswer
  expect(fitLines(of('12345\n\u00e9'), 2, ({ text }) => text).text).toBe('12345\n\u00e9')
  expect(fitLines(of('123456\n\u00e9'), 2, ({ text }) => text).text).toBe('123456\n')
})
