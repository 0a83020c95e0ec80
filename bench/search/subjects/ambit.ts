import { join } from 'node:path'
import { SILENT } from '../../../src/core/flow.ts'
import { type OpenEngine, open } from '../../../src/open.ts'
import { searchLexically } from '../../../src/searching/search.ts'
import type { SubjectMaker } from '../subject.ts'
import { sizeOf } from './fts5.ts'

/** Ours, as a program uses it: files found, read, hashed, extracted. Queries give documents, as those of the others do. */
export const ambitSubject: SubjectMaker = {
  name: 'Ambit',
  kept: true,
  ours: true,
  async open({ store: folder }) {
    const engine: OpenEngine = await open({ db: join(folder, 'ambit.sqlite') })
    const { store } = engine
    const index = async () => {
      const { added, changed, moved } = await store.collections.index()
      return added + changed + moved
    }
    return {
      name: ambitSubject.name,
      async build(dir) {
        await store.collections.add({ name: 'corpus', root: dir, pattern: ['*.md'] })
        return index()
      },
      update: index,
      async query(text, k) {
        const { hits } = await searchLexically(store.port, { query: text, filter: {}, limit: k }, SILENT)
        return hits.map(({ document }) => document.path)
      },
      size: () => sizeOf(folder),
      close: () => engine.close(),
    }
  },
}
