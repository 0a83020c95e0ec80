import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canMount } from '../reliability/small-disk.ts'
import { asked } from './postgres.ts'
import { lacksPostgres, postgresUser, startServer, stopServer } from './postgres-server.ts'

/** Why there is no server whose disk may be filled; undefined where there is one. */
export function lacksSmallSpace(): string | undefined {
  if (process.env.AMBIT_TEST_DATABASE_URL) return 'the disk of the server at AMBIT_TEST_DATABASE_URL is left alone'
  return lacksPostgres() ?? (canMount() ? undefined : 'no disk may be mounted here')
}

/** The whole disk; an empty database takes 8 MiB of it. */
const MEGABYTES = 48

/**
 * A server of PostgreSQL with a database whose tables lie on a small disk of their own, which may be filled and emptied. Its log
 * lies elsewhere, since a server that cannot write that ends itself. The disk is seen by the server alone, and gone with it.
 */
export class SmallSpace implements AsyncDisposable {
  /** Of the database. */
  readonly url: string
  readonly #place: string
  readonly #ballast: string
  readonly #end: () => Promise<void>

  private constructor(parts: { url: string; place: string; ballast: string; end: () => Promise<void> }) {
    this.url = parts.url
    this.#place = parts.place
    this.#ballast = parts.ballast
    this.#end = parts.end
  }

  static async start(): Promise<SmallSpace> {
    const place = mkdtempSync(join(tmpdir(), 'ambit-postgres-'))
    // The server runs as another user.
    chmodSync(place, 0o711)
    const space = join(place, 'space')
    mkdirSync(space)
    const { uid = process.getuid?.(), gid = process.getgid?.() } = postgresUser() ?? {}
    const mount = `mount -t tmpfs -o size=${MEGABYTES}m,uid=${uid},gid=${gid},mode=0700 tmpfs ${space}`
    const keeper = spawn('unshare', ['--mount', 'sh', '-c', `${mount} && echo mounted && exec cat`])
    await once(keeper.stdout, 'data')
    const under = ['nsenter', '--target', String(keeper.pid), '--mount']
    const server = await startServer(join(place, 'server'), ['shared_buffers=16MB'], { under })
    await asked(server, async (client) => {
      await client.query(`CREATE TABLESPACE small LOCATION '${space}'`)
      await client.query("CREATE DATABASE small TEMPLATE template0 ENCODING 'UTF8' TABLESPACE small")
    })
    const end = async () => {
      await stopServer(join(place, 'server'))
      keeper.stdin.end()
      await once(keeper, 'exit')
    }
    const url = Object.assign(new URL(server), { pathname: '/small' }).href
    return new SmallSpace({ url, place, end, ballast: `/proc/${keeper.pid}/root${join(space, 'ballast')}` })
  }

  /** Leaves no room at all. */
  fill(): void {
    const file = openSync(this.#ballast, 'a')
    try {
      for (let size = 2 ** 20; size >= 1; ) {
        try {
          writeSync(file, Buffer.alloc(size))
        } catch (error) {
          if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOSPC') throw error
          size = Math.floor(size / 4)
        }
      }
    } finally {
      closeSync(file)
    }
  }

  /** Makes room. */
  empty(): void {
    rmSync(this.#ballast, { force: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
    rmSync(this.#place, { recursive: true, force: true })
  }
}
