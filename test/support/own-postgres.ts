import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asked } from './postgres.ts'
import { startServer, stopServer } from './postgres-server.ts'

/** Little memory, as for a server of a few. */
const SMALL = ['shared_buffers=32MB']

/** As Debian sets it up. */
export const AS_DEBIAN = ['shared_buffers=128MB']

/** Tries to start it again: what is left of the one that was killed may hold its memory for a moment. */
const TRIES = 120

/** A server of PostgreSQL that may be killed, and that keeps what it says it keeps: nothing makes it quick and forgetful. */
export class OwnPostgres implements AsyncDisposable {
  readonly #place: string
  readonly #url: string
  readonly #settings: readonly string[]

  private constructor(place: string, url: string, settings: readonly string[]) {
    this.#place = place
    this.#url = url
    this.#settings = settings
  }

  static async start(settings = SMALL): Promise<OwnPostgres> {
    const place = mkdtempSync(join(tmpdir(), 'ambit-postgres-'))
    // The server runs as another user.
    chmodSync(place, 0o711)
    return new OwnPostgres(place, await startServer(join(place, 'server'), settings), settings)
  }

  /** A new, empty database. */
  async database(): Promise<string> {
    const name = `ambit_${randomUUID().replaceAll('-', '')}`
    await asked(this.#url, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`))
    return Object.assign(new URL(this.#url), { pathname: `/${name}` }).href
  }

  /** Kills the postmaster as the system does when memory is short: nothing is told, nothing is written. */
  kill(): void {
    const file = join(this.#place, 'server', 'data', 'postmaster.pid')
    process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL')
  }

  /** Starts it again where it was. */
  async startAgain(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await startServer(join(this.#place, 'server'), this.#settings, { port: Number(new URL(this.#url).port) })
        return
      } catch (error) {
        if (tries === TRIES) throw error
        await sleep(500)
      }
    }
  }

  /** Ends all connections of the product; gives how many. */
  async cut(database: string): Promise<number> {
    const select =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ambit' AND datname = current_database()"
    return asked(database, async (client) => (await client.query(select)).rowCount ?? 0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await stopServer(join(this.#place, 'server'))
    rmSync(this.#place, { recursive: true, force: true })
  }
}
