/** What requests to a judge hold, and what they leave out. */

import { describe, expect, it } from 'vitest'
import { CitationNumbers } from '../../src/research/report/citations.ts'
import { statementsIn } from '../../src/research/report/claims.ts'
import { nearestParagraphs } from '../../src/research/routing/route.ts'
import { judgeRequests, openClaims } from '../../src/research/run/check-report.ts'

const SOURCES: Readonly<Record<string, string>> = {
  'a.md::S1': 'Boats come by [the chart](docs/chart.md) and [the list](https://example.org/list).',
  'a.md::S2': 'Cranes are green. Cranes are tall.',
  'b.md::S1': 'Rafts are free.',
}

function taskOf(report: string) {
  const numbers = new CitationNumbers()
  for (const ref of Object.keys(SOURCES)) numbers.numberOf(ref)
  const sourceOf = (ref: string) => ({ text: SOURCES[ref] ?? '', context: `${ref.split('::')[0]}\nThe harbour` })
  const basis = { numbers, sourceOf, question: 'What of boats?', today: '2026-12-01', computed: [] }
  const [{ task } = { task: undefined }] = judgeRequests(openClaims(statementsIn(report, basis)), basis)
  return task
}

describe('a request to a judge', () => {
  it('says once what its statements and passages stand under, and shows a neighbour only where the list does not', () => {
    const report =
      '## One\n\nVessels use paper [1]. Lifts have a colour [2]. Cranes are tall [2].\n\n## Two\n\nPlatforms cost nothing [3].\n'
    expect(taskOf(report)).toEqual({
      question: 'What of boats?',
      today: '2026-12-01',
      passages: [
        { id: 'P1', under: 'a.md > The harbour', text: expect.stringContaining('Boats come') },
        { id: 'P2', text: 'Cranes are green. Cranes are tall.' },
        { id: 'P3', under: 'b.md > The harbour', text: 'Rafts are free.' },
      ],
      claims: [
        { id: '1', section: 'One', claim: 'Vessels use paper.', passages: ['P1'] },
        { id: '2', claim: 'Lifts have a colour.', after: 'Cranes are tall.', passages: ['P2'] },
        { id: '3', section: 'Two', claim: 'Platforms cost nothing.', passages: ['P3'] },
      ],
    })
  })

  it.each([
    ['Vessels use paper [1].', 'Boats come by [the chart](docs/chart.md) and the list.'],
    ['The list is https://example.org/list/2 [1].', SOURCES['a.md::S1']],
  ])('has addresses of the web only for a statement that names one: %s', (report, text) =>
    expect(taskOf(report)?.passages[0]?.text).toBe(text),
  )
})

it.each([
  ['cranes', '[…]\n\nGreen cranes.\n\n[…]'],
  ['boats', 'Blue boats.\n\n[…]'],
  ['rafts', '[…]\n\nGrey rafts.'],
  ['boats and cranes and rafts', 'Blue boats.\n\n[…]\n\nGreen cranes.\n\n[…]\n\nGrey rafts.'],
])('an excerpt for %s marks what is left out', (words, excerpt) => {
  const text = ['Blue boats.', 'Sea.', 'Green cranes.', 'Sky.', 'Grey rafts.'].join('\n\n')
  expect(nearestParagraphs(text, words.split(' and '), 20)).toBe(excerpt)
})
