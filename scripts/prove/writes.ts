/** Numbered writes of every kind, and checks of what a store has after them. */

import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ContextError } from '../../src/core/errors.ts'
import { SILENT } from '../../src/core/flow.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { openWith } from '../../src/open.ts'
import type { Store } from '../../src/stores/store.ts'

export const KINDS = ['document', 'context', 'conversation', 'research'] as const
export type Kind = (typeof KINDS)[number]

/** Number of places for the writes of each kind. The number of a write decides its place. */
const PLACES: Readonly<Record<Kind, number>> = { document: 24, context: 30, conversation: 6, research: 4 }

export interface StoreLocation {
  /** Path of a file, or the URL of a PostgreSQL database. */
  readonly db: string
  /** The directory of the collection. */
  readonly files: string
}

export function engineAt({ db }: Pick<StoreLocation, 'db'>): Engine {
  const where = /^postgres/.test(db) ? { database: { url: db } } : { db }
  return openWith({ file: undefined, unknown: [], home: false, ...where })
}

export function kindOf(write: number): Kind {
  return KINDS[(write * 7 + (write >> 3)) % KINDS.length] ?? 'document'
}

function placeOf(write: number): number {
  return (write >> 1) % PLACES[kindOf(write)]
}

const conversationAt = (place: number) => `conversation${place}`
const sessionAt = (place: number) => String(place).padStart(32, '0')

/** Adds the collection that documents are written to. */
export async function prepare(engine: Engine, { files }: StoreLocation): Promise<void> {
  mkdirSync(files, { recursive: true })
  await (await engine.library()).collections.add({ name: 'docs', root: files })
}

/** Like `prepare`, but with its own engine. */
export async function prepareStore(where: StoreLocation): Promise<void> {
  const engine = engineAt(where)
  await prepare(engine, where).finally(() => engine.close())
}

/** Performs the write with this number. The write is acknowledged when the promise resolves. */
export async function write(engine: Engine, { files }: StoreLocation, number: number): Promise<void> {
  const { port, collections, contexts } = await engine.library()
  const place = placeOf(number)
  const text = `lion w${number}x ${`berth${place} `.repeat(60)}`
  const kinds: Readonly<Record<Kind, () => Promise<unknown>>> = {
    document: async () => {
      // Writes the file in one step: a killed writer would leave an empty file, and its document would rightly disappear.
      writeFileSync(`${files}.new`, text)
      renameSync(`${files}.new`, join(files, `${place}.md`))
      await collections.index({ names: ['docs'] }, SILENT)
    },
    context: () => contexts.set('docs', `/c${place}`, text),
    conversation: () => addExchange(port, conversationAt(place), number),
    research: () => addEvent(port, sessionAt(place), number),
  }
  await kinds[kindOf(number)]()
}

async function addExchange({ conversations }: Store, id: string, number: number): Promise<void> {
  const about = { id, title: id, place: 'ambit://docs', model: 'local/extractive' }
  const known = (await conversations.get(id)) ?? { exchanges: [], head: await conversations.begin(about) }
  await conversations.put(id, known.exchanges.length, {
    id: `w${number}`,
    question: `What of ${number}?`,
    place: 'ambit://docs',
    model: 'local/extractive',
    askedAt: '2026-11-21T10:00:00.000Z',
    end: 'done',
    shown: [`Answer ${number}`],
    messages: [{ role: 'user', text: `${number}` }],
    isWhole: false,
    state: null,
  })
}

async function addEvent({ runs }: Store, id: string, number: number): Promise<void> {
  if (!(await runs.get(id))) await runs.add({ id, question: 'What?', settings: '{}' })
  const last = (await runs.records(id, 0, 100_000)).length
  const data = JSON.stringify({ type: 'search_completed', key: `w${number}`, told: {}, made: {} })
  await runs.append(id, last, [{ seq: last + 1, at: '2026-11-21T12:00:00.000Z', data }], 'running')
}

