import { hasBit, withBits } from '../../core/bits.ts'
import { numbersOf } from '../numbers.ts'
import type { Sql } from './sql.ts'

interface Row {
  readonly id: number
  readonly docs: number
  readonly ids: Uint8Array
  readonly body_lengths: Uint8Array
  readonly title_lengths: Uint8Array
  readonly dead: Uint8Array | null
}

const MARK = `
  UPDATE segments SET dead = ?, live_docs = live_docs - ?, live_body = live_body - ?, live_title = live_title - ?
  WHERE id = ?`

/** Removes documents, and marks them in the segments that hold them: those are never changed but for these marks. */
export function bury(sql: Sql, ids: readonly number[]): void {
  if (ids.length === 0) return
  const wanted = new Set(ids)
  for (const row of sql.all<Row>('SELECT * FROM segments WHERE active = 1')) mark(sql, row, wanted)
  for (const id of ids) sql.run('DELETE FROM documents WHERE id = ?', id)
}

function mark(sql: Sql, row: Row, wanted: ReadonlySet<number>): void {
  const found: number[] = []
  for (const [index, id] of numbersOf(row.ids).entries()) {
    // What was dead before is counted already.
    if (wanted.has(id) && !hasBit(row.dead, index)) found.push(index)
  }
  if (found.length === 0) return
  const sum = (bytes: Uint8Array) => {
    const lengths = numbersOf(bytes)
    return found.reduce((all, index) => all + (lengths[index] ?? 0), 0)
  }
  const dead = withBits(row.dead, found, row.docs)
  sql.run(MARK, dead, found.length, sum(row.body_lengths), sum(row.title_lengths), row.id)
}
