/** Run as a program, with a job and what it needs as JSON: what is done to a database in a process that may be killed. */
import { once } from 'node:events'
import { readFileSync, rmSync, writeSync } from 'node:fs'
import { ContextError } from '../../src/core/errors.ts'
import { deflateText } from '../../src/stores/deflated.ts'
import type { Store } from '../../src/stores/store.ts'
import { becomeNobody } from '../support/nobody.ts'

export const PROGRAM = import.meta.filename

const [job = '', asked = '{}'] = import.meta.main ? process.argv.slice(2) : []
const given: Readonly<Record<string, string>> = JSON.parse(asked)
const db = given.db ?? ''

/** Lines for whoever started it, at once. */
function say(line: string): void {
  writeSync(1, `${line}\n`)
}

/** Waits for a line, and then for the time that it names. */
async function wait(): Promise<void> {
  const [line] = await once(process.stdin, 'data')
  process.stdin.destroy()
  const until = Number(line) || 0
  while (Date.now() < until);
}

async function opened(times = {}): Promise<Store> {
  const { openSqlite } = await import('../../src/stores/sqlite/sqlite.ts')
  return openSqlite(db, times)
}

/** What went wrong as a line: its code, and what it says. A bug is shown as one. */
async function told(work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    return error instanceof ContextError ? `${error.code}: ${error.message} ${error.hint}` : `bug: ${error}`
  }
}

async function indexed(store: Store, names: readonly string[] = []): Promise<string> {
  const { libraryOver } = await import('../../src/collections/library.ts')
  const { added, changed, moved, removed, unchanged } = await libraryOver(store).collections.index({ names })
  return `added ${added} changed ${changed} moved ${moved} removed ${removed} unchanged ${unchanged}`
}

async function found(store: Store, query: string): Promise<{ total: number; hits: string[] }> {
  const { libraryOver } = await import('../../src/collections/library.ts')
  const { total, results } = await libraryOver(store).search({ query, limit: 1000 })
  return { total, hits: results.map(({ path }) => path) }
}

const JOBS: Readonly<Record<string, () => Promise<void>>> = {
  /** Opens as soon as it is told to. */
  async open() {
    const { openSqlite } = await import('../../src/stores/sqlite/sqlite.ts')
    say('ready')
    await wait()
    say(
      await told(async () => {
        const store = openSqlite(db)
        await store.collections.list()
        await store.close()
        return 'opened'
      }),
    )
  },

  /** Adds collections, one after the other. */
  async write() {
    const store = await opened()
    say('ready')
    await wait()
    const added = async () => {
      for (let index = 0; index < 100; index++) {
        const name = `${given.name}-${index}`
        await store.collections.add({ name, root: '/', patterns: [], exclude: [] })
        await store.collections.update(name, { isPaused: true })
      }
      return 'added'
    }
    say(await told(added))
    await store.close()
  },

  /** Indexes the collections, one by one, and says of each when it is done; again and again. */
  async index() {
    const store = await opened()
    const names = (await store.collections.list()).map(({ name }) => name)
    await Promise.all([import('../../src/ingest/updating.ts'), import('../../src/ingest/extract/text.ts')])
    say('ready')
    for (const name of names) say(`${name} ${await told(() => indexed(store, [name]))}`)
    await store.close()
    say('end')
  },

  /** Searches until a file says that it is enough, over several connections; tells what was not as it should be. */
  async search() {
    const stores = await Promise.all(Array.from({ length: 5 }, () => opened()))
    say('ready')
    let searches = 0
    const wrong = new Set<string>()
    for (const end = Date.now() + 30_000; Date.now() < end && readFileSync(given.until ?? '', 'utf8') === ''; ) {
      for (const store of stores) {
        const line = await told(async () => {
          const { total, hits } = await found(store, 'lion')
          searches++
          return total === Number(given.total) && hits.length === total ? '' : `${total} found, ${hits.length} shown`
        })
        if (line !== '') wrong.add(line)
      }
    }
    say(`${searches} ${[...wrong].join('; ')}`)
  },

  /** Holds the right to write while it is stopped, and then goes on writing. */
  async hold() {
    const store = await opened({ lease: { lastsMs: 300, renewedMs: 50 } })
    const held = { path: 'held', title: 'held', format: 'plain', hash: '0'.repeat(64), metadata: {} }
    const documents = { ...held, deflated: deflateText('held') }
    const work = store.index.exclusively(0, async () => {
      const segment = await store.index.begin()
      await store.index.put(segment, [['held', Uint8Array.of(1, 0, 0)]])
      say('ready')
      await wait()
      const lengths = { bodyLengths: Uint32Array.of(1), titleLengths: Uint32Array.of(2) }
      const stamp = { size: 1, mtime: '0', ctime: '0' }
      await store.index.apply({
        added: { collection: 'docs', documents: [{ ...documents, ...stamp }], segment, lengths },
      })
      return 'written'
    })
    say(await told(() => work))
    await store.close()
  },

  /** As a user who is not root, or on a full disk: tries to open, to write and to read. */
  async use() {
    if (given.nobody) becomeNobody()
    let store: Store | undefined
    say(
      await told(async () => {
        store = await opened()
        return 'opened'
      }),
    )
    if (!store) return
    const own = store
    say(await told(() => indexed(own)))
    say(await told(async () => `found ${(await found(own, 'lion')).total}`))
    say(await told(async () => `problems ${JSON.stringify(await own.check())}`))
    if (given.ballast) {
      rmSync(given.ballast)
      say(await told(() => indexed(own)))
      say(await told(async () => `problems ${JSON.stringify(await own.check())}`))
    }
    say(
      await told(async () => {
        await own.close()
        return 'closed'
      }),
    )
  },

  /** Opens each database of a list, reads all of it, and says what came of it. */
  async read() {
    const { openSqlite } = await import('../../src/stores/sqlite/sqlite.ts')
    for (const path of JSON.parse(given.paths ?? '[]')) {
      say(
        await told(async () => {
          const store = openSqlite(path)
          try {
            const problems = await store.check()
            const steps = [
              () => store.collections.list(),
              () => found(store, 'lion zeb*'),
              async () => store.documents.texts((await store.documents.list({})).map(({ id }) => id)),
            ]
            const lines = await Promise.all(steps.map((step) => told(async () => `${typeof (await step())}`)))
            return JSON.stringify({ problems, lines })
          } finally {
            await store.close()
          }
        }),
      )
    }
  },
}

await JOBS[job]?.()
