import { ContextError } from '../../core/errors.ts'
import type { Watch } from '../change-notifier.ts'
import type {
  After,
  AnswerNews,
  Conversation,
  ConversationHead,
  ConversationStore,
  Exchange,
  LastExchange,
} from '../conversation-store.ts'
import { answerWork, beingAnswered, idOfHolder } from '../lease.ts'
import { SqliteLease } from './lease.ts'
import { BELLS, type OwnedParts } from './other-writers.ts'
import { patient } from './patience.ts'
import type { Sql } from './sql.ts'

interface HeadRow {
  readonly number: number
  readonly id: string
  readonly title: string
  readonly place: string
  readonly model: string
  readonly created_at: string
  readonly updated_at: string
  readonly exchanges: number
}

interface ExchangeRow {
  readonly id: string
  readonly question: string
  readonly place: string
  readonly model: string
  readonly asked_at: string
  readonly ended: string | null
  readonly shown: string
  readonly messages: string
  readonly whole: number
  readonly state: string
}

const SELECT = `
  SELECT c.*, (SELECT count(*) FROM exchanges e WHERE e.conversation = c.number) AS exchanges FROM conversations c`

const INSERT =
  'INSERT INTO conversations (owner, id, title, place, model, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING'

const PUT = `
  INSERT INTO exchanges (conversation, at, id, question, place, model, asked_at, ended, shown, messages, whole, state)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (conversation, at) DO UPDATE SET id = excluded.id, question = excluded.question, place = excluded.place,
    model = excluded.model, asked_at = excluded.asked_at, ended = excluded.ended, shown = excluded.shown,
    messages = excluded.messages, whole = excluded.whole, state = excluded.state`

const LAST = `
  SELECT e.id, e.ended, e.shown FROM exchanges e JOIN conversations c ON c.number = e.conversation
  WHERE c.owner = ? AND c.id = ? ORDER BY e.at DESC LIMIT 1`

const FORGET_WORDS = 'DELETE FROM answer_words WHERE owner = ? AND conversation = ?'

const WORDS = 'SELECT word FROM answer_words WHERE owner = ? AND conversation = ? AND giver = ? ORDER BY number'

const ABANDON = `
  UPDATE exchanges SET ended = 'abandoned'
  WHERE ended IS NULL AND conversation = (SELECT number FROM conversations WHERE owner = ? AND id = ?)`

/** How long an answer waits for a database that others write to, before it begins. */
const BEGIN_MS = 5_000

const RENAME = 'UPDATE conversations SET title = ? WHERE owner = ? AND id = ?'
const REMOVE = 'DELETE FROM conversations WHERE owner = ? AND id = ?'

/** The conversations of one owner. */
export class SqliteConversations implements ConversationStore {
  readonly #sql: Sql
  readonly #owner: string
  readonly #parts: OwnedParts
  /** Of the conversations in which this process gives an answer. */
  readonly #leases = new Map<string, SqliteLease>()

  constructor(sql: Sql, owner: string, parts: OwnedParts) {
    this.#sql = sql
    this.#owner = owner
    this.#parts = parts
  }

