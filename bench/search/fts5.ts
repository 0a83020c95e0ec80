import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { pageOf, pagePaths } from '../pages.ts'
import { matchOf } from '../quality/rankers/fts5.ts'
import { tellingWords } from '../quality/words.ts'
import type { Subject, SubjectMaker } from './subjects.ts'

/**
 * The baseline: one table of SQLite's full-text index with path, title and body, filled in one transaction, asked with
 * OR and bm25 for paths with snippets, with as much memory as it has use for. A second table knows size and time of each file, so that only
 * what changed is read again.
 */
export const fts5Subject: SubjectMaker = {
  name: 'FTS5',
  kept: true,
  open: async ({ store }) => openFts5(store),
}

const SCHEMA = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA cache_size = -64000;
PRAGMA temp_store = MEMORY;
CREATE TABLE IF NOT EXISTS files (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER, mtime INTEGER);
CREATE VIRTUAL TABLE IF NOT EXISTS docs USING fts5(path, title, body, tokenize = 'porter unicode61');
INSERT INTO docs (docs, rank) VALUES ('hashsize', 16777216);`

interface FileRow {
  readonly id: number
  readonly path: string
  readonly size: number
  readonly mtime: number
}

function openFts5(store: string): Subject {
  const db = new Database(join(store, 'fts5.sqlite'))
  db.exec(SCHEMA)
  const select = db
    .prepare<[string, number], string>(
      "SELECT path, snippet(docs, 2, '[', ']', '…', 40) FROM docs WHERE docs MATCH ? ORDER BY bm25(docs, 1, 4, 1) LIMIT ?",
    )
    .pluck()
  const refresh = (dir: string) => {
    const changed = db.transaction(() => refreshAll(db, dir))()
    db.pragma('wal_checkpoint(TRUNCATE)')
    return changed
  }
  return {
    build: async (dir) => refresh(dir),
    update: async (dir) => refresh(dir),
    query: async (text, k) => select.all(matchOf([...new Set(tellingWords(text))], 'OR'), k),
    size: () => sizeOf(store),
    close: async () => {
      db.close()
    },
  }
}

/** Indexes the files whose size or time is not the one that is known. Files that went are not looked for. */
function refreshAll(db: Database.Database, dir: string): number {
  const rows = db.prepare<[], FileRow>('SELECT id, path, size, mtime FROM files').all()
  const known = new Map(rows.map((row) => [row.path, row]))
  const putFile = db.prepare('INSERT OR REPLACE INTO files (id, path, size, mtime) VALUES (?, ?, ?, ?)')
  const remove = db.prepare('DELETE FROM docs WHERE rowid = ?')
  const insert = db.prepare('INSERT INTO docs (rowid, path, title, body) VALUES (?, ?, ?, ?)')
  let next = rows.length + 1
  let changed = 0
  for (const path of pagePaths(dir)) {
    const { size, mtimeMs } = statSync(join(dir, path))
    const before = known.get(path)
    if (before?.size === size && before.mtime === mtimeMs) continue
    const id = before?.id ?? next++
    const { title, body } = pageOf(path, readFileSync(join(dir, path), 'utf8'))
    if (before) remove.run(id)
    putFile.run(id, path, size, mtimeMs)
    insert.run(id, path, title, body)
    changed++
  }
  return changed
}

/** Bytes of the files in a folder. */
export function sizeOf(store: string): number {
  return readdirSync(store).reduce((sum, name) => sum + statSync(join(store, name)).size, 0)
}
