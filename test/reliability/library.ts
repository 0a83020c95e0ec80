import { libraryOver } from '../../src/collections/library.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../src/stores/store.ts'
import { known } from '../ingest/indexing/place.ts'
import { COLLECTION } from '../stores/filled.ts'
import { type Tree, tree } from '../support/tree.ts'

const QUERIES = ['lion', 'zebra lion', 'c1', 'word7', '"zebra lion"', 'round3', 'rou*']

/** Collections of some files each, that hold a word of their collection and of their round; and the path of their database. */
export class Library implements Disposable {
  readonly files: Tree
  readonly names: readonly string[]
  readonly path: string

  constructor(path: string, collections: number, files: number) {
    this.path = path
    this.files = tree({})
    this.names = Array.from({ length: collections }, (_, index) => `c${index}`)
    for (const name of this.names) {
      for (let file = 0; file < files; file++) this.write(name, file, 'lion')
    }
  }

  [Symbol.dispose](): void {
    this.files[Symbol.dispose]()
  }

  write(name: string, file: number, text: string): void {
    this.files.plant({ [`${name}/${file}.md`]: `${name} zebra ${text} ${`word${file} `.repeat(200)}` })
  }

  async add(store: Store): Promise<void> {
    for (const name of this.names) await store.collections.add({ ...COLLECTION, name, root: this.files.at(name) })
  }

  /** What the database has come to after one more update, and what it would be if all were read at once. */
  async ends(): Promise<{ readonly own: unknown; readonly fresh: unknown }> {
    const [store, other] = [openSqlite(this.path), openSqlite(':memory:')]
    try {
      await this.add(other)
      for (const each of [store, other]) await libraryOver(each).collections.index()
      return { own: await shown(store), fresh: await shown(other) }
    } finally {
      await store.close()
      await other.close()
    }
  }
}

function shown(store: Store): Promise<unknown> {
  return known({ ...store, documents: { ...store.documents, skipped: async () => [] } }, QUERIES)
}
