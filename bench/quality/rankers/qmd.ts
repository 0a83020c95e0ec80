import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { unskippedPath } from '../../pages.ts'
import type { Doc } from '../collection.ts'
import type { RankerMaker } from '../measure.ts'

/** What is used of qmd's library. It is not a dependency of ours: it is imported from where the user installed it. */
export interface QmdStore {
  update(): Promise<{ readonly indexed: number; readonly updated: number }>
  /** Paths from the folder, best first. */
  search(query: string, k: number): Promise<readonly string[]>
  close(): Promise<void>
}

interface QmdModule {
  createStore(options: { readonly dbPath: string; readonly config: unknown }): Promise<{
    update(): Promise<{ readonly indexed: number; readonly updated: number }>
    searchLex(query: string, options: { readonly limit: number }): Promise<readonly { readonly displayPath: string }[]>
    close(): Promise<void>
  }>
}

const COLLECTION = 'bench'

/**
 * Opens qmd's keyword search: `install` is a folder in which `npm install @tobilu/qmd` was run, `dir` the Markdown; a
 * store that was built can be opened without it.
 */
export async function openQmd(install: string, dbPath: string, dir?: string): Promise<QmdStore> {
  const entry = join(resolve(install), 'node_modules/@tobilu/qmd/dist/index.js')
  const { createStore }: QmdModule = await import(pathToFileURL(entry).href)
  const collections = dir === undefined ? {} : { [COLLECTION]: { path: dir, pattern: '**/*.md' } }
  const store = await createStore({ dbPath, config: { collections } })
  return {
    update: () => store.update(),
    async search(query, k) {
      const found = await store.searchLex(query, { limit: k })
      return found.map(({ displayPath }) => displayPath.slice(COLLECTION.length + 1))
    },
    close: () => store.close(),
  }
}

/** qmd's keyword search; `install` is a folder in which it was installed. */
export function qmdRanker(install: string): RankerMaker {
  return {
    name: 'qmd, keywords',
    open() {
      const folder = mkdtempSync(join(tmpdir(), 'ambit-qmd-'))
      const ids = new Map<string, string>()
      let store: QmdStore | undefined
      return {
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
export function writeDocument(dir: string, { path, title, text }: Doc, number: number): string {
  const name = path === '' ? `${number}.md` : unskippedPath(path)
  const headed = title === '' || path !== '' ? text : `# ${title}\n\n${text}`
  mkdirSync(dirname(join(dir, name)), { recursive: true })
  writeFileSync(join(dir, name), `${headed}\n`)
  return name
}
