import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { SearchAnswer } from '../../src/collections/answers.ts'
import { operations } from '../../src/operations/index.ts'
import { serializeVisibly } from '../../src/text/invisible.ts'
import { ROOT } from '../source-files.ts'

const place = (path: string) => ({ collection: 'docs', path, uri: `ambit://docs/${path}`, docid: '#abcdef01' })
const lines = (start: number) => ({ lines: { start, end: start + 1 }, highlights: [], headings: ['Retries'] })
const contexts = [
  { scope: 'global', prefix: '', text: 'Everything.' },
  { scope: 'path', prefix: '/api', text: 'What\tservers call.' },
] as const
const context = contexts.map(({ text }) => text).join('\n\n')
const explain = { matchedTerms: ['retry'], missingTerms: ['timeout'], titlePairs: 0, exactTitle: true }

const RESULTS: SearchAnswer['results'] = [
  {
    ...{ ...place('api/retry.md'), title: '=Retries', score: 0.5, snippet: 'If a < b && c > "d",\nthree times.' },
    ...{ ...lines(12), context, contexts, explain, sections: [{ snippet: 'Again.', ...lines(40) }] },
  },
  { ...place('api/b.md'), title: 'B', score: 0.25, snippet: '```js\nx\n```', ...lines(1), context, contexts },
  { ...place('c.md'), title: 'C', score: 0.1, snippet: 'tw\u{e0041}o', text: 'The\nwhole', ...lines(1), contexts: [] },
]

const ANSWER: SearchAnswer = {
  ...{ query: 'a "retry" <c>', mode: 'lexical', degraded: [], results: RESULTS, total: 7, notices: ['One notice.'] },
}

const search = operations.find(({ name }) => name === 'search')
const formats = search?.input.json().properties?.format?.enum ?? []
const CHECKED_IN = readdirSync(join(ROOT, 'test/contract/snapshots/search'))

function print(answer: SearchAnswer, format: unknown): string | undefined {
  return format === 'json' ? `${serializeVisibly(answer)}\n` : search?.text(answer, { format })
}

it.each(['json', ...formats])('results as %s are these', async (format) => {
  const nothing = print({ ...ANSWER, results: [], total: 0 }, format)
  const printed = `${print(ANSWER, format)}--- nothing was found\n${nothing}`
  await expect(printed).toMatchFileSnapshot(`snapshots/search/${format}.txt`)
  expect(CHECKED_IN).toContain(`${format}.txt`)
})
