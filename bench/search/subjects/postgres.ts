import type { SubjectMaker } from '../subject.ts'
import { subjectOver } from './ambit.ts'

/** Ours, in a database of PostgreSQL. */
export const postgresSubject: SubjectMaker = {
  name: 'Ambit on PostgreSQL',
  kept: true,
  needs: 'database',
  async open({ database: url }) {
    if (url === undefined) throw new Error('It needs a database')
    const { openWith } = await import('../../../src/open.ts')
    const engine = openWith({ file: undefined, unknown: [], home: false, database: { url } })
    const { port } = await engine.library()
    return subjectOver(engine, { name: postgresSubject.name, size: () => port.size() })
  },
}