  async begin({ id, title, place, model }: Parameters<ConversationStore['begin']>[0]): Promise<ConversationHead> {
    return this.#sql.write(() => {
      const now = new Date().toISOString()
      if (this.#sql.run(INSERT, this.#owner, id, title, place, model, now, now) === 0) throw taken(id)
      return { id, title, place, model, createdAt: now, updatedAt: now, exchanges: 0 }
    })
  }

  async list(limit: number, after?: After): Promise<ConversationHead[]> {
    const order = 'ORDER BY c.updated_at DESC, c.id DESC LIMIT ?'
    const rows = after
      ? this.#sql.all<HeadRow>(
          `${SELECT} WHERE c.owner = ? AND (c.updated_at, c.id) < (?, ?) ${order}`,
          this.#owner,
          after.updatedAt,
          after.id,
          limit,
        )
      : this.#sql.all<HeadRow>(`${SELECT} WHERE c.owner = ? ${order}`, this.#owner, limit)
    return rows.map(headOf)
  }

  async get(id: string): Promise<Conversation | undefined> {
    return this.#sql.read(() => {
      const row = this.#row(id)
      if (!row) return undefined
      const exchanges = this.#sql.all<ExchangeRow>(
        'SELECT * FROM exchanges WHERE conversation = ? ORDER BY at',
        row.number,
      )
      return { head: headOf(row), exchanges: exchanges.map((each) => exchangeOf(this.#sql, each)) }
    })
  }

  #row(id: string): HeadRow | undefined {
    return this.#sql.get<HeadRow>(`${SELECT} WHERE c.owner = ? AND c.id = ?`, this.#owner, id)
  }

  async rename(id: string, title: string): Promise<boolean> {
    return this.#sql.write(() => this.#sql.run(RENAME, title, this.#owner, id) > 0)
  }

  async remove(id: string): Promise<boolean> {
    return this.#sql.write(() => this.#sql.run(REMOVE, this.#owner, id) > 0)
  }

  async put(id: string, at: number, exchange: Exchange): Promise<void> {
    this.#sql.write(() => {
      this.#leases.get(id)?.assertHeld()
      const row = this.#row(id)
      if (!row) throw missing(id)
      if (at > row.exchanges) throw beyond(id, at, row.exchanges)
      const { question, place, model, askedAt, end, isWhole } = exchange
      const json = [exchange.shown, exchange.messages, exchange.state].map((value) => JSON.stringify(value ?? null))
      const [shown = '', messages = '', state = ''] = json
      this.#sql.run('DELETE FROM exchanges WHERE conversation = ? AND at > ?', row.number, at)
      const values = [exchange.id, question, place, model, askedAt, end, shown, messages, Number(isWhole), state]
      this.#sql.run(PUT, row.number, at, ...values)
      const update = 'UPDATE conversations SET place = ?, model = ?, updated_at = ? WHERE number = ?'
      this.#sql.run(update, place, model, new Date().toISOString(), row.number)
    })
    BELLS.ring(`answer ${id}`)
  }

  async last(id: string): Promise<LastExchange | undefined> {
    const row = this.#sql.get<Pick<ExchangeRow, 'id' | 'ended' | 'shown'>>(LAST, this.#owner, id)
    return row && { id: row.id, end: row.ended, shown: this.#sql.parsed(row.shown) }
  }

  async exclusively<Value>(id: string, work: () => Promise<Value>): Promise<Value> {
    if (this.#leases.has(id)) throw beingAnswered(id)
    const lease = this.#lease(id)
    this.#leases.set(id, lease)
    const given = async () => {
      await patient(async () => this.#begin(id, lease), BEGIN_MS)
      return work()
    }
    return lease.held(0, given).finally(() => {
      this.#leases.delete(id)
      BELLS.ring(`answer ${id}`)
    })
  }

  /** What nobody will end, and what was said to those who ended, is over. */
  #begin(id: string, lease: SqliteLease): void {
    this.#sql.write(() => {
      lease.assertHeld()
      this.#sql.run(FORGET_WORDS, this.#owner, id)
      this.#sql.run(ABANDON, this.#owner, id)
    })
  }

  async giver(id: string): Promise<string | undefined> {
    const holder = this.#lease(id).living
    return holder === undefined ? undefined : idOfHolder(holder)
  }

  async say(id: string, giver: string, word: string): Promise<void> {
    const insert = 'INSERT INTO answer_words (owner, conversation, giver, word) VALUES (?, ?, ?, ?)'
    this.#sql.write(() => this.#sql.run(insert, this.#owner, id, giver, word))
    BELLS.ring(`words ${id}`)
  }

  async words(id: string): Promise<string[]> {
    const lease = this.#leases.get(id)
    if (lease?.holder === undefined) return []
    lease.assertHeld()
    const own = [this.#owner, id, idOfHolder(lease.holder)] as const
    // Nothing is written where there is nothing.
    if (this.#sql.column(WORDS, ...own).length === 0) return []
    return this.#sql.write(() => {
      const words = this.#sql.column<string>(WORDS, ...own)
      this.#sql.run(`${FORGET_WORDS} AND giver = ?`, ...own)
      return words
    })
  }

  watch(id: string, what: AnswerNews): Watch {
    return this.#parts.others.watch(`${what} ${id}`)
  }

  #lease(id: string): SqliteLease {
    return new SqliteLease(this.#sql, answerWork(this.#owner, id), this.#parts.times)
  }
}

function headOf({ id, title, place, model, created_at, updated_at, exchanges }: HeadRow): ConversationHead {
  return { id, title, place, model, createdAt: created_at, updatedAt: updated_at, exchanges }
}

function exchangeOf(sql: Sql, row: ExchangeRow): Exchange {
  const { id, question, place, model } = row
  return {
    id,
    question,
    place,
    model,
    askedAt: row.asked_at,
    end: row.ended,
    shown: sql.parsed(row.shown),
    messages: sql.parsed(row.messages),
    isWhole: row.whole === 1,
    state: sql.parsed(row.state),
  }
}

function taken(id: string): ContextError {
  return new ContextError('conflict', `There is a conversation ${id} already.`, { hint: 'Begin one of another id.' })
}

function missing(id: string): ContextError {
  return new ContextError('not-found', `There is no conversation ${id}.`, { hint: 'Run "ambit conversation list".' })
}

function beyond(id: string, at: number, exchanges: number): ContextError {
  const message = `The conversation ${id} has ${exchanges} exchanges, and none can be number ${at}.`
  return new ContextError('conflict', message, { hint: 'Another program has changed it: read it again.' })
}
