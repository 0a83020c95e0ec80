import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../../src/engine/engine.ts'
import type { Table } from '../harness.ts'
import { byWorkers, JOBS, PEAK, secondsOf } from './workers.ts'

/** Runs that are measured each time, and what each worker does before, so that all is loaded. */
const RUNS = 40
const BEFORE = 2
/** They belong to so many, since of one only eight go on at once. */
const OWNERS = 8

const FILES: Readonly<Record<string, string>> = {
  'ferry.md': '# Ferry\n\nA single ticket costs 4.50 euros.\nIn winter the last boat leaves at 19:40.\n',
  'harbour.md': '# Harbour\n\nThe crane of the harbour lifts 40 tons.\nA single ticket costs 5 euros at the harbour.\n',
  'crew.md': '# Crew\n\nThe captain of the ferry is Ada Holm.\nThe crew is four people in winter.\n',
}
const QUESTION =
  'How much is a single ticket, when does the last boat leave in winter, and who is the captain of the ferry?'

/** Runs of research that are finished in a minute. */
export async function runFigures(): Promise<Table> {
  const rows = await byWorkers(async ({ engine, workers }) => {
    await finished(engine, await prepared(engine, workers * BEFORE * JOBS))
    const runs = await prepared(engine, RUNS)
    const seconds = await secondsOf(() => finished(engine, runs))
    return [((RUNS * 60) / seconds).toFixed(0), seconds.toFixed(1)]
  })
  const title = `${RUNS} extractive runs with 3 files each, by workers that do ${JOBS} at once`
  return { title, columns: ['', 'runs/minute', 's', PEAK], rows }
}

interface Run {
  readonly owner: string
  readonly id: string
}

const researchOf = (engine: Engine, owner: string) => engine.as({ name: owner, scopes: ['research'] }).research()

async function prepared(engine: Engine, count: number): Promise<Run[]> {
  const runs: Run[] = []
  for (let run = 0; run < count; run++) {
    const owner = `owner ${run % OWNERS}`
    const research = await researchOf(engine, owner)
    const { session_id: id } = await research.create({ question: QUESTION, extractive: true })
    for (const [name, text] of Object.entries(FILES)) {
      await research.addFile(id, { name, type: 'text/markdown', bytes: new TextEncoder().encode(text) })
    }
    runs.push({ owner, id })
  }
  return runs
}

async function finished(engine: Engine, runs: readonly Run[]): Promise<void> {
  for (const { owner, id } of runs) await (await researchOf(engine, owner)).start(id)
  for (const { owner, id } of runs) {
    const { runs: store } = (await engine.as({ name: owner, scopes: ['research'] }).library()).port
    while ((await store.get(id))?.status !== 'completed') await sleep(20)
  }
}
