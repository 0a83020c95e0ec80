import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unskippedPath } from '../../pages.ts'
import { openQmd, type QmdStore } from '../../qmd.ts'
import type { Doc } from '../collection.ts'
import type { RankerMaker } from '../ranker.ts'

/** qmd's keyword search; `install` is a folder in which it was installed. */
export function qmdRanker(install: string): RankerMaker {
  const name = 'qmd, keywords'
  return {
    name,
    open() {
      const folder = mkdtempSync(join(tmpdir(), 'ambit-qmd-'))
      const ids = new Map<string, string>()
      let store: QmdStore | undefined
      return {
        name,
        async index(documents) {
          let expected = 0
          for await (const doc of documents) {
            ids.set(writeDocument(join(folder, 'docs'), doc, ids.size), doc.id)
            if (`${doc.title}${doc.text}`.trim() !== '') expected++
          }
          store = await openQmd(install, join(folder, 'qmd.sqlite'), join(folder, 'docs'))
          const { indexed } = await store.update()
          // It passes some names over, and that is its answer for them.
          if (indexed !== expected) console.error(`qmd indexed ${indexed} of ${expected} documents`)
        },
        async search(query, k) {
          const paths = (await store?.search(query, k)) ?? []
          return paths.map((path) => ids.get(path) ?? `unknown: ${path}`)
        },
        async close() {
          await store?.close()
          rmSync(folder, { recursive: true })
        },
      }
    },
  }
}

/** Writes a document to a file of its own, under its title as qmd finds it; gives the path. */
function writeDocument(dir: string, { path, title, text }: Doc, number: number): string {
  const name = path === '' ? `${number}.md` : unskippedPath(path)
  const headed = title === '' || path !== '' ? text : `# ${title}\n\n${text}`
  mkdirSync(dirname(join(dir, name)), { recursive: true })
  writeFileSync(join(dir, name), `${headed}\n`)
  return name
}
