import { join } from 'node:path'
import { openQmd, type QmdStore } from '../../qmd.ts'
import type { SubjectMaker } from '../subject.ts'
import { sizeOf } from './fts5.ts'

/** qmd's keyword search, through its library. */
export const qmdSubject: SubjectMaker = {
  name: 'qmd',
  needs: 'qmd',
  kept: true,
  async open({ store, qmd }) {
    if (qmd === undefined) throw new Error('Where is qmd installed? Say --qmd DIR')
    let open: QmdStore | undefined
    const at = async (dir?: string) => {
      open ??= await openQmd(qmd, join(store, 'qmd.sqlite'), dir)
      return open
    }
    return {
      name: qmdSubject.name,
      build: async (dir) => (await (await at(dir)).update()).indexed,
      update: async (dir) => (await (await at(dir)).update()).updated,
      query: async (text, k) => (await at()).search(text, k),
      size: () => sizeOf(store),
      close: async () => open?.close(),
    }
  },
}