/** The numbers of the writes in a store, by kind and place. For documents and contexts, only the last write. */
export type StoredWrites = Readonly<Record<Kind, Readonly<Record<number, readonly number[]>>>>

const numberIn = (text = '') => Number(/\bw(\d+)x?\b/.exec(text)?.[1] ?? -1)

/** Reads the writes in a store. @throws Error if the content of the store is not consistent */
export async function readWrites(store: Store): Promise<StoredWrites> {
  const stored: Record<Kind, Record<number, readonly number[]>> = {
    document: {},
    context: {},
    conversation: {},
    research: {},
  }
  const documents = await store.documents.list({})
  const texts = await store.documents.texts(documents.map(({ id }) => id))
  for (const { id, path } of documents) stored.document[Number.parseInt(path, 10)] = [numberIn(texts.get(id))]
  for (const { pathPrefix, context } of await store.contexts.list())
    stored.context[Number(pathPrefix.slice(2))] = [numberIn(context)]
  for (let place = 0; place < PLACES.conversation; place++) {
    const known = await store.conversations.get(conversationAt(place))
    // A new conversation without an exchange has no write yet.
    if (!known || known.exchanges.length === 0) continue
    stored.conversation[place] = known.exchanges.map(({ id }) => numberIn(id))
    if (known.head.exchanges !== known.exchanges.length)
      throw new Error(`The conversation ${place} has another number of exchanges than it says.`)
  }
  for (let place = 0; place < PLACES.research; place++) {
    const records = await store.runs.records(sessionAt(place), 0, 100_000)
    if (records.length === 0) continue
    stored.research[place] = records.map(({ data }) => numberIn(JSON.parse(data).key))
    if (records.some(({ seq }, at) => seq !== at + 1)) throw new Error(`The log ${place} has a gap.`)
  }
  return stored
}

/**
 * Returns the problems of the writes in a store, a sentence each. The store must have each acknowledged write, or a later write of
 * its place, and must not have a write that never started.
 *
 * @param begun the number after the last write that started
 */
export function problemsIn(stored: StoredWrites, acknowledged: readonly number[], begun: number): string[] {
  const wrong: string[] = []
  for (const number of acknowledged) {
    const kind = kindOf(number)
    const numbers = stored[kind][placeOf(number)] ?? []
    const isThere = kind === 'document' || kind === 'context' ? (numbers[0] ?? -1) >= number : numbers.includes(number)
    if (!isThere) wrong.push(`${kind} ${number} was acknowledged and is lost; there is ${numbers.slice(-3)}`)
  }
  for (const kind of KINDS) {
    for (const [place, numbers] of Object.entries(stored[kind])) {
      const isOrdered = numbers.every((number, at) => number > (numbers[at - 1] ?? -1) && number < begun)
      if (!isOrdered)
        wrong.push(`${kind} ${place} holds ${numbers.slice(-5)}, which is out of order or was never written`)
    }
  }
  return wrong
}

/** Problems of the index, a sentence each. Each document must be found by its current words, and by no others. */
export async function indexProblemsIn(engine: Engine, { document }: StoredWrites): Promise<string[]> {
  const { search } = await engine.library()
  const wrong: string[] = []
  const all = await search({ query: 'lion', limit: 1000 }).catch(emptyAnswer)
  if (all.total !== Object.keys(document).length)
    wrong.push(`${all.total} documents are found of ${Object.keys(document).length}`)
  for (const [place, [number]] of Object.entries(document)) {
    const { results } = await search({ query: `w${number}x` }).catch(emptyAnswer)
    const paths = results.map(({ path }) => path)
    if (paths.join() !== `${place}.md`) wrong.push(`${place}.md is not found by its word w${number}x: ${paths}`)
  }
  return wrong
}

/** An empty answer, if nothing is indexed yet. @throws the error otherwise */
function emptyAnswer(error: unknown): { total: number; results: { path: string }[] } {
  if (error instanceof ContextError && error.code === 'not-found') return { total: 0, results: [] }
  throw error
}
