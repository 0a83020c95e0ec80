import { hasBit, withBits } from '../../core/bits.ts'
import { numbersOf, type SegmentRow } from './segment-numbers.ts'
import { execute, type Statements, selectRow, selectRows } from './statement.ts'

type ActiveSegment = Pick<SegmentRow, 'id' | 'docs' | 'ids' | 'dead'>

const ACTIVE = 'SELECT id, docs, ids, dead FROM ambit.segments WHERE active = 1'
const LENGTHS = 'SELECT body_lengths AS body, title_lengths AS title FROM ambit.segments WHERE id = ?'
const MARK = `
  UPDATE ambit.segments SET dead = ?, live_docs = live_docs - ?, live_body = live_body - ?, live_title = live_title - ?
  WHERE id = ?`
const REMOVE = 'DELETE FROM ambit.documents WHERE id {anyOf number}'

/** Deletes documents, and marks them as deleted in their segments. Active segments never change in any other way. */
export function* markDeleted(ids: readonly number[]): Statements<void> {
  if (ids.length === 0) return
  const deletedIds = new Set(ids)
  for (const segment of yield* selectRows<ActiveSegment>(ACTIVE)) yield* markInSegment(segment, deletedIds)
  yield* execute(REMOVE, ids)
}

function* markInSegment({ id, docs, ids, dead }: ActiveSegment, deletedIds: ReadonlySet<number>): Statements<void> {
  const indexes: number[] = []
  for (const [index, document] of numbersOf(ids).entries()) {
    // Documents that are already marked were subtracted from the counts before.
    if (deletedIds.has(document) && !hasBit(dead, index)) indexes.push(index)
  }
  if (indexes.length === 0) return
  const lengths = yield* selectRow<{ body: Uint8Array; title: Uint8Array }>(LENGTHS, id)
  const sumOf = (bytes: Uint8Array | undefined) => {
    const numbers = numbersOf(bytes ?? null)
    return indexes.reduce((sum, index) => sum + (numbers[index] ?? 0), 0)
  }
  yield* execute(MARK, withBits(dead, indexes, docs), indexes.length, sumOf(lengths?.body), sumOf(lengths?.title), id)
}
