import { SILENT } from '../../src/core/flow.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Table } from '../harness.ts'
import { madeCorpus } from '../search/cache.ts'
import { byWorkers, PEAK, secondsOf } from './workers.ts'

/** Collections that are indexed at once, and files of each: workers share them out. */
const COLLECTIONS = 8
const FILES = 2000

/** Files that are indexed in a second, in collections that one request names. */
export async function indexingFigures(): Promise<Table> {
  const { dir, files, bytes } = madeCorpus(FILES)
  const rows = await byWorkers(async ({ engine, workers }) => {
    await added(engine, dir, ['before'])
    // Once before, so that all is loaded; with many workers, in some of them.
    for (let worker = 0; worker < workers; worker++) await indexed(engine, ['before'])
    const names = Array.from({ length: COLLECTIONS }, (_, at) => `docs${at}`)
    await added(engine, dir, names)
    const seconds = await secondsOf(() => indexed(engine, names))
    return [((COLLECTIONS * files) / seconds).toFixed(0), seconds.toFixed(1)]
  })
  const title = `${COLLECTIONS} collections of ${files} files, ${Math.round((COLLECTIONS * bytes) / 1e6)} MB in all, indexed by workers`
  return { title, columns: ['', 'files/s', 's', PEAK], rows }
}

async function added(engine: Engine, root: string, names: readonly string[]): Promise<void> {
  const { collections } = await engine.library()
  for (const name of names) await collections.add({ name, root })
}

async function indexed(engine: Engine, names: readonly string[]): Promise<void> {
  const { collections, failed } = await engine.index({ names }, SILENT)
  const problem = collections.find((one) => one.problem !== undefined)
  if (failed > 0 || problem) throw new Error(`It could not be indexed: ${problem?.problem ?? failed}`)
}
