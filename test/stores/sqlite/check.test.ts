import { readFileSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { tree } from '../../support/tree.ts'
import { COLLECTION, stored } from '../filled.ts'

/** A database with documents in two segments, one of them gone; and what the check says after the harm was done. */
async function checkedAfter(harm: (path: string) => void): Promise<readonly string[]> {
  using place = tree({})
  const path = place.at('a.db')
  const first = openSqlite(path)
  await first.collections.add(COLLECTION)
  const [a = -1] = await stored(first, 'docs', [{ path: 'a', text: 'lion '.repeat(3000) }, { path: 'b' }])
  await stored(first, 'docs', [{ path: 'c' }], { removed: [a] })
  expect(await first.check()).toEqual([])
  await first.close()
  harm(path)
  const second = openSqlite(path)
  const problems = await second.check()
  await second.close()
  return problems
}

function sql(statements: string): (path: string) => void {
  return (path) => {
    const db = new Database(path)
    db.pragma('foreign_keys = OFF')
    db.exec(statements)
    db.close()
  }
}

const LOST = 'Documents that no search finds, because they are in no segment: 1.'
const MISCOUNTED = 'Collections with a wrong count of documents: 1.'
const wrong = (segment: number) => `Segment ${segment} has a wrong count of documents (1) or of their words.`
const orphan = (segment: number) => `There are postings of segment ${segment}, which does not exist.`
const GONE = 'Segment 1 has documents that are gone or elsewhere: 1.'
const CUT = 'Segment 1 does not have the number of documents that it records (2).'

describe('the check of a database', () => {
  it.each<[what: string, harm: string, problems: string[]]>([
    ['a text is missing', 'DELETE FROM texts WHERE document_id = 2', ['Documents without text: 1.']],
    ['texts have no documents', `INSERT INTO texts VALUES (8, x''), (9, x'')`, ['Texts of no document: 2.']],
    [
      'one is nowhere',
      'UPDATE documents SET collection_id = 9 WHERE id = 2',
      ['Documents of no collection: 1.', MISCOUNTED],
    ],
    ['a collection counts its bytes wrongly', 'UPDATE collections SET bytes = bytes + 1', [MISCOUNTED]],
    ['one is gone', 'DELETE FROM documents WHERE id = 2; DELETE FROM texts WHERE document_id = 2', [GONE]],
    ['some have no segment', 'DELETE FROM segments WHERE id = 1; DELETE FROM postings WHERE segment = 1', [LOST]],
    ['one that lives is marked', `UPDATE segments SET dead = x'03' WHERE id = 1`, [wrong(1), LOST]],
    ['words are counted wrongly', 'UPDATE segments SET live_body = live_body + 1 WHERE id = 2', [wrong(2)]],
    ['a list is cut off', 'UPDATE segments SET ids = substr(ids, 1, 5) WHERE id = 1', [CUT, LOST]],
    [
      'postings are alone',
      `INSERT INTO postings VALUES (7, 'a', x''), (7, 'b', x''), (9, 'a', x'')`,
      [7, 9].map(orphan),
    ],
    ['a segment was begun and never ended', 'INSERT INTO segments (id) VALUES (9)', []],
  ])('says so when %s', async (_, harm, problems) => {
    expect(await checkedAfter(sql(harm))).toEqual(problems)
  })

  it('says so when pages are overwritten, and nothing else then', async () => {
    const problems = await checkedAfter((path) => {
      const db = new Database(path)
      // Not those of the schema itself: what has none cannot be opened.
      const roots = db.prepare('SELECT rootpage FROM sqlite_schema WHERE rootpage > 1').pluck().all() as number[]
      const size = db.pragma('page_size', { simple: true }) as number
      db.close()
      const bytes = readFileSync(path)
      for (const page of roots) bytes.fill(0xa5, (page - 1) * size, (page - 1) * size + 16)
      writeFileSync(path, bytes)
    })
    expect(problems.length).toBeGreaterThan(0)
    for (const problem of problems) expect(problem).toMatch(/damaged/)
  })
})
