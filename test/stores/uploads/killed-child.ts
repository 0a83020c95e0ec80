/**
 * Run as a process of its own: adds, shares and takes away uploads, and is killed before the step that is named. A step is a
 * call of the database, or of the place of objects. Says `done N` where it came to its end before that, after N steps.
 * Arguments: the step; how the database is opened; how the place is.
 */
import { ownObjectsAt } from '../../../src/files/object-stores.ts'
import { openPostgres } from '../../../src/stores/postgres/postgres.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { Uploads, withExternalUploads } from '../../../src/stores/uploads/beside.ts'
import { through } from '../../support/through.ts'
import { given, ID } from './beside.ts'

const [step = '', db = '', root = '', s3 = '{}'] = process.argv.slice(2)
let steps = 0

/** Each call that is under way ends with the process. */
const counted = <Part extends object>(part: Part) =>
  through(part, (name, call) => {
    if (name !== 'close' && ++steps === Number(step)) process.kill(process.pid, 'SIGKILL')
    return call()
  })

const raw = db.startsWith('postgres') ? await openPostgres(db) : openSqlite(db)
const parts = { bytes: counted(raw.bytes), open: async () => counted(await ownObjectsAt(root, JSON.parse(s3))) }
const store = withExternalUploads({ ...raw, runs: counted(raw.runs), of: (owner) => raw.of(owner) }, new Uploads(parts))
const { runs } = store

await given(runs, ID('a'), { 'a.md': 'shared' })
const [own] = await given(runs, ID('b'), { 'b.md': 'own', 'c.md': 'shared' })
await runs.removeFile(ID('b'), own?.id ?? '')
await runs.remove(ID('a'))
await runs.remove(ID('b'))
process.stdout.write(`done ${steps}`)
await store.close()
