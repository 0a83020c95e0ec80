import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { BackgroundIndex, indexByWorkers, indexInBackground } from '../../../src/collections/index-job.ts'
import { type Library, libraryOver } from '../../../src/collections/library.ts'
import { SILENT } from '../../../src/core/flow.ts'
import { HANDED_OVER, Jobs, type Task } from '../../../src/stores/jobs.ts'
import { openSqlite } from '../../../src/stores/sqlite/sqlite.ts'
import { ALL_FILES, FREE_FILES, type HeldBucket, heldBucket } from '../../support/held-bucket.ts'
import { tree } from '../../support/tree.ts'

const files = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`docs/${at}.md`, `# ${at}\n\nword ${at}\n`]))

interface Process {
  readonly library: Library
  readonly jobs: Jobs
  readonly background: BackgroundIndex
}

/** Two processes of one database, of which none works yet, and a collection: of so many files, or of a bucket. */
async function withTwo(
  docs: number | HeldBucket,
  test: (one: Process, other: Process) => Promise<void>,
): Promise<void> {
  using at = tree(typeof docs === 'number' ? files(docs) : {})
  const open = (): Process => {
    const library = libraryOver(openSqlite(at.at('a.db')))
    const jobs = new Jobs(library.port.jobs, false)
    const parts = { library: async () => library, jobs: async () => jobs, owner: 'alice' }
    return { library, jobs, background: new BackgroundIndex(parts) }
  }
  const [one, other] = [open(), open()]
  try {
    const place =
      typeof docs === 'number' ? { root: at.at('docs') } : { root: docs.root, endpoint: docs.url, anonymous: true }
    await one.library.collections.add({ name: 'docs', ...place })
    await test(one, other)
  } finally {
    for (const { jobs, library } of [one, other]) {
      await jobs.close()
      await library.port.close()
    }
  }
}

const work = ({ jobs, library }: Process) =>
  jobs.work({
    research: { maximum: 0, handler: async () => {} },
    index: { maximum: 1, handler: (task) => indexInBackground(library, task) },
  })

const taskOf = (signal: AbortSignal): Task => ({ kind: 'index', key: 'docs', owner: 'alice', signal })

/** Whether each job that is to be done is done by a living process. */
const openOf = async ({ library }: Process) => (await library.port.jobs.open()).map(({ isHeld }) => isHeld)

const stateOf = async ({ background }: Process) => (await background.list())[0]?.state

