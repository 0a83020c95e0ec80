import { expect, it } from 'vitest'
import { halfOf } from '../../../bench/quality/halves.ts'
import { openMaterial } from '../../../bench/quality/material.ts'
import { bootstrapInterval, joinMeasures, measureOf, measuresTable } from '../../../bench/quality/measure.ts'
import { tree } from '../../support/tree.ts'

const XQUAD = {
  data: [
    { paragraphs: [{ context: 'A lion sleeps.', qas: [{ question: 'What sleeps there?' }] }] },
    { paragraphs: [{ context: 'Zebras are running.', qas: [{ question: 'Which animals are running?' }] }] },
  ],
}

it('makes sets of a folder: questions in each language, with cut words, and what a documentation says of itself', async () => {
  using at = tree({
    'xquad/xquad.en.json': JSON.stringify(XQUAD),
    'xquad/xquad.th.json': JSON.stringify(XQUAD),
    'guide/a.md': '# Lions\n\nThis is the only line that says what lions eat at noon.\n\nSee [running zebras](b.md).\n',
    'guide/b.md': '---\ndescription: All that there is to be known about running stripes\n---\n# Zebras\n\nRun.\n',
  })
  const sets = (await openMaterial(at.base)).map(({ name, queries, judgements }) => ({
    name,
    asked: queries.map(({ id, kind, text }) => [kind, text, [...(judgements.get(id)?.keys() ?? [])].join()]),
  }))
  expect(sets).toEqual([
    {
      name: 'guide',
      asked: [
        ['anchor', 'running zebras', 'b.md'],
        ['desc', 'All that there is to be known about running stripes', 'b.md'],
        ['cut desc', 'All that there is to be known about runni strip', 'b.md'],
        ['pasted', 'This is the only line that says what lions eat at noon.', 'a.md'],
      ],
    },
    {
      name: 'xquad en',
      asked: [
        ['question', 'What sleeps there?', '0'],
        ['question', 'Which animals are running?', '1'],
        ['cut question', 'What sleep there?', '0'],
        ['cut question', 'Which anima are runni?', '1'],
      ],
    },
    {
      name: 'xquad th',
      asked: [
        ['question', 'What sleeps there?', '0'],
        ['question', 'Which animals are running?', '1'],
      ],
    },
  ])
})

it('divides queries by the number at the end of their ids', () => {
  expect(['pasted-2', '7-12', 'cut-1-3', 'anchor-5'].map(halfOf)).toEqual(['tuning', 'tuning', 'held-out', 'held-out'])
})

it('tells between what a mean lies', () => {
  const [low, high] = bootstrapInterval([Array.from({ length: 100 }, (_, at) => at % 2)])
  expect(low).toBeGreaterThan(0.38)
  expect(low).toBeLessThan(0.42)
  expect(high).toBeGreaterThan(0.58)
  expect(high).toBeLessThan(0.62)
  expect(bootstrapInterval([[0.5, 0.5], [0.5]])).toEqual([0.5, 0.5])
})

it('has a row for each thing that is asked and a column for each ranker; sets of a mean count the same', () => {
  const scored = (...scores: number[]) => scores.map((score) => ({ half: 'tuning' as const, score }))
  const measures = [
    measureOf('one', 'A', [...scored(1, 1, 1), { half: 'held-out', score: 0.25 }]),
    measureOf('other', 'A', scored(0)),
    measureOf('one', 'B', scored(0.5)),
  ]
  const joined = joinMeasures('mean', measures.slice(0, 2))
  const table = (half: 'tuning' | 'held-out') => measuresTable('', '', { measures: [...measures, ...joined], half })
  expect(table('tuning')).toMatchObject({
    columns: ['', 'queries', 'A', 'B'],
    rows: [
      ['one', '3', '1.000 [1.000–1.000]', '0.500 [0.500–0.500]'],
      ['other', '1', '0.000 [0.000–0.000]', ''],
      ['mean', '4', '0.500 [0.500–0.500]', ''],
    ],
  })
  expect(table('held-out').rows).toEqual([
    ['one', '1', '0.250 [0.250–0.250]', ''],
    ['mean', '1', '0.250 [0.250–0.250]', ''],
  ])
})
