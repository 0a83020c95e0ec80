import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { unskippedPath } from '../../pages.ts'
import type { Doc } from '../collection.ts'
import type { RankerMaker } from '../measure.ts'

/** The part of qmd's library that is used here. It is not a dependency: it is imported from the user's installation. */
export interface QmdStore {
  update(): Promise<{ readonly indexed: number; readonly updated: number }>
  /** Paths relative to the folder, the best first. */
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
 * Opens qmd's keyword search. `install`: a folder with an installation of `@tobilu/qmd`. `dir`: the Markdown, not needed for a
 * store that is already built.
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
          // qmd skips some names, so it does not find these documents.
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

/** Writes a document to its own file, with its title where qmd reads it. Returns the path. */
export function writeDocument(dir: string, { path, title, text }: Doc, number: number): string {
  const name = path === '' ? `${number}.md` : unskippedPath(path)
  const headed = title === '' || path !== '' ? text : `# ${title}\n\n${text}`
  mkdirSync(dirname(join(dir, name)), { recursive: true })
  writeFileSync(join(dir, name), `${headed}\n`)
  return name
}
