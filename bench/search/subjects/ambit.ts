import { join } from 'node:path'
import type { Engine } from '../../../src/engine/engine.ts'
import type { Subject, SubjectMaker } from '../subject.ts'
import { sizeOf } from './fts5.ts'

/** Ours, as a program uses it: files found, read, hashed, extracted. Queries give documents, as those of the others do. */
export const ambitSubject: SubjectMaker = {
  name: 'Ambit',
  kept: true,
  ours: true,
  async open({ store: folder }) {
    // Only where it is measured: the memory of the others is, too.
    const { open } = await import('../../../src/open.ts')
    const engine = await open({ db: join(folder, 'ambit.sqlite') })
    return subjectOver(engine, { name: ambitSubject.name, size: () => sizeOf(folder) })
  },
}

export async function subjectOver(
  engine: Pick<Engine, 'library' | 'close'>,
  { name, size }: Pick<Subject, 'name' | 'size'>,
): Promise<Subject> {
  const { SILENT } = await import('../../../src/core/flow.ts')
  const { searchLexically } = await import('../../../src/collections/search/search-index.ts')
  const { collections, port } = await engine.library()
  const index = async () => {
    const { added, changed, moved } = await collections.index()
    return added + changed + moved
  }
  return {
    name,
    async build(dir) {
      await collections.add({ name: 'corpus', root: dir, pattern: ['*.md'] })
      return index()
    },
    update: index,
    async query(text, k) {
      const { hits } = await searchLexically(port, { query: text, filter: {}, limit: k }, SILENT)
      return hits.map(({ document }) => document.path)
    },
    size,
    close: () => engine.close(),
  }
}
