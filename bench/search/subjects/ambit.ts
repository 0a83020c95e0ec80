import { join } from 'node:path'
import type { SubjectMaker } from '../subject.ts'
import { sizeOf } from './fts5.ts'

/** Ours, as a program uses it: files found, read, hashed, extracted. Queries give documents, as those of the others do. */
export const ambitSubject: SubjectMaker = {
  name: 'Ambit',
  kept: true,
  ours: true,
  async open({ store: folder }) {
    // Only where it is measured: the memory of the others is, too.
    const { SILENT } = await import('../../../src/core/flow.ts')
    const { open } = await import('../../../src/open.ts')
    const { searchLexically } = await import('../../../src/searching/search.ts')
    const engine = await open({ db: join(folder, 'ambit.sqlite') })
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
