import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PAGE_BYTES } from '../../src/stores/sqlite/database.ts'
import { type Tree, tree } from '../../test/support/tree.ts'
import type { Part, Proving } from './proving.ts'
import { engineAt, prepare, readWrites, type StoreLocation, write } from './writes.ts'

/** Number of writes. Their commits are only in the log. */
const WRITES = 60

/** Bytes of a page and its header in the log, and of the log's own header. */
const FRAME = PAGE_BYTES + 24
const HEADER = 32

/** Number of cuts of one log. */
const CUTS_EACH = 250

/** Number of cuts in the tier `ci`. */
const CI_CUTS = 50

export const wal: Part = {
  name: 'wal',
  claim:
    'a log of SQLite that is cut off anywhere, or has another bit, gives the first of the acknowledged states, whole',
  async prove(proving) {
    const cuts = proving.amount({ quick: 1000, full: 20_000 })
    await proving.rounds('logs', Math.ceil(cuts / CUTS_EACH), async (random) => {
      using files = tree({})
      const log = await logWrites(files, Math.floor(random() * 1e6))
      const count = proving.amount({ ci: CI_CUTS, quick: CUTS_EACH, full: CUTS_EACH })
      await cutOff(log, { count, random }, proving)
      await flipBits(log, { count, random }, proving)
    })
  },
}

/** A database and its log as they are on the disk when the machine stops, and the content after each write. */
interface LoggedDatabase {
  readonly files: Tree
  readonly main: Buffer
  readonly log: Buffer
  /** The content as JSON, beginning with the state before the first write. */
  readonly states: readonly string[]
}

async function logWrites(files: Tree, first: number): Promise<LoggedDatabase> {
  const where: StoreLocation = { db: files.at('ambit.db'), files: files.at('docs') }
  const engine = engineAt(where)
  await prepare(engine, where)
  const { port } = await engine.library()
  const states = [JSON.stringify(await readWrites(port))]
  for (let number = first; number < first + WRITES; number++) {
    await write(engine, where, number)
    states.push(JSON.stringify(await readWrites(port)))
  }
  const [main, log] = [readFileSync(where.db), readFileSync(`${where.db}-wal`)]
  await engine.close()
  return { files, main, log, states }
}

interface DamageOptions {
  readonly count: number
  readonly random: () => number
}

async function cutOff(log: LoggedDatabase, { count, random }: DamageOptions, proving: Proving): Promise<void> {
  const frames = Math.floor((log.log.length - HEADER) / FRAME)
  const sizes = Array.from({ length: count }, (_, at) => {
    // Half of the cuts are between two frames, or a byte next to that.
    const edge = HEADER + FRAME * Math.floor(random() * (frames + 1)) + Math.floor(random() * 3) - 1
    return Math.min(log.log.length, at % 2 === 0 ? edge : Math.floor(random() * log.log.length))
  })
  let last = -1
  for (const size of [...sizes, log.log.length].sort((one, other) => one - other)) {
    const state = await stateOf(log, log.log.subarray(0, size), proving)
    if (state < last) proving.lose(`Cut off at ${size}, it is at state ${state}; before it was at ${last}`)
    last = Math.max(last, state)
    proving.add('cuts')
  }
  if (last !== log.states.length - 1) proving.lose(`The whole log gives state ${last} of ${log.states.length - 1}`)
}

async function flipBits(log: LoggedDatabase, { count, random }: DamageOptions, proving: Proving): Promise<void> {
  for (let flip = 0; flip < count / 2; flip++) {
    const harmed = Buffer.from(log.log)
    const at = Math.floor(random() * harmed.length)
    harmed[at] = (harmed[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    await stateOf(log, harmed, proving)
    proving.add('bits changed')
  }
}

/** The index in `states` of the content of a database with this log; -1, and a broken promise, if it is not there. */
async function stateOf({ files, main, states }: LoggedDatabase, log: Buffer, proving: Proving): Promise<number> {
  const place = files.at('copy')
  mkdirSync(place)
  const db = join(place, 'ambit.db')
  writeFileSync(db, main)
  writeFileSync(`${db}-wal`, log)
  const engine = engineAt({ db })
  try {
    const { port } = await engine.library()
    proving.same(`the product’s own check of a log of ${log.length} bytes`, await port.check(), [])
    const held = JSON.stringify(await readWrites(port))
    const state = states.indexOf(held)
    // Before the collection is added, the database is empty.
    if (state < 0 && (await port.collections.list()).length > 0) {
      proving.lose(`A log of ${log.length} bytes gives what was never acknowledged: ${held.slice(0, 500)}`)
    }
    return state
  } finally {
    await engine.close()
    rmSync(place, { recursive: true })
  }
}
