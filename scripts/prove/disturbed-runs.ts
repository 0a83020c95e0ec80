/** Runs of research by servers that live on, whatever becomes of their database. */

import { setTimeout as sleep } from 'node:timers/promises'
import { Team } from '../../test/stores/jobs/team.ts'
import type { OwnPostgres } from '../../test/support/own-postgres.ts'
import { type Tree, tree } from '../../test/support/tree.ts'
import type { Proving } from './proving.ts'
import { type Ended, expectSame, newSession } from './research.ts'

/** Within so many events more a run is disturbed again. */
const APART = 20

/** Beyond which a run comes to nothing any more. Milliseconds. */
const NEVER = 180_000

interface Under {
  readonly id: string
  readonly heard: { readonly types: readonly string[] }
  readonly done: Promise<void>
}

/** An API process and a worker, which have one run after the other. */
export class DisturbedRuns implements AsyncDisposable {
  readonly #proving: Proving
  readonly #expected: Ended
  readonly #files: Tree
  readonly #db: string
  readonly #team: Team
  #run: Under | undefined

  private constructor(given: { proving: Proving; expected: Ended; files: Tree; db: string; team: Team }) {
    this.#proving = given.proving
    this.#expected = given.expected
    this.#files = given.files
    this.#db = given.db
    this.#team = given.team
  }

  static async on(server: OwnPostgres, proving: Proving, expected: Ended): Promise<DisturbedRuns> {
    const [db, files] = [await server.database(), tree({})]
    const team = await Team.of(1, 1, { cwd: files.base, database: db, heartbeat: 'default' })
    return new DisturbedRuns({ proving, expected, files, db, team })
  }

  /** Waits for some moment within a run. */
  async within(random: () => number): Promise<void> {
    for (;;) {
      this.#run ??= await this.#begun()
      const { types } = this.#run.heard
      const next = types.length + 1 + Math.floor(random() * APART)
      for (const until = Date.now() + NEVER; types.length < next && !isOver(types) && Date.now() < until; )
        await sleep(5)
      await sleep(random() * 40)
      if (types.length >= next && !isOver(types)) return
      await this.ended()
    }
  }

  /** What was begun comes to the end of one that nobody disturbed. */
  async ended(): Promise<void> {
    if (!this.#run) return
    const { id, done, heard } = this.#run
    this.#run = undefined
    await Promise.race([done, sleep(NEVER, undefined, { ref: false })])
    if (isOver(heard.types)) await expectSame({ db: this.#db, id }, this.#expected, this.#proving)
    else
      this.#proving.lose(
        `A run has not come to its end: ${JSON.stringify(await this.#team.ask(`/api/sessions/${id}`))}`,
      )
  }

  async #begun(): Promise<Under> {
    const id = await newSession(this.#db)
    const { heard, done } = this.#team.follow(id)
    await this.#team.post(`/api/sessions/${id}/start`)
    return { id, heard, done }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#team[Symbol.asyncDispose]()
    this.#files[Symbol.dispose]()
  }
}

function isOver(types: readonly string[]): boolean {
  return types.at(-1) === 'run_completed'
}
