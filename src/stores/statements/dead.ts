import { hasBit, withBits } from '../../core/bits.ts'
import { numbersOf } from './segment-numbers.ts'
import { execute, type Statements, selectRow, selectRows } from './statement.ts'

interface ActiveSegment {
  readonly id: number
  readonly docs: number
  readonly ids: Uint8Array
  readonly dead: Uint8Array | null
}

const ACTIVE = 'SELECT id, docs, ids, dead FROM ambit.segments WHERE active = 1'
const LENGTHS = 'SELECT body_lengths AS body, title_lengths AS title FROM ambit.segments WHERE id = ?'
const MARK = `
  UPDATE ambit.segments SET dead = ?, live_docs = live_docs - ?, live_body = live_body - ?, live_title = live_title - ?
  WHERE id = ?`
const REMOVE = 'DELETE FROM ambit.documents WHERE id {anyOf number}'

/** Deletes documents, and marks them in their segments: nothing else of a segment ever changes. */
export function* markDeleted(ids: readonly number[]): Statements<void> {
  if (ids.length === 0) return
  const wanted = new Set(ids)
  for (const segment of yield* selectRows<ActiveSegment>(ACTIVE)) yield* markIn(segment, wanted)
  yield* execute(REMOVE, ids)
}

function* markIn({ id, docs, ids, dead }: ActiveSegment, wanted: ReadonlySet<number>): Statements<void> {
  const found: number[] = []
  for (const [index, document] of numbersOf(ids).entries()) {
    // Earlier marks are counted already.
    if (wanted.has(document) && !hasBit(dead, index)) found.push(index)
  }
  if (found.length === 0) return
  const lengths = yield* selectRow<{ body: Uint8Array; title: Uint8Array }>(LENGTHS, id)
  const sum = (bytes: Uint8Array | undefined) => {
    const numbers = numbersOf(bytes ?? null)
    return found.reduce((all, index) => all + (numbers[index] ?? 0), 0)
  }
  const marked = withBits(dead, found, docs)
  yield* execute(MARK, marked, found.length, sum(lengths?.body), sum(lengths?.title), id)
}
