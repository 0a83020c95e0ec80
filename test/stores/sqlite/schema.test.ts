import { readdirSync, readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { exportStore } from '../../../src/stores/transfer/store-export.ts'
import { importStore } from '../../../src/stores/transfer/store-import.ts'
import { tree } from '../../support/tree.ts'
import { found } from '../found.ts'

/** Databases that earlier versions of the program wrote, by the number of steps that their tables had: 14 is of 0.2.0. */
const SNAPSHOTS = new URL('snapshots/', import.meta.url)

const CONVERSATION = `
  INSERT INTO conversations (number, id, title, place, model, created_at, updated_at) VALUES (7, 'c', 'C', '/', 'm', '1', '1');
  INSERT INTO exchanges (conversation, at, id, question, place, model, asked_at, ended, shown, messages, whole, state)
    VALUES (7, 0, 'q', 'Q', '/', 'm', '1', 'stop', '1', '[]', 0, '{}')`

/** All tables with their columns, however they came about, and everything else by its name. */
function schemaOf(path: string): unknown {
  const db = new Database(path, { readonly: true })
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY name").pluck().all()
  const columns = db.prepare(`
    SELECT m.name AS owner, c.name, c.type, c."notnull", c.dflt_value, c.pk FROM sqlite_schema m, pragma_table_info(m.name) c
    WHERE m.type = 'table' ORDER BY m.name, c.name`)
  const unique = db.prepare(`
    SELECT m.name AS owner, group_concat(i.name) AS names FROM sqlite_schema m, pragma_index_list(m.name) l, pragma_index_info(l.name) i
    WHERE l."unique" = 1 GROUP BY m.name, l.name ORDER BY owner, names`)
  const version = db.pragma('user_version', { simple: true })
  const schema = { version, names, columns: columns.all(), unique: unique.all() }
  db.close()
  return schema
}

it.each(readdirSync(SNAPSHOTS))(
  'a database of an older version is brought up to date, and so is its export: %s',
  async (name) => {
    using files = tree({})
    const text = readFileSync(new URL(name, SNAPSHOTS), 'utf8')
    const old = new Database(files.at('old.db'))
    old.exec(text)
    const hasConversations = text.includes('CREATE TABLE conversations')
    if (hasConversations && !text.includes('INTO conversations')) old.exec(CONVERSATION)
    old.close()
    const store = openSqlite(files.at('old.db'))
    await exportStore(store, files.at('export.jsonl'))
    const copy = openSqlite(files.at('new.db'))
    await importStore(copy, { path: files.at('export.jsonl') })
    for (const one of [store, copy]) {
      expect(await one.check()).toEqual([])
      expect(await one.collections.list()).toMatchObject([
        { name: 'docs', root: '/home/ada/docs', documents: 2, bytes: expect.any(Number), isPaused: false },
      ])
      expect((await one.collections.get('docs'))?.bytes).toBeGreaterThan(0)
      expect(await one.documents.find('docs', 'lions.md')).toMatchObject({ title: 'Lions' })
      expect(await one.contexts.list()).toMatchObject([{ collection: 'docs', context: 'Facts' }])
      const [conversation] = await one.conversations.list(9)
      expect(conversation?.exchanges).toBe(hasConversations ? 1 : undefined)
      expect(await found(one, 'lion')).toEqual(['docs/lions.md'])
      const [session] = await one.runs.list(9)
      expect(session?.status).toBe(text.includes('INTO research_sessions') ? 'completed' : undefined)
      // Its triggers are there.
      const version = await one.contexts.version()
      await one.contexts.set({ collection: 'docs', pathPrefix: '/a' }, 'More.')
      expect(await one.contexts.version()).toBeGreaterThan(version)
      await one.close()
    }
    expect(schemaOf(files.at('old.db'))).toEqual(schemaOf(files.at('new.db')))
  },
)

it('a database of an older version is left as it was where its tables cannot be changed', () => {
  using files = tree({})
  const path = files.at('old.db')
  const old = new Database(path)
  old.exec(readFileSync(new URL('steps-5.sql', SNAPSHOTS), 'utf8'))
  old.exec('CREATE VIEW tokens AS SELECT 1')
  old.close()
  const before = schemaOf(path)
  expect(() => openSqlite(path)).toThrow(expect.objectContaining({ code: 'unavailable' }))
  expect(schemaOf(path)).toEqual(before)
})
