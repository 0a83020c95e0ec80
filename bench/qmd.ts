import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

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
