import { closeSync, openSync, writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { ambit } from '../../test/support/program.ts'
import { type Tree, tree } from '../../test/support/tree.ts'
import type { Part, Proving } from './proving.ts'
import { engineAt, KINDS, prepare, readWrites, type StoredWrites, write } from './writes.ts'

const WRITES = 60

/** The tables that can be rebuilt from files. All other tables contain data that people entered. */
const REBUILT = ['texts', 'segments', 'postings', 'documents', 'skipped']

/** Damages a file. Returns whether everything that people wrote must survive. */
type Harm = (path: string, random: () => number) => boolean

const HARMS: readonly Harm[] = [
  (path, random) => {
    const places = placesOf(path, REBUILT)
    for (let harmed = 0; harmed < 4; harmed++)
      overwrite(path, places[Math.floor(random() * places.length)] ?? 0, random)
    return true
  },
  (path, random) => {
    const places = placesOf(path)
    for (let harmed = 0; harmed < 4; harmed++)
      overwrite(path, places[Math.floor(random() * places.length)] ?? 0, random)
    return false
  },
  (path, random) => {
    overwrite(path, 0, random)
    return false
  },
]

export const corrupt: Part = {
  name: 'corrupt',
  claim:
    'a database whose bytes are others is told, with what to do, and `ambit doctor --repair` rebuilds its index and keeps contexts and conversations, or says which of them it could not read',
  async prove(proving) {
    await proving.rounds('files', proving.amount({ ci: 3, quick: 18, full: 300 }), async (random, index) => {
      using files = tree({})
      const before = await fillDatabase(files, Math.floor(random() * 1e6))
      const path = files.at('ambit.db')
      const mustKeep = HARMS[index % HARMS.length]?.(path, random) ?? false
      proving.add('files harmed')
      if (!isNoticed(files, proving)) return
      await repair(files, { before, mustKeep }, proving)
    })
  },
}

async function fillDatabase(files: Tree, first: number): Promise<StoredWrites> {
  const where = { db: files.at('ambit.db'), files: files.at('docs') }
  const engine = engineAt(where)
  await prepare(engine, where)
  for (let number = first; number < first + WRITES; number++) await write(engine, where, number)
  const held = await readWrites((await engine.library()).port)
  await engine.close()
  return held
}

const PLACES = `
  SELECT (pageno - 1) * pgsize FROM dbstat WHERE pageno > 1
    AND (? IS NULL OR name IN (SELECT name FROM sqlite_schema WHERE tbl_name IN (SELECT value FROM json_each(?))))`

/** Offsets of all pages except the first. `tables`: only pages of these tables and their indexes. */
function placesOf(path: string, tables?: readonly string[]): number[] {
  const db = new Database(path)
  const names = tables ? JSON.stringify(tables) : null
  const places = db.prepare(PLACES).pluck().all(names, names) as number[]
  db.close()
  return places
}

function overwrite(path: string, at: number, random: () => number): void {
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.from(Array.from({ length: 512 }, () => Math.floor(random() * 256))), 0, 512, at)
  closeSync(file)
}

/** Whether `doctor` notices the damage. It does not notice damage to unused bytes. */
function isNoticed(files: Tree, proving: Proving): boolean {
  const { status, stdout, stderr } = doctor(files)
  const line = stdout.split('\n').find((one) => one.includes('\tdatabase\t')) ?? ''
  if (status === 0 && line.startsWith('ok')) {
    proving.add('harm that hit nothing')
    return false
  }
  const isClear = /^failed\tdatabase\t.+(ambit index --rebuild|--repair)/.test(line)
  if (!isClear) proving.lose(`doctor says ${status} ${JSON.stringify(line)} ${stderr.slice(0, 300)}`)
  proving.add('harm that is told, with what to do', isClear ? 1 : 0)
  return true
}

const doctor = (files: Tree, ...more: readonly string[]) =>
  ambit(['doctor', '--db', files.at('ambit.db'), ...more], { cwd: files.base })

interface Before {
  readonly before: StoredWrites
  readonly mustKeep: boolean
}

async function repair(files: Tree, { before, mustKeep }: Before, proving: Proving): Promise<void> {
  const { stdout, stderr } = doctor(files, '--repair', '--json')
  const { checks = [], repaired } = JSON.parse(stdout === '' ? '{}' : stdout)
  const database = checks.find(({ name }: { name: string }) => name === 'database')
  if (!repaired || database?.status !== 'ok') {
    proving.lose(`It was not repaired: ${stdout.slice(0, 500)} ${stderr.slice(0, 500)}`)
    return
  }
  const engine = engineAt({ db: files.at('ambit.db') })
  const { port } = await engine.library()
  const after = await readWrites(port)
  proving.same('the product’s own check', await port.check(), [])
  await engine.close()
  const lost: readonly string[] = repaired.lost
  if (mustKeep) proving.same('what is lost where only the index was harmed', lost, [])
  const hasParents = !lost.includes('collections')
  for (const kind of KINDS) {
    // Documents and contexts belong to collections. If the collections are lost, they are lost as well.
    const isKept =
      !lost.some((name) => name.includes(LOST_NAMES[kind])) && (hasParents || !['document', 'context'].includes(kind))
    proving.add(`${LOST_NAMES[kind]} ${isKept ? 'kept' : 'told as lost'}`)
    if (isKept) proving.same(`${LOST_NAMES[kind]} after a repair`, after[kind], before[kind])
  }
  proving.add('databases made anew')
}

/** The name of each kind in the list of what is lost. */
const LOST_NAMES = {
  document: 'documents',
  context: 'contexts',
  conversation: 'conversations',
  research: 'research',
} as const
