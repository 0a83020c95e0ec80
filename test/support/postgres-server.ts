/** Servers of PostgreSQL for tests: Debian's programs, in a directory of their own. */

import { execFile } from 'node:child_process'
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { lacksNobody } from './nobody.ts'

const run = promisify(execFile)

/** Why there is no PostgreSQL to test with; undefined where there is one. */
export function lacksPostgres(): string | undefined {
  if (process.env.AMBIT_TEST_DATABASE_URL) return undefined
  if (!programs()) return 'no PostgreSQL: install the Debian package "postgresql", or set AMBIT_TEST_DATABASE_URL'
  if (process.getuid?.() === 0 && !postgresUser())
    return 'PostgreSQL does not run as root, and there is no user "postgres"'
  return lacksNobody()
}

/** Where the newest version that Debian has installed keeps its programs. */
function programs(): string | undefined {
  const versions = globSync('/usr/lib/postgresql/*/bin/postgres').map((path) => path.split('/')[4] ?? '')
  const newest = versions.sort((one, two) => Number(two) - Number(one))[0]
  return newest === undefined ? undefined : `/usr/lib/postgresql/${newest}/bin`
}

export function postgresUser(): { readonly uid: number; readonly gid: number } | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/** The command as a user that PostgreSQL runs as. */
export function asPostgres(command: readonly string[]): [string, string[]] {
  const user = process.getuid?.() === 0 ? postgresUser() : undefined
  const [program = '', ...args] = command
  if (!user) return [program, args]
  return ['setpriv', [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', program, ...args]]
}

/** `under`: the words of a command that runs it. */
async function ran(command: readonly string[], under: readonly string[] = []): Promise<void> {
  const [program, args] = asPostgres(command)
  const [first = '', ...rest] = [...under, program, ...args]
  await run(first, rest, { cwd: '/', env: { ...process.env, LC_ALL: 'C' } })
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' && address ? address.port : 0
}

/** Of the server's own settings: what is lost with the machine need not be kept. */
const SETTINGS = 'fsync=off synchronous_commit=off full_page_writes=off max_connections=200 shared_buffers=64MB'.split(
  ' ',
)

export interface Started {
  /** Default: a free one. */
  readonly port?: number
  /** The words of a command that runs it. */
  readonly under?: readonly string[]
}

/** A server in a directory that need not be there yet. It listens on loopback only, and trusts nobody without the password. */
export async function startServer(
  directory: string,
  settings: readonly string[] = SETTINGS,
  { port: given, under }: Started = {},
): Promise<string> {
  const bin = programs() ?? ''
  mkdirSync(directory, { recursive: true })
  const user = process.getuid?.() === 0 ? postgresUser() : undefined
  if (user) chownSync(directory, user.uid, user.gid)
  chmodSync(directory, 0o700)
  const [data, secret] = [join(directory, 'data'), join(directory, 'secret')]
  if (!existsSync(data)) {
    writeFileSync(secret, 'tested', { mode: 0o600 })
    if (user) chownSync(secret, user.uid, user.gid)
    const locale = ['--locale=C', '--encoding=UTF8', '--no-sync']
    const login = ['-U', 'tester', '-A', 'scram-sha-256', `--pwfile=${secret}`]
    await ran([join(bin, 'initdb'), '-D', data, ...login, ...locale])
  }
  const port = given ?? (await freePort())
  const options = [`-p ${port}`, '-h 127.0.0.1', `-k ${directory}`, ...settings.map((one) => `-c ${one}`)].join(' ')
  const start = ['-D', data, '-w', '-t', '60', '-l', join(directory, 'log'), '-o', options, 'start']
  await ran([join(bin, 'pg_ctl'), ...start], under)
  return `postgres://tester:tested@127.0.0.1:${port}/postgres`
}

export async function stopServer(directory: string, mode: 'fast' | 'immediate' = 'immediate'): Promise<void> {
  if (!existsSync(join(directory, 'data', 'postmaster.pid'))) return
  await ran([join(programs() ?? '', 'pg_ctl'), '-D', join(directory, 'data'), '-w', '-m', mode, 'stop'])
}
