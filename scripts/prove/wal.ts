import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PAGE_BYTES } from '../../src/stores/sqlite/database.ts'
import { type Tree, tree } from '../../test/support/tree.ts'
import type { Part, Proving } from './proving.ts'
import { engineAt, heldBy, prepare, type Where, write } from './writes.ts'

/** Writes whose commits are in the log alone. */
const WRITES = 60

/** Bytes of a page and its header in the log, and of the log's own header. */
const FRAME = PAGE_BYTES + 24
const HEADER = 32

/** Cuts of one log. */
const CUTS_EACH = 250

/** As many as every change pays for. */
const FEW = 50

export const wal: Part = {
  name: 'wal',
  claim:
    'a log of SQLite that is cut off anywhere, or has another bit, gives the first of the acknowledged states, whole',
  async prove(proving) {
    const cuts = proving.of({ quick: 1000, full: 20_000 })
    await proving.rounds('logs', Math.ceil(cuts / CUTS_EACH), async (random) => {
      using files = tree({})
      const log = await logged(files, Math.floor(random() * 1e6))
      const count = proving.of({ ci: FEW, quick: CUTS_EACH, full: CUTS_EACH })
      await cutOff(log, { count, random }, proving)
      await flipped(log, { count, random }, proving)
    })
  },
}

/** A database and its log as they lie on the disk when the machine stops, and what was held after each write. */
interface Logged {
  readonly files: Tree
  readonly main: Buffer
  readonly log: Buffer
  /** As JSON, from the state before the first write. */
  readonly states: readonly string[]
}

async function logged(files: Tree, first: number): Promise<Logged> {
  const where: Where = { db: files.at('ambit.db'), files: files.at('docs') }
  const engine = engineAt(where)
  await prepare(engine, where)
  const { port } = await engine.library()
  const states = [JSON.stringify(await heldBy(port))]
  for (let number = first; number < first + WRITES; number++) {
    await write(engine, where, number)
    states.push(JSON.stringify(await heldBy(port)))
  }
  const [main, log] = [readFileSync(where.db), readFileSync(`${where.db}-wal`)]
  await engine.close()
  return { files, main, log, states }
}

interface Harming {
  readonly count: number
  readonly random: () => number
}

async function cutOff(log: Logged, { count, random }: Harming, proving: Proving): Promise<void> {
  const frames = Math.floor((log.log.length - HEADER) / FRAME)
  const sizes = Array.from({ length: count }, (_, at) => {
    // Half of them between two frames, or a byte beside that.
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

async function flipped(log: Logged, { count, random }: Harming, proving: Proving): Promise<void> {
  for (let flip = 0; flip < count / 2; flip++) {
    const harmed = Buffer.from(log.log)
    const at = Math.floor(random() * harmed.length)
    harmed[at] = (harmed[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    await stateOf(log, harmed, proving)
    proving.add('bits changed')
  }
}

/** Which of the states a database of this log is in; -1, and a loss, where it is in none. */
async function stateOf({ files, main, states }: Logged, log: Buffer, proving: Proving): Promise<number> {
  const place = files.at('copy')
  mkdirSync(place)
  const db = join(place, 'ambit.db')
  writeFileSync(db, main)
  writeFileSync(`${db}-wal`, log)
  const engine = engineAt({ db })
  try {
    const { port } = await engine.library()
    proving.same(`the product’s own check of a log of ${log.length} bytes`, await port.check(), [])
    const held = JSON.stringify(await heldBy(port))
    const state = states.indexOf(held)
    // Before the collection there is nothing.
    if (state < 0 && (await port.collections.list()).length > 0) {
      proving.lose(`A log of ${log.length} bytes gives what was never acknowledged: ${held.slice(0, 500)}`)
    }
    return state
  } finally {
    await engine.close()
    rmSync(place, { recursive: true })
  }
}
