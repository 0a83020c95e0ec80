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
  NewConversation,
} from '../conversation-store.ts'
import { answerWork, beingAnswered, idOfHolder } from '../lease.ts'
import { PostgresLease } from './lease.ts'
import { type OwnedParts, told } from './listener.ts'
import { parsed, type Sql } from './sql.ts'

type ExchangeRow = Omit<Exchange, 'shown' | 'messages' | 'state'> &
  Readonly<Record<'shown' | 'messages' | 'state', string>>

const HEADS = `
  SELECT id, title, place, model, created_at AS "createdAt", updated_at AS "updatedAt",
    (SELECT count(*) FROM ambit.exchanges e WHERE e.conversation = c.number) AS exchanges
  FROM ambit.conversations c`

const EXCHANGES = `
  SELECT e.id, e.question, e.place, e.model, e.asked_at AS "askedAt", e.ended AS "end", e.shown, e.messages,
    e.whole <> 0 AS "isWhole", e.state
  FROM ambit.exchanges e JOIN ambit.conversations c ON c.number = e.conversation WHERE c.owner = $1 AND c.id = $2 ORDER BY e.at`

const INSERT = `
  INSERT INTO ambit.conversations (owner, id, title, place, model, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $6)
  ON CONFLICT DO NOTHING`

const KNOWN = `
  SELECT number, (SELECT count(*) FROM ambit.exchanges e WHERE e.conversation = c.number) AS exchanges
  FROM ambit.conversations c WHERE owner = $1 AND id = $2 FOR UPDATE`

const PUT = `
  INSERT INTO ambit.exchanges (conversation, at, id, question, place, model, asked_at, ended, shown, messages, whole, state)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`

const FORGET_WORDS = 'DELETE FROM ambit.answer_words WHERE owner = $1 AND conversation = $2'

const WORDS = 'SELECT number FROM ambit.answer_words WHERE owner = $1 AND conversation = $2 AND giver = $3 LIMIT 1'

const TAKE_WORDS = `${FORGET_WORDS} AND giver = $3 RETURNING number, word`

const LAST = `
  SELECT e.id, e.ended AS "end", e.shown FROM ambit.exchanges e JOIN ambit.conversations c ON c.number = e.conversation
  WHERE c.owner = $1 AND c.id = $2 ORDER BY e.at DESC LIMIT 1`

const ABANDON = `
  UPDATE ambit.exchanges SET ended = 'abandoned'
  WHERE ended IS NULL AND conversation = (SELECT number FROM ambit.conversations WHERE owner = $1 AND id = $2)`

/** The conversations of one owner. */
export class PostgresConversations implements ConversationStore {
  readonly #sql: Sql
  readonly #owner: string
  readonly #parts: OwnedParts
  /** Of the conversations in which this process gives an answer. */
  readonly #leases = new Map<string, PostgresLease>()

  constructor(sql: Sql, owner: string, parts: OwnedParts) {
    this.#sql = sql
    this.#owner = owner
    this.#parts = parts
  }

