import { hasBit, withBits } from '../../core/bits.ts'
import { numbersOf } from '../numbers.ts'
import type { Queries } from './sql.ts'

interface Row {
  readonly id: number
  readonly docs: number
  readonly ids: Uint8Array
  readonly dead: Uint8Array | null
}

interface Lengths {
  readonly body: Uint8Array
  readonly title: Uint8Array
}

const ACTIVE = 'SELECT id, docs, ids, dead FROM ambit.segments WHERE active = 1'
const LENGTHS = 'SELECT body_lengths AS body, title_lengths AS title FROM ambit.segments WHERE id = $1'
const MARK = `
  UPDATE ambit.segments SET dead = $1, live_docs = live_docs - $2, live_body = live_body - $3, live_title = live_title - $4
  WHERE id = $5`

/**
 * Within a write. Removes documents, and marks them in the segments that hold them: those are never changed but for these
 * marks.
 */
export async function bury(queries: Queries, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const wanted = new Set(ids)
  for (const row of await queries.all<Row>(ACTIVE)) await mark(queries, row, wanted)
  await queries.run('DELETE FROM ambit.documents WHERE id = ANY($1::bigint[])', ids)
}

async function mark(queries: Queries, row: Row, wanted: ReadonlySet<number>): Promise<void> {
  const found: number[] = []
  for (const [index, id] of numbersOf(row.ids).entries()) {
    // What was dead before is counted already.
    if (wanted.has(id) && !hasBit(row.dead, index)) found.push(index)
  }
  if (found.length === 0) return
  const lengths = await queries.get<Lengths>(LENGTHS, row.id)
  const sum = (bytes: Uint8Array | undefined) => {
    const numbers = numbersOf(bytes ?? null)
    return found.reduce((all, index) => all + (numbers[index] ?? 0), 0)
  }
  const dead = withBits(row.dead, found, row.docs)
  await queries.run(MARK, dead, found.length, sum(lengths?.body), sum(lengths?.title), row.id)
}
