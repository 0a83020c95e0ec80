import Database from 'better-sqlite3'
import { Collections } from '../../src/collections/collections.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import { Library } from '../../test/reliability/library.ts'
import { canMount, onFullDisk } from '../../test/reliability/small-disk.ts'
import { done, Job } from '../../test/reliability/store-process.ts'
import { COLLECTION } from '../../test/stores/filled.ts'
import { tree } from '../../test/support/tree.ts'
import type { Part, Proving } from './proving.ts'

const PROCESSES = 60

export const cold: Part = {
  name: 'cold',
  // What is done at every change is in the tests.
  tiers: ['quick', 'full'],
  claim: '60 processes that open at once what is not there yet all succeed',
  async prove(proving) {
    await proving.rounds('rounds', proving.of({ ci: 1, quick: 3, full: 50 }), async () => {
      using files = tree({})
      const path = files.at('deep/er/ambit.db')
      const jobs = Array.from({ length: PROCESSES }, () => new Job('open', { db: path }))
      await Promise.all(jobs.map((job) => job.line(0)))
      const time = Date.now() + 300
      for (const job of jobs) job.tell(time)
      for (const [, line] of await Promise.all(jobs.map((job) => job.ended()))) {
        proving.add('opened', line === 'opened' ? 1 : 0)
        proving.same('one who opened it', line, 'opened')
      }
      await expectWhole(path, proving)
    })
  },
}

export const indexers: Part = {
  name: 'indexers',
  // What is done at every change is in the tests.
  tiers: ['quick', 'full'],
  claim: 'two indexers on the same collections do each file once, and come to what one would',
  async prove(proving) {
    const count = proving.of({ ci: 1, quick: 5, full: 100 })
    await proving.rounds('rounds', count, async () => {
      using place = tree({})
      using library = new Library(place.at('ambit.db'), 4, 40)
      const store = openSqlite(library.path)
      await library.add(store)
      await store.close()
      const both = await Promise.all([done('index', { db: library.path }), done('index', { db: library.path })])
      for (const name of library.names) {
        const lines = both.flat().filter((line) => line.startsWith(`${name} `))
        proving.same('what the two say of a collection', lines.sort(), [
          `${name} added 0 changed 0 moved 0 removed 0 unchanged 40`,
          `${name} added 40 changed 0 moved 0 removed 0 unchanged 0`,
        ])
        proving.add('collections')
      }
      await expectWhole(library.path, proving)
      const { own, fresh } = await library.ends()
      proving.same('what is found', own, fresh)
    })
  },
}

export const diskFull: Part = {
  name: 'disk-full',
  // What is done at every change is in the tests.
  tiers: ['quick', 'full'],
  claim: 'a full disk is told; what was kept stays and is found, and it goes on when there is room',
  async prove(proving) {
    proving.note('by', canMount() ? 'a disk of 12 MiB' : 'a limit on the size of files: no disk may be mounted here')
    await proving.rounds('rounds', proving.of({ ci: 1, quick: 2, full: 20 }), async (random) => {
      using files = tree({ 'db/': '', 'root/': '' })
      const factor = 1000 + Math.floor(random() * 9000)
      const plant = (from: number, to: number) => {
        for (let file = from; file < to; file++) {
          const text = Array.from({ length: 500 }, (_, index) => `${file * index * factor}`).join(' ')
          files.plant({ [`root/${file}.md`]: `lion ${text}` })
        }
      }
      plant(0, 5)
      const path = files.at('db', 'ambit.db')
      const store = openSqlite(path)
      await store.collections.add({ ...COLLECTION, root: files.at('root') })
      await new Collections(store).index()
      await store.close()
      plant(5, 405)
      const [told, after] = await onFullDisk(path)
      const [opened, refused = '', ...rest] = told
      proving.same('what is told', [opened, ...rest], ['opened', 'found 5', 'problems []'])
      if (!/^unavailable: The disk of .* (is full|failed)\. .*again/.test(refused)) proving.lose(`It says: ${refused}`)
      const wanted = ['added 400 changed 0 moved 0 removed 0 unchanged 5', 'problems []', 'closed']
      proving.same('what comes after', after, wanted)
      proving.add('full disks')
      proving.add('documents afterwards', 405)
    })
  },
}

/** That nothing is damaged: neither what SQLite itself says nor what we know. */
async function expectWhole(path: string, proving: Proving): Promise<void> {
  const connection = new Database(path)
  proving.same('integrity_check', connection.pragma('integrity_check', { simple: true }), 'ok')
  connection.close()
  const store = openSqlite(path)
  proving.same('the product’s own check', await store.check(), [])
  await store.close()
}
