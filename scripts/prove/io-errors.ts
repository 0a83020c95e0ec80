import { spawnSync } from 'node:child_process'
import { readFileSync, realpathSync, rmSync } from 'node:fs'
import { tree } from '../../test/support/tree.ts'
import { type Account, checkContent, expectLikeFresh, isIntact } from './kills.ts'
import { Child, type Part, type Proving } from './proving.ts'
import { prepareStore, type StoreLocation } from './writes.ts'

/** System calls that change files. */
const CALLS = 'pwrite64,write,fsync,fdatasync,ftruncate,rename,unlink'

const ERRORS = ['EIO', 'ENOSPC'] as const

/**
 * Every `STEP`th call of a process fails. Each of `STEP` processes begins one call later than the process before, so
 * that each call fails once.
 */
const STEP = 31

/** Number of processes whose disk fails for good. */
const FOR_GOOD = 4

/** Number of processes on one database, and of writes of one process. About ten of the writes are refused. */
const EACH = STEP + FOR_GOOD
const WRITES = 32

/** Number of processes. */
const ROUNDS = { ci: 4, quick: EACH, full: 10 * EACH }

export const ioErrors: Part = {
  name: 'io-errors',
  claim:
    'a write, sync, cut or removal of a file of SQLite that fails, at any place, is told: no acknowledged write is lost, nothing is damaged, and the same process goes on',
  lacks: () => lacksTracer(),
  async prove(proving) {
    const count = proving.amount(ROUNDS)
    await proving.rounds('databases', Math.ceil(count / EACH), (random, index) =>
      oneDatabase({ first: index * EACH, end: Math.min(count, (index + 1) * EACH) }, proving, random),
    )
    if (proving.counted('calls that failed') === 0) proving.lose('No call failed: nothing was tried')
  },
}

/** Why no process can be traced here; undefined if strace works. */
function lacksTracer(): string | undefined {
  if (process.platform !== 'linux') return 'only Linux has strace'
  const { error, status, stderr } = spawnSync('strace', [...TRACED, '-e', 'inject=fsync:error=EIO:when=1', 'true'], {
    encoding: 'utf8',
  })
  if (error) return 'no strace: install the Debian package "strace"'
  return status === 0 ? undefined : `no process may be traced: ${stderr.trim().split('\n').at(-1)}`
}

/** Options of strace: follow child processes without messages about them, and stop only at the named calls. */
const TRACED = ['-f', '--seccomp-bpf', '-qq', '-e', 'trace=fsync']

interface RoundRange {
  readonly first: number
  readonly end: number
}

async function oneDatabase({ first, end }: RoundRange, proving: Proving, random: () => number): Promise<void> {
  using files = tree({})
  const where = { db: files.at('ambit.db'), files: files.at('docs') }
  const account: Account = { acknowledged: [], next: 0 }
  await prepareStore(where)
  for (let round = first; round < end; round++) {
    await oneProcess({ where, account, fault: faultOf(round, random), log: files.at('calls') }, proving)
    if (!isIntact(where.db, proving)) return
    await checkContent(where, account, proving)
  }
  await expectLikeFresh(where, account, proving)
}

/** Which calls fail, in the syntax of strace, and with which error. */
interface Fault {
  readonly when: string
  readonly error: string
  readonly isForGood: boolean
}

function faultOf(round: number, random: () => number): Fault {
  const [sweep, at] = [Math.floor(round / EACH), round % EACH]
  const error = ERRORS[(sweep + at) % ERRORS.length] ?? 'EIO'
  const isForGood = at >= STEP
  return { when: isForGood ? `${1 + Math.floor(random() * 200)}+` : `${1 + at}+${STEP}`, error, isForGood }
}

interface WriterProcess {
  readonly where: StoreLocation
  readonly account: Account
  readonly fault: Fault
  /** The file for the trace of the calls. */
  readonly log: string
}

async function oneProcess({ where, account, fault, log }: WriterProcess, proving: Proving): Promise<void> {
  const db = realpathSync(where.db)
  const paths = [db, `${db}-wal`, `${db}-shm`, `${db}-journal`].flatMap((path) => ['-P', path])
  const { when, error, isForGood } = fault
  const tracer = ['strace', '-f', '--seccomp-bpf', '-qq', '-o', log, ...paths, '-e', `trace=${CALLS}`]
  const command = [...tracer, '-e', `inject=${CALLS}:error=${error}:when=${when}`]
  const writer = new Child({ name: 'writer', under: command }, where, account.next, WRITES, { isStubborn: true })
  countLines(account, await writer.ended(), proving)
  proving.same(`a writer whose calls fail with ${error} at ${when}`, writer.process.exitCode, 0)
  const failed = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('(INJECTED)')).length
  rmSync(log)
  proving.add('processes')
  if (!isForGood) proving.add('calls that failed', failed)
  else if (failed > 0) proving.add('disks that failed for good')
}

/** Counts the lines of a writer that continues after refused writes. */
function countLines(account: Account, lines: readonly string[], proving: Proving): void {
  for (const line of lines) {
    const [word, number] = line.split(' ')
    if (word === 'begun') account.next = Math.max(account.next, Number(number) + 1)
    else if (word === 'kept') {
      account.acknowledged.push(Number(number))
      proving.add('writes acknowledged')
    } else if (/^refused \d+ unavailable: The (disk|database) .*\. [A-Z]/.test(line)) proving.add('writes refused')
    else if (word !== 'end') proving.lose(`The writer printed: ${line}`)
  }
  if (lines.at(-1) !== 'end') proving.lose(`The writer ended with: ${lines.at(-1)}`)
}
