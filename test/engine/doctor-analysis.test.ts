import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { SILENT } from '../../src/core/flow.ts'
import { openEngine } from '../../src/open.ts'
import { tree } from '../support/tree.ts'

it('tells of documents whose words were counted by an older version, which the next index reads anew', async () => {
  using at = tree({ 'docs/lion.md': 'A lion.', 'docs/zebra.md': 'A zebra.' })
  const db = at.at('ambit.db')
  await using opened = new AsyncDisposableStack()
  const engine = opened.adopt(await openEngine({ db }), (one) => one.close())
  const { collections } = await engine.library()
  await collections.add({ name: 'docs', root: at.at('docs') })
  const database = async () => (await engine.doctor(SILENT)).checks.find(({ name }) => name === 'database')
  expect(await engine.index({}, SILENT)).toMatchObject({ collections: [{ added: 2 }] })
  expect(await database()).toMatchObject({ status: 'ok' })
  const older = new Database(db)
  older.exec("UPDATE documents SET substrings = 0 WHERE path = 'zebra.md'")
  older.close()
  expect(await database()).toMatchObject({
    status: 'warning',
    message: '1 document was indexed by an older version or with other settings.',
    hint: 'Run "ambit index": it reads them again.',
  })
  expect(await engine.index({}, SILENT)).toMatchObject({ collections: [{ changed: 1, unchanged: 1 }] })
  expect(await database()).toMatchObject({ status: 'ok' })
})
