import { describe, expect, it } from 'vitest'
import { COLLECTION } from './filled.ts'
import { type Openable, withStores } from './opened.ts'

const ASKED = { owner: 'alice', isForced: true } as const

/** What any store keeps of indexing in the background. `open` gives a new, empty one. */
export function indexJobStoreContract(name: string, open: () => Promise<Openable>): void {
  const withStore = withStores(open)
  const withDocs = (test: Parameters<typeof withStore>[0]) =>
    withStore(async (store, other) => {
      await store.collections.add({ ...COLLECTION, name: 'docs' })
      await test(store, other)
    })

  describe(`indexing in the background, in ${name}`, () => {
    it('is asked for once, and known to every process', () =>
      withDocs(async ({ indexJobs }, other) => {
        expect(await indexJobs.list()).toEqual([])
        await indexJobs.addJob('docs', ASKED)
        await other.indexJobs.addJob('docs', { owner: 'bob', isForced: false })
        expect(await other.indexJobs.list()).toEqual([
          {
            collection: 'docs',
            ...ASKED,
            ...{ state: 'queued', attempts: 0, done: 0, total: 0 },
            askedAt: expect.stringMatching(/^20\d\d-.*Z$/),
            updatedAt: expect.stringMatching(/^20\d\d-.*Z$/),
          },
        ])
      }))

    it('is not there for a collection that is not', () =>
      withDocs(async ({ indexJobs }) => {
        await expect(indexJobs.addJob('none', ASKED)).rejects.toMatchObject({ code: 'not-found' })
        expect(await indexJobs.begin('none')).toBeUndefined()
        expect(await indexJobs.begin('docs')).toBeUndefined()
        expect(await indexJobs.stop('docs')).toBe(false)
      }))

    it('belongs to the attempt that was begun last: what an earlier one writes is not kept', () =>
      withDocs(async ({ indexJobs }, other) => {
        await indexJobs.addJob('docs', ASKED)
        const first = await indexJobs.begin('docs')
        expect(first).toMatchObject({ state: 'running', attempts: 1 })
        if (!first) return
        expect(await indexJobs.reportProgress(first, { done: 3, total: 9 })).toBe(true)
        expect(await other.indexJobs.list()).toMatchObject([{ done: 3, total: 9 }])
        // The process that had it is dead.
        const second = await other.indexJobs.begin('docs')
        expect(second).toMatchObject({ attempts: 2, done: 0, total: 0 })
        if (!second) return
        expect(await indexJobs.reportProgress(first, { done: 4, total: 9 })).toBe(false)
        await indexJobs.end(first, { state: 'done' })
        await indexJobs.putBack(first)
        expect(await indexJobs.list()).toMatchObject([{ state: 'running', attempts: 2, done: 0 }])
        await other.indexJobs.end(second, { state: 'failed', problem: 'It is gone.' })
        expect(await indexJobs.list()).toMatchObject([{ state: 'failed', problem: 'It is gone.' }])
        expect(await indexJobs.begin('docs')).toBeUndefined()
      }))

    it('waits again where it was put back, ends where it is stopped, and can be asked for anew then', () =>
      withDocs(async ({ indexJobs }, other) => {
        await indexJobs.addJob('docs', ASKED)
        const first = await indexJobs.begin('docs')
        if (first) await indexJobs.putBack(first)
        expect(await indexJobs.list()).toMatchObject([{ state: 'queued', attempts: 0 }])
        const second = await indexJobs.begin('docs')
        expect(await other.indexJobs.stop('docs')).toBe(true)
        expect(second && (await indexJobs.reportProgress(second, { done: 1, total: 2 }))).toBe(false)
        expect(await indexJobs.begin('docs')).toBeUndefined()
        await indexJobs.addJob('docs', { owner: '', isForced: false })
        const [job] = await indexJobs.list()
        expect(job).toMatchObject({ state: 'queued', owner: '', isForced: false, attempts: 0, done: 0, total: 0 })
      }))

    it('goes with its collection, and follows its name', () =>
      withDocs(async ({ indexJobs, collections }) => {
        await indexJobs.addJob('docs', ASKED)
        await collections.rename('docs', 'notes')
        expect(await indexJobs.list()).toMatchObject([{ collection: 'notes' }])
        await collections.remove('notes')
        expect(await indexJobs.list()).toEqual([])
      }))
  })
}