  async begin({ id, title, place, model }: NewConversation): Promise<ConversationHead> {
    return this.#sql.write(`conversation ${id}`, async (queries) => {
      const now = new Date().toISOString()
      if ((await queries.run(INSERT, this.#owner, id, title, place, model, now)) === 0) throw taken(id)
      return { id, title, place, model, createdAt: now, updatedAt: now, exchanges: 0 }
    })
  }

  async list(limit: number, after?: After): Promise<ConversationHead[]> {
    const order = 'ORDER BY updated_at DESC, id DESC LIMIT $1'
    const own = `${HEADS} WHERE owner = $2`
    if (!after) return this.#sql.all(`${own} ${order}`, limit, this.#owner)
    const { updatedAt, id } = after
    return this.#sql.all(`${own} AND (updated_at, id) < ($3, $4) ${order}`, limit, this.#owner, updatedAt, id)
  }

  async get(id: string): Promise<Conversation | undefined> {
    return this.#sql.read(async (queries) => {
      const head = await queries.get<ConversationHead>(`${HEADS} WHERE owner = $1 AND id = $2`, this.#owner, id)
      if (!head) return undefined
      const exchanges = await queries.all<ExchangeRow>(EXCHANGES, this.#owner, id)
      return { head, exchanges: exchanges.map((row) => this.#exchangeOf(row)) }
    })
  }

  async rename(id: string, title: string): Promise<boolean> {
    const update = 'UPDATE ambit.conversations SET title = $1 WHERE owner = $2 AND id = $3'
    return this.#sql.write(
      `conversation ${id}`,
      async (queries) => (await queries.run(update, title, this.#owner, id)) > 0,
    )
  }

  async remove(id: string): Promise<boolean> {
    const remove = 'DELETE FROM ambit.conversations WHERE owner = $1 AND id = $2'
    return this.#sql.write(`conversation ${id}`, async (queries) => (await queries.run(remove, this.#owner, id)) > 0)
  }

  async put(id: string, at: number, exchange: Exchange): Promise<void> {
    await this.#sql.write(`conversation ${id}`, async (queries) => {
      await this.#leases.get(id)?.assertHeld(queries)
      const row = await queries.get<{ number: number; exchanges: number }>(KNOWN, this.#owner, id)
      if (!row) throw missing(id)
      if (at > row.exchanges) throw beyond(id, at, row.exchanges)
      const { question, place, model, askedAt, end, isWhole } = exchange
      const json = [exchange.shown, exchange.messages, exchange.state].map((value) => JSON.stringify(value ?? null))
      const [shown = '', messages = '', state = ''] = json
      await queries.run('DELETE FROM ambit.exchanges WHERE conversation = $1 AND at >= $2', row.number, at)
      const values = [exchange.id, question, place, model, askedAt, end, shown, messages, Number(isWhole), state]
      await queries.run(PUT, row.number, at, ...values)
      const update = 'UPDATE ambit.conversations SET place = $1, model = $2, updated_at = $3 WHERE number = $4'
      await queries.run(update, place, model, new Date().toISOString(), row.number)
      await told(queries, 'answer', id)
    })
  }

  async last(id: string): Promise<LastExchange | undefined> {
    const row = await this.#sql.get<LastExchange & { shown: string }>(LAST, this.#owner, id)
    return row && { ...row, shown: parsed(this.#sql.name, row.shown) }
  }

  async exclusively<Value>(id: string, work: () => Promise<Value>): Promise<Value> {
    if (this.#leases.has(id)) throw beingAnswered(id)
    const lease = this.#lease(id)
    this.#leases.set(id, lease)
    const given = async () => {
      await this.#begin(id, lease)
      return work()
    }
    return lease.held(0, given).finally(() => this.#leases.delete(id))
  }

  /** What nobody will end, and what was said to those who ended, is over. */
  async #begin(id: string, lease: PostgresLease): Promise<void> {
    await this.#sql.write(`conversation ${id}`, async (queries) => {
      await lease.assertHeld(queries)
      await queries.run(FORGET_WORDS, this.#owner, id)
      await queries.run(ABANDON, this.#owner, id)
    })
  }

  async giver(id: string): Promise<string | undefined> {
    const holder = await this.#lease(id).living()
    return holder === undefined ? undefined : idOfHolder(holder)
  }

  async say(id: string, giver: string, word: string): Promise<void> {
    await this.#sql.write(`conversation ${id}`, async (queries) => {
      const insert = 'INSERT INTO ambit.answer_words (owner, conversation, giver, word) VALUES ($1, $2, $3, $4)'
      await queries.run(insert, this.#owner, id, giver, word)
      await told(queries, 'words', id)
    })
  }

  async words(id: string): Promise<string[]> {
    const lease = this.#leases.get(id)
    if (lease?.holder === undefined) return []
    const own = [this.#owner, id, idOfHolder(lease.holder)] as const
    // Nothing is written where there is nothing: it is looked again and again.
    if ((await this.#sql.column<number>(WORDS, ...own)).length === 0) {
      await lease.assertHeld(this.#sql)
      return []
    }
    return this.#sql.write(`conversation ${id}`, async (queries) => {
      await lease.assertHeld(queries)
      const rows = await queries.all<{ number: number; word: string }>(TAKE_WORDS, ...own)
      return rows.sort((one, other) => one.number - other.number).map(({ word }) => word)
    })
  }

  watch(id: string, what: AnswerNews): Watch {
    return this.#parts.listener.watch(`${what} ${id}`)
  }

  #lease(id: string): PostgresLease {
    return new PostgresLease(this.#sql, answerWork(this.#owner, id), this.#parts.times)
  }

  #exchangeOf({ shown, messages, state, ...row }: ExchangeRow): Exchange {
    const { name } = this.#sql
    return { ...row, shown: parsed(name, shown), messages: parsed(name, messages), state: parsed(name, state) }
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
