import { describe, expect, it } from 'vitest'
import type { Watch } from '../../src/stores/change-notifier.ts'
import { openSqlite } from '../../src/stores/sqlite/sqlite.ts'
import type { Store } from '../../src/stores/store.ts'
import { exchange } from './conversations.contract.ts'

const ID = 'a'.repeat(32)
const record = { seq: 1, at: '2026-11-21T12:00:00.000Z', data: '{}' }

interface News {
  readonly of: string
  readonly watch: (store: Store) => Watch
  readonly change: (store: Store) => Promise<unknown>
}

const wanted = ({ runs }: Store) => runs.watch(ID, 'wanted')
const events = ({ runs }: Store) => runs.watch(ID, 'events')
const answer = ({ conversations }: Store) => conversations.watch(ID, 'answer')

const NEWS: readonly News[] = [
  { of: 'what is wanted of a session', watch: wanted, change: ({ runs }) => runs.update(ID, { wanted: 'stop' }) },
  { of: 'a log that was added to', watch: events, change: ({ runs }) => runs.append(ID, 0, [record]) },
  { of: 'a session that was removed, by its log', watch: events, change: ({ runs }) => runs.remove(ID) },
  { of: 'a session that was removed, by what is wanted', watch: wanted, change: ({ runs }) => runs.remove(ID) },
  {
    of: 'an exchange that was put',
    watch: answer,
    change: ({ conversations }) => conversations.put(ID, 0, exchange('q')),
  },
  {
    of: 'an answer that ended without a word',
    watch: answer,
    change: ({ conversations }) => conversations.exclusively(ID, async () => {}),
  },
  {
    of: 'a word to whoever answers',
    watch: ({ conversations }) => conversations.watch(ID, 'words'),
    change: ({ conversations }) => conversations.sendCommand(ID, 'giver', 'stop'),
  },
]

describe('whoever watches', () => {
  // Without news it is looked again after five seconds.
  it.each(NEWS)('is woken at once by $of', { timeout: 3_000 }, async ({ watch, change }) => {
    const store = openSqlite(':memory:')
    await store.runs.add({ id: ID, question: 'What?', settings: '{}' })
    await store.conversations.begin({ id: ID, title: 'What?', place: '.', model: 'm' })
    const watched = watch(store)
    let isWoken = false
    const woken = watched.changed().then(() => {
      isWoken = true
    })
    await store.runs.update(ID, { status: 'running' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isWoken).toBe(false)
    await change(store)
    await woken
    watched[Symbol.dispose]()
    await store.close()
  })
})