describe('indexing in the background', () => {
  it('is done by the process that works, and whoever asks waits for nothing', () =>
    withTwo(20, async (one, other) => {
      work(one)
      expect(await one.background.start({})).toMatchObject([{ collection: 'docs', owner: 'alice' }])
      await expect.poll(() => stateOf(other)).toBe('done')
      expect((await other.library.collections.status()).documents).toBe(20)
    }))

  it('is found in the store by a process that begins to work later, and by none twice', () =>
    withTwo(20, async (one, other) => {
      await one.background.start({ names: ['docs'] })
      await one.background.start({ names: ['docs'], force: true })
      expect(await openOf(other)).toEqual([false])
      for (const process of [one, other]) work(process)
      await expect.poll(() => stateOf(one)).toBe('done')
      expect(await openOf(one)).toEqual([])
      expect(await one.background.list()).toMatchObject([{ attempts: 1, isForced: false, done: 20, total: 20 }])
    }))

  it('waits again where its process ends in good order, and is not counted as an attempt', async () => {
    await using bucket = await heldBucket()
    await withTwo(bucket, async (one, other) => {
      await one.background.start({ names: ['docs'] })
      const ending = new AbortController()
      const working = indexInBackground(one.library, taskOf(ending.signal))
      await expect.poll(() => stateOf(other)).toBe('running')
      await expect.poll(async () => (await other.library.collections.status()).collections[0]?.isIndexing).toBe(true)
      // Somebody is at it: nobody else takes it.
      expect(await openOf(other)).toEqual([true])
      ending.abort(HANDED_OVER)
      await expect(working).rejects.toThrow()
      expect(await one.background.list()).toMatchObject([{ state: 'queued', attempts: 0 }])
      bucket.release()
      work(other)
      await expect.poll(() => stateOf(one)).toBe('done')
      expect((await one.library.collections.status()).documents).toBe(ALL_FILES)
    })
  })

  it('is ended by another process, and keeps what was indexed by then', async () => {
    await using bucket = await heldBucket()
    await withTwo(bucket, async (one, other) => {
      work(one)
      await one.background.start({ names: ['docs'] })
      await expect.poll(async () => (await other.background.list())[0]?.done).toBeGreaterThan(0)
      expect(await other.background.stop(['docs'])).toMatchObject([{ state: 'stopped' }])
      await expect.poll(() => one.jobs.running).toBe(0)
      expect(await stateOf(one)).toBe('stopped')
      const indexed = (await one.library.collections.status()).documents
      expect([indexed > 0, indexed <= FREE_FILES]).toEqual([true, true])
      bucket.release()
      const before = bucket.read().length
      await other.background.start({ names: ['docs'] })
      await expect.poll(() => stateOf(one)).toBe('done')
      expect((await one.library.collections.status()).documents).toBe(ALL_FILES)
      expect(bucket.read().length - before).toBe(ALL_FILES - indexed)
    })
  })

  it('fails with the reason where the files are not there', () =>
    withTwo(1, async (one) => {
      using gone = tree({ 'gone/a.md': 'a' })
      await one.library.collections.add({ name: 'gone', root: gone.at('gone') })
      gone[Symbol.dispose]()
      work(one)
      await one.background.start({ names: ['gone'] })
      await expect.poll(() => stateOf(one)).toBe('failed')
      expect((await one.background.list())[0]?.problem).toMatch(/gone/)
    }))

  it('is given up where it ends with its process again and again', () =>
    withTwo(2, async (one) => {
      const { indexJobs } = one.library.port
      await one.background.start({ names: ['docs'] })
      for (let attempt = 1; attempt <= 5; attempt++) await indexJobs.begin('docs')
      await indexInBackground(one.library, taskOf(new AbortController().signal))
      expect(await one.background.list()).toMatchObject([
        { state: 'failed', problem: expect.stringMatching(/5 times/) },
      ])
      expect((await one.library.collections.status()).documents).toBe(0)
    }))

  it('waits while somebody else indexes the same collection', () =>
    withTwo(5, async (one, other) => {
      await one.background.start({ names: ['docs'] })
      let working: Promise<unknown> | undefined
      await other.library.port.index.of('docs').exclusively(0, async () => {
        working = indexInBackground(one.library, taskOf(new AbortController().signal))
        await sleep(300)
        expect(await stateOf(one)).toBe('running')
      })
      await working
      expect(await stateOf(one)).toBe('done')
    }))

  it('answers a caller that waits as indexing in its process does', () =>
    withTwo(20, async (one, other) => {
      using gone = tree({ 'gone/a.md': 'a' })
      await one.library.collections.add({ name: 'gone', root: gone.at('gone') })
      const missing = expect.stringMatching(/gone/)
      const events: unknown[] = []
      const index = (names?: readonly string[], signal?: AbortSignal) => {
        const run = { emit: (event: unknown) => events.push(event), ...(signal && { signal }) }
        return indexByWorkers(one.library, { names, force: true }, { owner: 'alice', run })
      }
      gone[Symbol.dispose]()
      work(other)
      expect(await index()).toMatchObject({
        added: 20,
        collections: [
          { name: 'docs', added: 20 },
          { name: 'gone', added: 0, problem: missing },
        ],
      })
      expect(events).toContainEqual({ type: 'progress', what: 'docs', done: 20, total: 20 })
      expect(await index(['docs'])).toMatchObject({ added: 0, unchanged: 20 })
      await expect(index(['gone'])).rejects.toMatchObject({ code: 'not-found', message: missing })
      await expect(index(['none'])).rejects.toMatchObject({ code: 'not-found' })
      await expect(index(['docs'], AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' })
      expect(await stateOf(one)).toMatch(/stopped|done/)
    }))

  it('is requested again for a caller that waits, when somebody stops it', () =>
    withTwo(1, async (one, other) => {
      const indexing = indexByWorkers(one.library, {}, { owner: 'alice', run: SILENT })
      await expect.poll(() => stateOf(other)).toBe('queued')
      await other.background.stop(['docs'])
      work(other)
      expect(await indexing).toMatchObject({ added: 1 })
    }))

  it('is done for every collection, also where that of one fails, and then the caller hears of it', () =>
    withTwo(1, async (one, other) => {
      const { collections, port } = one.library
      const { root } = await collections.show('docs')
      for (const name of 'abcdefghij') await collections.add({ name, root })
      const indexing = indexByWorkers(one.library, {}, { owner: 'alice', run: SILENT })
      const failing = expect(indexing).rejects.toMatchObject({ code: 'unavailable', message: 'It broke.' })
      await expect.poll(() => one.background.list()).toHaveLength(8)
      const job = await port.indexJobs.begin('a')
      await port.indexJobs.end(job ?? { collection: 'a', attempts: 1 }, { state: 'failed', problem: 'It broke.' })
      work(other)
      await failing
      const states = (await one.background.list()).map(({ state }) => state)
      expect(states).toEqual(['failed', ...Array.from({ length: 10 }, () => 'done')])
    }))

  it.each([
    [4, { state: 'done', attempts: 5 }],
    [5, { state: 'failed', problem: 'The server ended 5 times while it indexed this.' }],
  ])('is given up where its process ended five times: after %i', (times, outcome) =>
    withTwo(1, async ({ background, library }) => {
      await background.start({ names: ['docs'] })
      for (let time = 0; time < times; time++) await library.port.indexJobs.begin('docs')
      await indexInBackground(library, taskOf(new AbortController().signal))
      expect(await background.list()).toMatchObject([outcome])
    }),
  )

  it('says that there is no such collection, and names ten', () =>
    withTwo(1, async ({ background, library: { collections, port } }) => {
      const { root } = await collections.show('docs')
      for (const name of 'abcdefghi') await collections.add({ name, root })
      const hinted = () => port.documents.ids('none').catch(({ hint }) => hint)
      expect(await hinted()).toMatch(/: a, b, .*, h, i\.$/)
      await collections.add({ name: 'j', root })
      expect(await hinted()).toMatch(/: a, b, .*, h, i …\.$/)
      await expect(background.start({ names: ['none'] })).rejects.toMatchObject({ code: 'not-found' })
      await expect(background.stop(['none'])).rejects.toMatchObject({ code: 'not-found' })
      expect(await background.list()).toEqual([])
    }))
})
