import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { asPostgres, freePort, lacksPostgres, postgresUser } from './postgres-server.ts'

const PROGRAM = '/usr/sbin/pgbouncer'

/** Why there is no pooler to test with; undefined where there is one. */
export function lacksPooler(): string | undefined {
  return lacksPostgres() ?? (existsSync(PROGRAM) ? undefined : 'no PgBouncer: install the Debian package "pgbouncer"')
}

/** PgBouncer before a database, set up as it is by default: settings at the start of a connection are refused. */
export class Pooler implements AsyncDisposable {
  /** Of the database, by way of the pooler. */
  readonly url: string
  readonly #place: string
  readonly #process: ChildProcess

  private constructor(url: string, place: string, process: ChildProcess) {
    this.url = url
    this.#place = place
    this.#process = process
  }

  static async before(database: string, mode: 'session' | 'transaction'): Promise<Pooler> {
    const place = mkdtempSync(join(tmpdir(), 'ambit-pooler-'))
    const port = await freePort()
    const settings = join(place, 'pgbouncer.ini')
    writeFileSync(settings, settingsFor(new URL(database), mode, port))
    const user = process.getuid?.() === 0 ? postgresUser() : undefined
    chmodSync(place, 0o700)
    for (const path of user ? [place, settings] : []) chownSync(path, user?.uid ?? 0, user?.gid ?? 0)
    const [program, args] = asPostgres([PROGRAM, '-q', settings])
    const child = spawn(program, args, { stdio: 'ignore' })
    const pooler = new Pooler(Object.assign(new URL(database), { port }).href, place, child)
    await pooler.#answers()
    return pooler
  }

  async #answers(): Promise<void> {
    for (let tries = 1; ; tries++) {
      const client = new pg.Client({ connectionString: this.url })
      try {
        await client.connect()
        return
      } catch (error) {
        if (tries === 600) throw error
        await sleep(50)
      } finally {
        await client.end().catch(() => {})
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGKILL')
    rmSync(this.#place, { recursive: true, force: true })
  }
}

function settingsFor({ hostname, port, username, password }: URL, mode: string, own: number): string {
  return `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`
}
