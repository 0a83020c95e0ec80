import { readdirSync, readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { SQLITE_MIGRATIONS } from '../../../src/stores/sqlite/schema.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { exportStore } from '../../../src/stores/transfer/store-export.ts'
import { importStore } from '../../../src/stores/transfer/store-import.ts'
import { tree } from '../../support/tree.ts'

/** Databases that earlier versions of the program wrote, by the number of steps that their tables had. */
const SNAPSHOTS = new URL('snapshots/', import.meta.url)

/** A database as a version wrote it that knew only the first steps, with a collection and a document in it. */
function older(path: string, version: number): void {
  const db = new Database(path)
  for (const step of SQLITE_MIGRATIONS.slice(0, version)) db.exec(step)
  db.pragma(`user_version = ${version}`)
  db.exec(`
    INSERT INTO collections (name, root, patterns, exclude, created_at) VALUES ('docs', '/srv', '["*.md"]', '[]', '2026-01-01');
    INSERT INTO documents (collection_id, path, hash, title, format, size, mtime, ctime, modified_at, metadata)
      VALUES (1, 'a.md', x'00', 'A', 'markdown', 7, '1', '1', '2026-01-01T00:00:00.000Z', '{}');
    INSERT INTO path_contexts VALUES ('docs', '/', 'The manual', '2026-01-01', '2026-01-01');`)
  db.close()
}

/** All tables and their columns, however they came about. */
function schemaOf(path: string): unknown {
  const db = new Database(path, { readonly: true })
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all()
  const columns = tables.map((table) => [table, db.pragma(`table_info(${table})`)])
  const version = db.pragma('user_version', { simple: true })
  db.close()
  return { version, columns }
}

describe('a database of an older version', () => {
  it.each(SQLITE_MIGRATIONS.slice(1).map((_, at) => at + 1))(
    'is brought up to date from step %i, with all it held',
    async (version) => {
      using files = tree({})
      older(files.at('old.db'), version)
      const store = openSqlite(files.at('old.db'))
      expect(await store.collections.list()).toMatchObject([
        { name: 'docs', patterns: ['*.md'], documents: 1, bytes: 7, isPaused: false, hasSubstrings: false },
      ])
      expect(await store.documents.find('docs', 'a.md')).toMatchObject({ title: 'A' })
      expect(await store.contexts.list()).toMatchObject([{ collection: 'docs', context: 'The manual' }])
      await store.close()
      await openSqlite(files.at('new.db')).close()
      expect(schemaOf(files.at('old.db'))).toEqual(schemaOf(files.at('new.db')))
    },
  )

  it.each(readdirSync(SNAPSHOTS))(
    'is brought up to date as its program wrote it, and so is its export: %s',
    async (name) => {
      using files = tree({})
      const text = readFileSync(new URL(name, SNAPSHOTS), 'utf8')
      const old = new Database(files.at('old.db'))
      old.exec(text)
      old.close()
      const store = openSqlite(files.at('old.db'))
      await exportStore(store, files.at('export.jsonl'))
      const copy = openSqlite(files.at('new.db'))
      await importStore(copy, { path: files.at('export.jsonl') })
      for (const one of [store, copy]) {
        expect(await one.check()).toEqual([])
        expect(await one.collections.list()).toMatchObject([{ name: 'docs', root: '/home/ada/docs', documents: 2 }])
        expect(await one.documents.find('docs', 'lions.md')).toMatchObject({ title: 'Lions' })
        expect(await one.contexts.list()).toMatchObject([{ collection: 'docs', context: 'Facts' }])
        expect(await one.conversations.list(9)).toHaveLength(text.includes('INTO conversations') ? 1 : 0)
        await one.close()
      }
      expect(schemaOf(files.at('old.db'))).toEqual(schemaOf(files.at('new.db')))
    },
  )
})
