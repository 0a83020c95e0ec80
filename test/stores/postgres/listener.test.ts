import pg from 'pg'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { followSession } from '../../../src/research/sessions/session-answer.ts'
import { ChangeNotifier } from '../../../src/stores/change-notifier.ts'
import { Listener } from '../../../src/stores/postgres/listener.ts'
import { openPostgres } from '../../../src/stores/postgres/postgres.ts'
import type { Store } from '../../../src/stores/store.ts'
import { asked, type Databases, databases, withPostgres } from '../../support/postgres.ts'

const ID = 'a'.repeat(32)
const never = () => Promise.reject(new Error('Nothing is asked.'))
const record = (seq: number, type = 'node_started') => {
  const data = JSON.stringify({ type, key: `${type}/${seq}`, told: {}, made: {} })
  return { seq, at: '2026-11-21T12:00:00.000Z', data }
}

describe('a bell', () => {
  it('wakes whoever waits for its name, and nobody else', async () => {
    const notifier = new ChangeNotifier()
    const [one, other] = [notifier.watch('a', () => 60_000), notifier.watch('b', () => 60_000)]
    let isAwake = false
    const waiting = other.changed().then(() => {
      isAwake = true
    })
    setTimeout(() => notifier.notify('a'), 10)
    await one.changed()
    expect(isAwake).toBe(false)
    notifier.notifyAll()
    await waiting
    for (const watch of [one, other]) watch[Symbol.dispose]()
    expect(notifier.hasWatchers).toBe(false)
  })

  it('that rings before somebody waits is heard all the same, once', async () => {
    const notifier = new ChangeNotifier()
    let waits = 0
    const watch = notifier.watch('a', () => {
      waits++
      return 5
    })
    notifier.notify('a')
    notifier.notify('a')
    await watch.changed()
    expect(waits).toBe(0)
    await watch.changed()
    expect(waits).toBe(1)
  })

  it('is not waited for where the signal has fired', async () => {
    const watch = new ChangeNotifier().watch('a', () => 60_000)
    await watch.changed(AbortSignal.abort())
    const controller = new AbortController()
    const waiting = watch.changed(controller.signal)
    controller.abort()
    await waiting
  })
})

withPostgres('what happens in PostgreSQL', () => {
  let made: Databases | undefined
  afterAll(() => made?.drop(), 120_000)
  const two = async () => {
    made ??= await databases()
    const url = await made.create()
    const stores: Store[] = [await openPostgres(url), await openPostgres(url)]
    const [one, other] = stores as [Store, Store]
    await one.runs.add({ id: ID, question: 'What?', settings: '{}' })
    return { url, one, other, close: () => Promise.all(stores.map((store) => store.close())) }
  }
  const heard = async (store: Store) => {
    const ids: number[] = []
    const controller = new AbortController()
    const done = (async () => {
      for await (const { seq } of followSession(store.runs, ID, { after: 0, signal: controller.signal })) ids.push(seq)
    })()
    return { ids, done, end: () => controller.abort() }
  }
  const until = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: 60_000, interval: 5 })
  const connections = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ambit listener' AND datname = current_database()`

  it('is heard of by another process at once, and each event once', async () => {
    const { one, other, close } = await two()
    const { ids, done } = await heard(other)
    for (let seq = 1; seq <= 200; seq++) await one.runs.append(ID, seq - 1, [record(seq)], 'running')
    await one.runs.append(ID, 200, [record(201, 'run_completed')], 'completed')
    await done
    expect(ids).toEqual(ids.map((_, index) => index + 1))
    expect(ids).toHaveLength(201)
    await close()
  })

  it('E7: is heard of when the connection that listens was lost, again and again', async () => {
    const { url, one, other, close } = await two()
    const { ids, done } = await heard(other)
    for (let seq = 1; seq <= 5; seq++) {
      await asked(url, (client) => client.query(connections))
      await one.runs.append(ID, seq - 1, [record(seq)], 'running')
      await until(() => ids.length >= seq)
    }
    await one.runs.append(ID, 5, [record(6, 'run_completed')], 'completed')
    await done
    expect(ids).toEqual([1, 2, 3, 4, 5, 6])
    await close()
  }, 400_000)

  it('E7: is looked for where no connection that listens can be made', async () => {
    const nowhere = () => new pg.Client({ connectionString: 'postgres://nobody@127.0.0.1:1/none' })
    const none = { ask: never, column: never, run: never }
    const listener = new Listener(nowhere, none)
    using watch = listener.watch(`events ${ID}`)
    await watch.changed()
    await watch.changed()
    await listener.close()
  })

  it('as what is wanted of a session, too, and its end', async () => {
    const { one, other, close } = await two()
    const watch = other.runs.watch(ID, 'wanted')
    await watch.changed()
    await one.runs.update(ID, { wanted: 'stop' })
    await watch.changed()
    expect((await other.runs.get(ID))?.wanted).toBe('stop')
    const { done } = await heard(other)
    await one.runs.remove(ID)
    await done
    await close()
  })

  it('and a session that waits is found by all, unless somebody who lives runs it', async () => {
    const { one, other, close } = await two()
    const waiting = async () =>
      (await other.jobs.open()).flatMap(({ owner, key, isHeld }) => (isHeld ? [] : [{ owner, id: key }]))
    expect(await waiting()).toEqual([])
    await one.runs.update(ID, { wanted: 'run' })
    await one.of('alice').runs.add({ id: 'b'.repeat(32), question: 'Who?', settings: '{}' })
    await one.of('alice').runs.update('b'.repeat(32), { wanted: 'run' })
    const both = [
      { owner: '', id: ID },
      { owner: 'alice', id: 'b'.repeat(32) },
    ]
    expect(await waiting()).toEqual(both)
    await one.runs.exclusively(ID, async () => expect(await waiting()).toEqual(both.slice(1)))
    await one.runs.update(ID, { wanted: '' })
    expect(await waiting()).toEqual(both.slice(1))
    await close()
  })
})
