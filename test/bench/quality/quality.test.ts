/**
 * The benchmark of quality, on small sets.
 *
 * @module-tag long
 */

import { describe, expect, it } from 'vitest'
import { GATES, qualityFigures } from '../../../bench/quality/quality.bench.ts'
import { RANKERS } from '../../../bench/quality/rankers.ts'
import { withPostgres } from '../../support/postgres.ts'
import { lacksPostgres } from '../../support/postgres-server.ts'
import { type Shape, tree } from '../../support/tree.ts'

/** A set in the form of BEIR with one query, in a folder of that name. */
function setIn(name: string, kind?: string): Shape {
  return {
    [`${name}/corpus.jsonl`]: '{"_id":"1","title":"Boats","text":"boats lie here"}\n{"_id":"2","text":"sheep"}\n',
    [`${name}/queries.jsonl`]: '{"_id":"q","text":"where do boats lie"}\n',
    [`${name}/qrels/test.tsv`]: 'query-id\tcorpus-id\tscore\nq\t1\t1\n',
    ...(kind === undefined ? {} : { [`${name}/set.json`]: JSON.stringify({ kind }) }),
  }
}

async function tablesOf(shape: Shape, names: readonly string[]) {
  using dir = tree(shape)
  const { tables = [] } = await qualityFigures({ sets: names.map((name) => dir.at(name)) })
  return tables
}

describe('the figures of quality', () => {
  it('of the repository itself have a row for each ranker, and are kept apart', { tags: 'long' }, async () => {
    const { name, tables = [] } = await qualityFigures({ sets: [] })
    expect(name).toBe('quality-own')
    expect(tables).toHaveLength(2)
    for (const { columns, rows } of tables) {
      const withServer = lacksPostgres() === undefined ? ['Ambit on PostgreSQL'] : []
      expect(rows.map(([ranker]) => ranker)).toEqual([...RANKERS.map((maker) => maker.name), ...withServer])
      expect(rows.every((row) => row.length === columns.length)).toBe(true)
    }
  })

  withPostgres('on PostgreSQL', () => {
    it('are as good as on SQLite', async () => {
      const { tables = [] } = await qualityFigures({ sets: [] })
      for (const { rows } of tables) {
        const scoresOf = (name: string) => rows.find(([ranker]) => ranker === name)?.slice(1)
        expect(scoresOf('Ambit on PostgreSQL')).toEqual(scoresOf('Ambit'))
        expect(scoresOf('Ambit')).toBeDefined()
      }
    })
  })

  it('of judged sets name each set, and the mean', async () => {
    const [judged] = await tablesOf({ ...setIn('a'), ...setIn('b') }, ['a', 'b'])
    expect(judged?.columns.slice(0, 4)).toEqual(['ranker', 'a', 'b', 'mean nDCG@10'])
    expect(judged?.columns.at(-1)).toBe('empty of 2')
    expect(judged?.rows[0]?.slice(0, 4)).toEqual(['Ambit', '1.000', '1.000', '1.000'])
    expect(judged?.rows.every((row) => row.length === judged.columns.length)).toBe(true)
  })

  it('show the gate beside the five sets that it is about, and no others', { tags: 'long' }, async () => {
    const five = ['cran', 'cisi', 'cacm', 'med', 'npl']
    const shape = Object.assign({}, ...five.map((name) => setIn(name))) as Shape
    const gateOf = async (names: readonly string[]) =>
      (await tablesOf(shape, names))[0]?.rows.find(([ranker]) => ranker === 'gate')
    expect(await gateOf(five)).toContain(`≥ ${GATES.ndcg10}`)
    expect(await gateOf(five.slice(1))).toBeUndefined()
  })

  it('of known items stand in a table of their own, with a gate for each kind', async () => {
    const shape = { ...setIn('links', 'anchor'), ...setIn('about', 'desc') }
    const [known, ...more] = await tablesOf(shape, ['links', 'about'])
    expect(more).toEqual([])
    expect(known?.columns).toContain('links MRR@10')
    expect(known?.rows.at(-1)?.filter((cell) => cell !== '')).toEqual(['gate', '≥ 0.780', '≥ 0.850'])
  })
})
