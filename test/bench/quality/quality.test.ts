/**
 * The benchmark of quality, on small sets.
 *
 * @module-tag long
 */

import { describe, expect, it } from 'vitest'
import { GATES, qualityFigures, RANKERS } from '../../../bench/quality/quality.bench.ts'
import { withPostgres } from '../../support/postgres.ts'
import { lacksPostgres } from '../../support/postgres-server.ts'
import { type Shape, tree } from '../../support/tree.ts'

/** A set in the form of BEIR with one query, in a folder of that name. */
function setIn(name: string): Shape {
  return {
    [`${name}/corpus.jsonl`]: '{"_id":"1","title":"Boats","text":"boats lie here"}\n{"_id":"2","text":"sheep"}\n',
    [`${name}/queries.jsonl`]: '{"_id":"q","text":"where do boats lie"}\n',
    [`${name}/qrels/test.tsv`]: 'query-id\tcorpus-id\tscore\nq\t1\t1\n',
  }
}

async function figuresOf(shape: Shape, names: readonly string[]) {
  using dir = tree(shape)
  const { verdicts, tables: [table] = [] } = await qualityFigures({ sets: names.map((name) => dir.at(name)) })
  return { columns: table?.columns ?? [], rows: table?.rows ?? [], verdicts }
}

describe('the figures of quality', () => {
  const own = qualityFigures({ sets: [] })

  it('of the repository itself have a column for each ranker, a row for each kind of query, and are kept apart', async () => {
    const { name, tables: [table] = [], verdicts } = await own
    const withServer = lacksPostgres() === undefined ? ['Ambit on PostgreSQL'] : []
    expect(name).toBe('quality-own')
    expect(table?.columns).toEqual(['', 'queries', ...RANKERS.map((maker) => maker.name), ...withServer])
    expect(table?.rows.map(([row]) => row)).toEqual(expect.arrayContaining(['harbour', 'harbour, typo', 'docs']))
    expect(table?.rows.every((row) => row.length === table.columns.length)).toBe(true)
    expect(verdicts.filter(({ held }) => !held)).toEqual([])
  })

  withPostgres('on PostgreSQL', () => {
    it('are as good as on SQLite', async () => {
      const { tables: [table] = [] } = await own
      const of = (name: string) => table?.rows.map((row) => row[table.columns.indexOf(name)])
      expect(of('Ambit on PostgreSQL')).toEqual(of('Ambit'))
      expect(of('Ambit')?.[0]).toMatch(/^0\.\d/)
    })
  })

  it('hold to the gate the mean of the five sets that it is about, and no others', async () => {
    const five = ['cran', 'cisi', 'cacm', 'med', 'npl']
    const shape = Object.assign({}, ...five.map(setIn)) as Shape
    const of = async (names: readonly string[]) => {
      const { rows, verdicts } = await figuresOf(shape, names)
      const gated = verdicts.find(({ figure }) => figure === 'quality: Ambit, mean of the judged sets')
      return { row: rows.find(([row]) => row === 'mean of the judged sets')?.slice(0, 3), gated }
    }
    const { row, gated } = await of(five)
    expect(row).toEqual(['mean of the judged sets', '5', '1.000 [1.000–1.000]'])
    expect(gated).toMatchObject({ limit: GATES['mean of the judged sets'], held: true })
    expect(await of(five.slice(1))).toEqual({ row: undefined, gated: undefined })
  })

  it('of a documentation have a gate for each kind of query', async () => {
    const shape = {
      'docs/a.md':
        '# Lions\n\nThis is the only line that says what lions eat at noon.\n\nSee [running zebras](b.md).\n',
      'docs/b.md': '---\ndescription: All that there is to be known about running stripes\n---\n# Zebras\n\nRun.\n',
    }
    const { rows, verdicts } = await figuresOf(shape, ['docs'])
    expect(rows.map(([row]) => row)).toEqual(['docs, anchor', 'docs, desc', 'docs, pasted'])
    expect(
      verdicts.filter(({ figure }) => figure.startsWith('quality: Ambit, docs')).map(({ limit }) => limit),
    ).toEqual([0.78, 0.85, 0.9])
  })
})
