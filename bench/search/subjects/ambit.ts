import { join } from 'node:path'
import type { Engine } from '../../../src/engine/engine.ts'
import type { Subject, SubjectMaker } from '../subject.ts'
import { sizeOf } from './fts5.ts'

/** Ours, as a program uses it: files found, read, hashed, extracted. Queries are answered as a person sees it, with snippets. */
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
  const { collections, search } = await engine.library()
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
      const { results } = await search({ query: text, limit: k, mode: 'lexical' })
      return results.map(({ path }) => path)
    },
    size,
    close: () => engine.close(),
  }
}
