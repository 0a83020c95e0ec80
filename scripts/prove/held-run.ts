/** Who has a run of research, as it stands in the database: what several processes tell each other. */

import pg from 'pg'
import type { RunStore } from '../../src/stores/run-store.ts'
import { engineAt } from './writes.ts'

const LOOK = `
  SELECT s.status, l.holder, (SELECT coalesce(max(e.seq), 0)::int FROM ambit.research_events e WHERE e.session = s.id) AS last
  FROM ambit.research_sessions s
  LEFT JOIN ambit.leases l ON l.name = 'research ' || s.id
  WHERE s.id = $1`

/** At one moment. */
export interface Seen {
  readonly isOver: boolean
  /** The number of the last event. */
  readonly last: number
  /** The process that has its lease, and the machine that this says it is on; `id` is of the lease. */
  readonly holder: { readonly id: string; readonly pid: number; readonly host: string } | undefined
}

export class HeldRuns implements AsyncDisposable {
  readonly #pool: pg.Pool
  readonly #engine: ReturnType<typeof engineAt>
  readonly #runs: RunStore

  private constructor(pool: pg.Pool, engine: ReturnType<typeof engineAt>, runs: RunStore) {
    this.#pool = pool
    this.#engine = engine
    this.#runs = runs
  }

  static async in(db: string): Promise<HeldRuns> {
    const engine = engineAt({ db })
    const { port } = await engine.library()
    return new HeldRuns(new pg.Pool({ connectionString: db }), engine, port.runs)
  }

  async look(id: string): Promise<Seen> {
    const { status, holder, last } = (await this.#pool.query(LOOK, [id])).rows[0]
    return {
      isOver: status === 'completed',
      last,
      holder: holder === null ? undefined : JSON.parse(holder),
    }
  }

  /** The types of the events after one. */
  async typesAfter(id: string, last: number): Promise<string[]> {
    return (await this.#runs.records(id, last, 100)).map(({ data }) => String(JSON.parse(data).type))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#pool.end(), this.#engine.close()])
  }
}
