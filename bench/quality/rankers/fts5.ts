import Database from 'better-sqlite3'
import type { Ranker, RankerMaker } from '../measure.ts'
import { contentWords, wordsOf } from '../words.ts'

interface Fts5Options {
  readonly name: string
  /** The words to search for. */
  readonly words: (query: string) => readonly string[]
  readonly join: 'OR' | 'AND'
  /** Whether to search for words by their beginnings. */
  readonly prefix?: boolean
  /** Weight of the title; the body has the weight 1. Default: 1. */
  readonly title?: number
}

/** SQLite's own full-text index, in memory. */
function fts5(options: Fts5Options): RankerMaker {
  return { name: options.name, open: () => openFts5(options) }
}

function openFts5({ words, join, prefix = false, title = 1 }: Fts5Options): Ranker {
  const db = new Database(':memory:')
  db.exec(`CREATE VIRTUAL TABLE docs USING fts5(id UNINDEXED, title, body, tokenize = 'porter unicode61')`)
  const select = db
    .prepare<[string, number], string>(
      `SELECT id FROM docs WHERE docs MATCH ? ORDER BY bm25(docs, 0, ${title}, 1), rowid LIMIT ?`,
    )
    .pluck()
  return {
    async index(documents) {
      const insert = db.prepare('INSERT INTO docs (id, title, body) VALUES (?, ?, ?)')
      db.exec('BEGIN')
      for await (const doc of documents) insert.run(doc.id, doc.title, doc.text)
      db.exec('COMMIT')
    },
    async search(query, k) {
      const match = matchOf([...new Set(words(query))], join, prefix)
      return match === '' ? [] : select.all(match, k)
    },
    async close() {
      db.close()
    },
  }
}

/** A query of FTS5 in which each word is quoted, so that nothing in it is syntax. */
export function matchOf(words: readonly string[], join: 'OR' | 'AND', prefix = false): string {
  return words.map((word) => `"${word.replaceAll('"', '""')}"${prefix ? '*' : ''}`).join(` ${join} `)
}

export const fts5Rankers: readonly RankerMaker[] = [
  fts5({ name: 'FTS5, OR', words: wordsOf, join: 'OR' }),
  fts5({ name: 'FTS5, OR, stop words, title 4:1', words: contentWords, join: 'OR', title: 4 }),
  fts5({ name: 'FTS5, AND of prefixes', words: wordsOf, join: 'AND', prefix: true }),
]
