import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Engine } from '../../src/engine/engine.ts'
import { pageOf, pagePaths } from '../pages.ts'
import { documentsOf } from '../quality/documentation.ts'
import { matchOf } from '../quality/rankers/fts5.ts'
import type { QmdStore } from '../quality/rankers/qmd.ts'
import { contentWords } from '../quality/words.ts'

/** A program that indexes a folder of Markdown and answers queries about it. */
export interface Subject {
  /** Indexes every Markdown file under the folder. Returns the number of files. */
  build(dir: string): Promise<number>
  /**
   * Updates a built index from the folder. Returns the number of files that were indexed again. Absent if the subject cannot
   * update.
   */
  update?(dir: string): Promise<number>
  /** Paths relative to the folder, best first. */
  query(text: string, k: number): Promise<readonly string[]>
  /** Bytes on disk; 0 for an index in memory. */
  size(): number | Promise<number>
  close(): Promise<void>
}

/** Where a subject may write, and its other requirements. */
export interface Place {
  /** An empty folder, or the one in which another process built the index. */
  readonly store: string
  /** Where qmd is installed. */
  readonly qmd?: string
  /** URL of an empty PostgreSQL database, or of the one in which another process built the index. */
  readonly database?: string
}

/** Opens a subject. It loads its code only then, so that the code does not count as memory of other subjects. */
export interface SubjectMaker {
  readonly name: string
  /** Whether the index is on disk, so that another process can open it. */
  readonly kept: boolean
  /** The field of `Place` that it requires. */
  readonly needs?: 'qmd' | 'database'
  /** Whether it is our own subject, with limits. */
  readonly ours?: boolean
  open(place: Place): Promise<Subject>
}

/** Ambit as a program uses it: it finds, reads, hashes and extracts files. Queries return snippets, as a person sees them. */
const ambitSubject: SubjectMaker = {
  name: 'Ambit',
  kept: true,
  ours: true,
  async open({ store: folder }) {
    const { open } = await import('../../src/open.ts')
    return subjectOver(await open({ db: join(folder, 'ambit.sqlite') }), () => sizeOf(folder))
  },
}

export const WORDS_ALONE = 'Ambit by words alone'

/** Ambit without the table of word vectors, which shows the cost of search by meaning. */
const byWordsSubject: SubjectMaker = {
  ...ambitSubject,
  name: WORDS_ALONE,
  async open({ store: folder }) {
    const { open } = await import('../../src/open.ts')
    return subjectOver(await open({ db: join(folder, 'ambit.sqlite') }), () => sizeOf(folder), { mode: 'lexical' })
  },
}

const postgresSubject: SubjectMaker = {
  name: 'Ambit on PostgreSQL',
  kept: true,
  needs: 'database',
  async open({ database: url }) {
    if (url === undefined) throw new Error('The subject needs a database')
    const { openWith } = await import('../../src/open.ts')
    const engine = openWith({ file: undefined, unknown: [], home: false, database: { url } })
    const { port } = await engine.library()
    return subjectOver(engine, () => port.size())
  },
}

async function subjectOver(
  engine: Pick<Engine, 'library' | 'close'>,
  size: Subject['size'],
  options: { readonly mode?: 'lexical' } = {},
): Promise<Subject> {
  const { collections, search } = await engine.library()
  const index = async () => {
    const { added, changed, moved } = await collections.index()
    return added + changed + moved
  }
  return {
    async build(dir) {
      await collections.add({ name: 'corpus', root: dir, pattern: ['*.md'] })
      return index()
    },
    update: index,
    async query(text, k) {
      const { results } = await search({ query: text, limit: k, ...options })
      return results.map(({ path }) => path)
    },
    size,
    close: () => engine.close(),
  }
}

/** qmd's keyword search, through its library. */
const qmdSubject: SubjectMaker = {
  name: 'qmd',
  needs: 'qmd',
  kept: true,
  async open({ store, qmd }) {
    if (qmd === undefined) throw new Error('The subject needs the folder of qmd: --qmd DIR')
    let open: QmdStore | undefined
    const at = async (dir?: string) => {
      const { openQmd } = await import('../quality/rankers/qmd.ts')
      open ??= await openQmd(qmd, join(store, 'qmd.sqlite'), dir)
      return open
    }
    return {
      build: async (dir) => (await (await at(dir)).update()).indexed,
      update: async (dir) => (await (await at(dir)).update()).updated,
      query: async (text, k) => (await at()).search(text, k),
      size: () => sizeOf(store),
      close: async () => open?.close(),
    }
  },
}

const miniSearchSubject: SubjectMaker = {
  name: 'minisearch',
  kept: false,
  async open() {
    const { miniSearchRankers } = await import('../quality/rankers/minisearch.ts')
    const ranker = miniSearchRankers[0]?.open()
    if (!ranker) throw new Error('There is no minisearch')
    return {
      async build(dir) {
        let count = 0
        const counted = async function* () {
          for await (const doc of documentsOf(dir)) {
            count++
            yield doc
          }
        }
        await ranker.index(counted())
        return count
      },
      query: (text, k) => ranker.search(text, k),
      size: () => 0,
      close: () => ranker.close(),
    }
  },
}

/**
 * The baseline: one table of SQLite's full-text index with path, title and body, filled in one transaction. Queries use OR and
 * bm25, and return paths with snippets. It gets as much memory as it can use. A second table stores the size and time of each
 * file, so that only changed files are read again.
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
    query: async (text, k) => select.all(matchOf([...new Set(contentWords(text))], 'OR'), k),
    size: () => sizeOf(store),
    close: async () => {
      db.close()
    },
  }
}

/** Indexes the files with a new size or time. It does not look for removed files. */
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
function sizeOf(store: string): number {
  return readdirSync(store).reduce((sum, name) => sum + statSync(join(store, name)).size, 0)
}

/** All subjects, the baseline first. */
export const SUBJECTS: readonly SubjectMaker[] = [
  fts5Subject,
  ambitSubject,
  byWordsSubject,
  postgresSubject,
  qmdSubject,
  miniSearchSubject,
]
