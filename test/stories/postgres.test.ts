/** One program on a PostgreSQL database, as a person and as many processes use it. */

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Databases, databases, withPostgres } from '../support/postgres.ts'
import { ambit, ambitInTurn, BIN, type Finished, SHARED_ENV } from '../support/program.ts'
import { type Tree, tree } from '../support/tree.ts'

let made: Databases
let at: Tree
let url: string

withPostgres('ambit with AMBIT_DATABASE_URL', () => {
  beforeAll(async () => {
    made = await databases()
    url = await made.create()
    at = tree({ 'docs/lion.md': '# Lions\n\nA lion lives here.\n', 'docs/zebra.md': '# Zebras\n\nA zebra runs.\n' })
  })
  afterAll(async () => {
    await made.drop()
    at[Symbol.dispose]()
  })
  /** What is said to lines, as `ambit LINE`. */
  const run = (...lines: readonly string[]) => {
    const words = lines.map((line) => line.split(' '))
    const told = ambitInTurn(words, { cwd: at.base, env: { AMBIT_DATABASE_URL: url } })
    expect(JSON.stringify(told)).not.toContain(new URL(url).password)
    return told
  }
  const json = (told: Finished | undefined) => JSON.parse(told?.stdout ?? '')

  it('makes, fills, asks and tells of the database', () => {
    const [made, again, , index, , found, status, doctor, own] = run(
      'migrate --json',
      'migrate --json',
      'collection add docs docs',
      'index',
      'context add docs Animals',
      'search lion --json',
      'status --json',
      'doctor --json',
      '--db own.db status --json',
    )
    expect(json(made)).toMatchObject({ from: 0, to: expect.any(Number) })
    const { name, from, to } = json(again)
    expect(from).toBe(to)
    expect(index?.status).toBe(0)
    expect(json(found).results).toMatchObject([{ path: 'lion.md', context: 'Animals' }])
    expect(json(status)).toMatchObject({ database: name, documents: 2 })
    const check = json(doctor).checks.find((one: { name: string }) => one.name === 'database')
    expect(check).toMatchObject({ status: 'ok', message: expect.stringContaining(`PostgreSQL: ${name}`) })
    // A file in the place of it, where --db says so.
    expect(json(own)).toMatchObject({ database: at.at('own.db'), documents: 0 })
  })

  it('goes to a file and back', () => {
    const [, twice, moved, there, here, refused, replaced, back] = run(
      'export all.jsonl.gz',
      'export all.jsonl.gz',
      '--db moved.db import all.jsonl.gz',
      '--db moved.db search lion --json',
      'search lion --json',
      'import all.jsonl.gz',
      'import all.jsonl.gz --replace',
      'search zebra --json',
    )
    expect(twice).toMatchObject({ status: 1, stdout: '' })
    expect([moved?.status, replaced?.status]).toEqual([0, 0])
    expect(json(there)).toEqual(json(here))
    expect(refused?.stderr).toContain('--replace')
    expect(json(back).results).toHaveLength(1)
    expect(readFileSync(at.at('all.jsonl.gz')).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
  })

  it('is not made anew by rebuild, which is for files', () => {
    const [rebuilt, found] = run('rebuild', 'search lion --json')
    expect(rebuilt).toMatchObject({ status: 1, stderr: expect.stringContaining('PostgreSQL') })
    expect(json(found).results).toHaveLength(1)
  })

  it('is used by many processes at once', async () => {
    const env = { ...SHARED_ENV, HOME: at.base, AMBIT_DATABASE_URL: await made.create() }
    const words = (number: number) => [BIN, 'collection', 'add', `c${number}`, 'docs', '--json']
    const ended = await Promise.all(
      Array.from({ length: 8 }, (_, number) => {
        const child = spawn(process.execPath, words(number), { cwd: at.base, env, stdio: 'ignore' })
        return new Promise((done) => child.once('exit', done))
      }),
    )
    expect(ended).toEqual(Array.from({ length: 8 }, () => 0))
    const listed = ambit(['collection', 'list', '--json'], { cwd: at.base, env })
    expect(JSON.parse(listed.stdout).collections).toHaveLength(8)
  })

  it('keeps a whole index, wherever a process that indexes is killed', { tags: 'long' }, async () => {
    const env = { ...SHARED_ENV, HOME: at.base, AMBIT_DATABASE_URL: await made.create() }
    const files = Array.from({ length: 400 }, (_, number) => [`many/${number}.md`, `# Page ${number}\n\nA tapir.\n`])
    at.plant(Object.fromEntries(files))
    const program = (...args: readonly string[]) => ambit(args, { cwd: at.base, env })
    expect(program('collection', 'add', 'many', 'many').status).toBe(0)
    for (let round = 0; round < 12; round++) {
      at.plant({ [`many/new-${round}.md`]: `# New ${round}\n` })
      const child = spawn(process.execPath, [BIN, 'index'], { cwd: at.base, env, stdio: 'ignore' })
      const ended = new Promise((done) => child.once('exit', done))
      await sleep(100 + round * 60)
      child.kill('SIGKILL')
      await ended
      const { checks } = JSON.parse(program('doctor', '--json').stdout)
      expect(checks.find(({ name }: { name: string }) => name === 'database')).toMatchObject({ status: 'ok' })
    }
    // Nobody has to wait for the lease of one that is no more.
    expect(program('index').status).toBe(0)
    expect(JSON.parse(program('status', '--json').stdout)).toMatchObject({ documents: 412 })
  })

  it('says what to do where the server is not there', () => {
    const gone = Object.assign(new URL(url), { port: '1' }).href
    const { status, stderr } = ambit(['status'], { cwd: at.base, env: { AMBIT_DATABASE_URL: gone } })
    expect([status, stderr]).toEqual([1, expect.stringContaining('cannot be reached')])
    expect(stderr).not.toContain(new URL(url).password)
  })
})
