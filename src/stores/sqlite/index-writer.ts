import { ContextError } from '../../core/errors.ts'
import { pause } from '../../core/steps.ts'
import type { LeaseTimes, Work } from '../lease.ts'
import { bytesOf } from '../numbers.ts'
import type { IndexChange, IndexWriter, NewPostings } from '../store.ts'
import { idOf } from './collections.ts'
import { bury } from './dead.ts'
import { insertDocument, replaceSkipped, stampDocument } from './documents.ts'
import { SqliteLease } from './lease.ts'
import type { Sql } from './sql.ts'

/** Segments that nobody will finish: whoever began them begins another, or has ended. */
const ABANDONED = `
  SELECT id FROM segments WHERE active = 0 AND (holder IS NULL OR holder IS ?
    OR NOT EXISTS (SELECT 1 FROM leases l WHERE l.holder = segments.holder AND l.expires > ?))`

export class SqliteIndexWriter implements IndexWriter {
  readonly #sql: Sql
  readonly #lease: SqliteLease

  constructor(sql: Sql, work: Work, times?: LeaseTimes) {
    this.#sql = sql
    this.#lease = new SqliteLease(sql, work, times)
  }

  async begin(): Promise<number> {
    return this.#sql.write(() => {
      this.#lease.assertHeld()
      const { holder = null } = this.#lease
      for (const id of this.#sql.column<number>(ABANDONED, holder, Date.now())) this.#drop(id)
      return this.#sql.insert('INSERT INTO segments (active, holder) VALUES (0, ?)', holder)
    })
  }

  #drop(segment: number): void {
    this.#sql.run('DELETE FROM postings WHERE segment = ?', segment)
    this.#sql.run('DELETE FROM segments WHERE id = ?', segment)
  }

  async put(segment: number, terms: readonly NewPostings[]): Promise<void> {
    this.#sql.write(() => {
      this.#lease.assertHeld()
      if (!this.#sql.get('SELECT 1 FROM segments WHERE id = ? AND active = 0', segment)) throw gone()
      const insert = 'INSERT INTO postings (segment, term, data) VALUES (?, ?, ?)'
      for (const [term, postings] of terms) this.#sql.run(insert, segment, term, postings)
    })
  }

  async apply({ added, removed = [], stamped = [], skipped, merged }: IndexChange): Promise<void> {
    this.#sql.write(() => {
      this.#lease.assertHeld()
      bury(this.#sql, removed)
      for (const { id, stamp } of stamped) stampDocument(this.#sql, id, stamp)
      if (added) this.#add(added)
      if (skipped) replaceSkipped(this.#sql, skipped.collection, skipped.files)
      if (merged) this.#replace(merged)
    })
  }

  #add({ collection, documents, segment, lengths }: NonNullable<IndexChange['added']>): void {
    const id = idOf(this.#sql, collection)
    const ids = Uint32Array.from(documents, (document) => insertDocument(this.#sql, id, document))
    this.#activate({ segment, ids, lengths })
  }

  #replace({ segment, instead, ids, lengths }: NonNullable<IndexChange['merged']>): void {
    for (const id of instead) this.#drop(id)
    this.#activate({ segment, ids, lengths })
    // Removed while the segments were merged: their old marks went with the old segments.
    const living = new Set(this.#sql.column<number>('SELECT id FROM documents'))
    bury(
      this.#sql,
      [...ids].filter((id) => !living.has(id)),
    )
  }

  #activate({ segment, ids, lengths }: Pick<NonNullable<IndexChange['merged']>, 'segment' | 'ids' | 'lengths'>): void {
    const { bodyLengths, titleLengths } = lengths
    const update = `
      UPDATE segments SET active = 1, docs = ?, ids = ?, body_lengths = ?, title_lengths = ?,
        live_docs = ?, live_body = ?, live_title = ? WHERE id = ? AND active = 0`
    const blobs = [bytesOf(ids), bytesOf(bodyLengths), bytesOf(titleLengths)]
    const live = [ids.length, sum(bodyLengths), sum(titleLengths)]
    const changed = this.#sql.run(update, ids.length, ...blobs, ...live, segment)
    if (changed === 0) throw gone()
  }

  /** What merged segments leave empty is given back: it may be a fifth of the file. */
  async #tidied<Value>(work: () => Promise<Value>): Promise<Value> {
    const value = await work()
    while (this.#sql.shrinkFile()) await pause()
    return value
  }

  async exclusively<Value>(waitMs: number, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    const value = await this.#lease.held(waitMs, () => this.#tidied(work), signal)
    this.#sql.shrinkLog()
    return value
  }
}

function sum(numbers: Uint32Array): number {
  return numbers.reduce((all, one) => all + one, 0)
}

function gone(): ContextError {
  return new ContextError('conflict', 'The segment that was being written is gone.')
}
