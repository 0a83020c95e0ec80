/** @module-tag long */

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ContextError, NoSpace } from '../../../src/core/errors.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { openWith } from '../../../src/open.ts'
import { openPostgres } from '../../../src/stores/postgres/postgres.ts'
import { lacksSmallSpace, SmallSpace } from '../../support/small-space.ts'
import { COLLECTION, stored } from '../filled.ts'
import { found } from '../found.ts'
import { FILES, logProblems, QUESTION, undisturbed } from '../jobs/runs.ts'

const reason = lacksSmallSpace()

/** What comes in the end, on a machine of any speed. */
const until = (isSo: () => boolean | Promise<boolean>) => vi.waitUntil(isSo, { timeout: 120_000, interval: 50 })

describe.skipIf(reason !== undefined)(`E14: a PostgreSQL whose disk is full${reason ? ` (${reason})` : ''}`, () => {
  let space: SmallSpace
  beforeAll(async () => {
    space = await SmallSpace.start()
  })
  afterAll(() => space?.[Symbol.asyncDispose]())
  afterEach(() => space.empty())

  it('says so, has all that it said was kept, answers, and goes on when there is room', async () => {
    const store = await openPostgres(space.url)
    await store.collections.add(COLLECTION)
    await stored(store, 'docs', [{ path: 'a', text: 'lion' }])
    space.fill()
    const kept: string[] = []
    const refusal = await (async () => {
      for (let at = 0; at < 2000; at++) {
        const context = noise(at * 400, 400)
        await store.contexts.set({ collection: 'docs', pathPrefix: `/${at}` }, context)
        kept.push(`/${at}`)
      }
    })().catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(NoSpace)
    expect(refusal).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('no disk'),
      hint: expect.stringContaining('Free some space'),
    })
    const prefixes = async () => (await store.contexts.list()).map(({ pathPrefix }) => pathPrefix)
    expect((await prefixes()).sort()).toEqual(kept.toSorted())
    expect(await found(store, 'lion')).toEqual(['docs/a'])
    await expect(stored(store, 'docs', [{ path: 'b', text: `zebra ${noise(0, 50_000)}` }])).rejects.toThrow(NoSpace)
    expect(await found(store, 'zebra')).toEqual([])
    space.empty()
    await stored(store, 'docs', [{ path: 'b', text: 'zebra' }])
    expect([await found(store, 'lion'), await found(store, 'zebra')]).toEqual([['docs/a'], ['docs/b']])
    expect(await store.check()).toEqual([])
    await store.close()
  })

  it('fails a run with its reason, whatever came before, which comes to the report that it would have had', async () => {
    let failed = 0
    for (const last of [1, 4, 9, 14]) failed += (await isFailedAfter(last)) ? 1 : 0
    // Pages that were half empty may hold all that is left of a run: not of each one.
    expect(failed).toBeGreaterThanOrEqual(2)
  })

  /** Whether a run found no room after the event; that its report is right in the end, too. */
  async function isFailedAfter(last: number): Promise<boolean> {
    const engine = openWith({ file: undefined, unknown: [], home: false, database: { url: space.url } })
    try {
      const { id, research } = await session(engine)
      const heard = ({ seq }: { readonly seq: number }) => {
        if (seq === last) space.fill()
      }
      const refusal = await research.run(id, { emit: heard }).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (refusal !== undefined) {
        expect(refusal).toBeInstanceOf(ContextError)
        expect(refusal).toMatchObject({ code: 'unavailable', hint: expect.stringContaining('Free some space') })
        const { status, failure } = await research.show(id)
        // Where there is no room for a line either, it is as if its process had died.
        expect(['failed', 'running']).toContain(status)
        if (status === 'failed') expect(failure).toMatchObject({ message: expect.stringContaining('no disk') })
        space.empty()
        await research.run(id)
      }
      expect((await research.report(id)).markdown.replaceAll(id, 'ID')).toBe(
        (await undisturbed()).replaceAll(/[0-9a-f]{32}/g, 'ID'),
      )
      expect(await logProblems(space.url, id)).toEqual([])
      return refusal !== undefined
    } finally {
      space.empty()
      await engine.close()
    }
  }

  it('stops no worker: what it was asked for it does when there is room, or as somebody resumes it', async () => {
    const engine = openWith({ file: undefined, unknown: [], home: false, database: { url: space.url } }, 'all')
    try {
      const { id, research } = await session(engine)
      await engine.work(2)
      await research.start(id)
      for await (const { seq } of research.events(id, 0)) if (seq >= 3) break
      space.fill()
      const status = async () => (await research.show(id)).status
      await until(async () => (await status()) !== 'queued')
      space.empty()
      await until(async () => {
        // A worker may have taken it up since.
        const isRunning = (error: unknown) => expect(error).toMatchObject({ code: 'conflict' })
        if ((await status()) === 'failed') await research.start(id).catch(isRunning)
        return (await status()) === 'completed'
      })
      expect(await logProblems(space.url, id)).toEqual([])
    } finally {
      await engine.close()
    }
  })
})

/** Words that nothing makes smaller. */
function noise(from: number, words: number): string {
  return Array.from({ length: words }, (_, at) => Math.sin(from + at).toString(36)).join(' ')
}

async function session(engine: Engine) {
  const research = await engine.research()
  const { session_id: id } = await research.create({ question: QUESTION, extractive: true, searchCollections: false })
  for (const [name, text] of Object.entries(FILES)) {
    await research.addFile(id, { name, type: 'text/markdown', bytes: new TextEncoder().encode(text) })
  }
  return { id, research }
}
