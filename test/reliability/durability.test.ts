/** What is on the disk when something was said to be kept: the calls of the system, as they were made. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/stores/sqlite/database.ts'
import { SqliteConnection } from '../../src/stores/sqlite/sql.ts'
import { tree } from '../support/tree.ts'

const PROGRAM = join(import.meta.dirname, 'durability.ts')
const CALLS = 'openat,write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,link,linkat'

/** Why no process can be traced here. */
function lacksTracer(): string | undefined {
  if (process.platform !== 'linux') return 'only Linux has strace'
  const { error, status } = spawnSync('strace', ['-f', '-qq', '-e', 'trace=fsync', 'true'])
  if (error) return 'there is no strace: install the Debian package of this name'
  return status === 0 ? undefined : 'no process may be traced'
}

/** The calls of each step, in order, with the paths of their descriptors: `fsync(21</tmp/a>) = 0`. */
function tracedSteps(): ReadonlyMap<string, readonly string[]> {
  using at = tree({ 'read.md': 'text\n' })
  const log = at.at('calls')
  const tracer = ['-f', '-y', '-qq', '-s', '200', '-o', log, '-e', `trace=${CALLS}`]
  const { status, stderr } = spawnSync('strace', [...tracer, process.execPath, PROGRAM, at.base], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const steps = new Map<string, string[]>()
  let current: string[] | undefined
  for (const line of wholeCalls(readFileSync(log, 'utf8').replaceAll(at.base, ''))) {
    const [, word, name = ''] = /^write\(1<.*?>, "(begin|done) (.+?)\\n"/.exec(line) ?? []
    if (word === 'begin') {
      current = []
      steps.set(name, current)
    } else if (word === 'done') current = undefined
    else current?.push(line)
  }
  return steps
}

/** A call that another thread interrupted is on two lines: it has happened where it ends. */
function wholeCalls(log: string): string[] {
  const begun = new Map<string, string>()
  return log.split('\n').flatMap((line) => {
    const [, pid = '', call = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (call.endsWith(' <unfinished ...>')) {
      begun.set(pid, call.replace(' <unfinished ...>', ''))
      return []
    }
    const [, rest] = /^<\.\.\. \w+ resumed>(.*)$/.exec(call) ?? []
    return [rest === undefined ? call : `${begun.get(pid) ?? ''}${rest}`]
  })
}

const lacking = lacksTracer()

describe.skipIf(lacking !== undefined)(`on the disk${lacking === undefined ? '' : ` (skipped: ${lacking})`}`, () => {
  let steps: ReadonlyMap<string, readonly string[]>
  beforeAll(() => {
    steps = tracedSteps()
  })

  const callsOf = (step: string) => steps.get(step) ?? []
  const indexOf = (step: string, call: RegExp) => callsOf(step).findIndex((line) => call.test(line))
  const synced = (step: string) => callsOf(step).filter((line) => /^f(data)?sync\(.*= 0$/.test(line))

  it('is an object before it has its name, and its name before it is said to be kept', () => {
    const written = indexOf('object', /^f(data)?sync\(\d+<\/objects\/uploads\/ab\/\.ambit-put-[^>]*>\) += 0/)
    const linked = indexOf('object', /^(link|rename)/)
    const named = callsOf('object').findLastIndex((line) =>
      /^f(data)?sync\(\d+<\/objects\/uploads\/ab>\) += 0/.test(line),
    )
    expect([written >= 0, linked > written, named > linked]).toEqual([true, true, true])
  })

  it.each(['/objects/uploads', '/objects', ''])(
    'is the name of each directory that was made for it, in %s',
    (directory) => {
      expect(synced('object').filter((line) => line.includes(`<${directory}>`))).not.toEqual([])
    },
  )

  it('is each entry of the journal of a run', () => {
    const written = callsOf('journal').findLastIndex((line) => /^pwrite64\(\d+<\/ambit\.db-wal>/.test(line))
    const kept = callsOf('journal').findLastIndex((line) => /^f(data)?sync\(\d+<\/ambit\.db-wal>\) += 0/.test(line))
    expect([written >= 0, kept > written]).toEqual([true, true])
  })

  it('is what else the store writes once its log is taken over, and not before', () => {
    expect([synced('context'), synced('context again')]).toEqual([[], []])
    expect(indexOf('context again', /^pwrite64\(\d+<\/ambit\.db-wal>/)).toBeGreaterThanOrEqual(0)
    expect(synced('close').map((line) => /<(.*)>/.exec(line)?.[1])).toEqual(['/ambit.db-wal', '/ambit.db'])
  })

  it('is opened so that a pipe in its place keeps nobody waiting', () => {
    const opened = callsOf('read').filter((line) => line.includes('/read.md"'))
    expect(opened).toHaveLength(1)
    expect(opened[0]).toMatch(/O_NONBLOCK/)
  })
})

describe('a database', () => {
  const level = (connection: SqliteConnection) =>
    connection.ask({ kind: 'row', text: 'PRAGMA synchronous', values: [] })

  it('waits for the disk at checkpoints, and in a durable write at its end', () => {
    using at = tree({})
    const connection = new SqliteConnection(openDatabase(at.at('a.db')), at.at('a.db'))
    expect(level(connection)).toEqual({ synchronous: 1 })
    expect(connection.write(() => level(connection), true)).toEqual({ synchronous: 2 })
    expect(level(connection)).toEqual({ synchronous: 1 })
    const fail = () => connection.write(() => Promise.reject(connection.run('no SQL')), true)
    expect(fail).toThrow()
    expect(level(connection)).toEqual({ synchronous: 1 })
    connection.close()
  })
})
