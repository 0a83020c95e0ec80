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
import { answeredHere, answerWork, idOfHolder, Lease, type LeaseTimes } from './lease.ts'
import {
  type Database,
  execute,
  notify,
  queryColumn,
  queryRow,
  queryRows,
  type Statements,
  selectRow,
  selectRows,
} from './statement.ts'

type ExchangeRow = Omit<Exchange, 'shown' | 'messages' | 'state' | 'isWhole'> &
  Readonly<Record<'shown' | 'messages' | 'state', string>> & { readonly isWhole: number | boolean }

const HEADS = `
  SELECT id, title, place, model, created_at AS "createdAt", updated_at AS "updatedAt",
    (SELECT count(*) FROM ambit.exchanges e WHERE e.conversation = c.number) AS exchanges
  FROM ambit.conversations c`

const EXCHANGES = `
  SELECT e.id, e.question, e.place, e.model, e.asked_at AS "askedAt", e.ended AS "end", e.shown, e.messages,
    e.whole <> 0 AS "isWhole", e.state
  FROM ambit.exchanges e JOIN ambit.conversations c ON c.number = e.conversation WHERE c.owner = ? AND c.id = ? ORDER BY e.at`

const INSERT = `
  INSERT INTO ambit.conversations (owner, id, title, place, model, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`

const RENAME = 'UPDATE ambit.conversations SET title = ? WHERE owner = ? AND id = ?'
const REMOVE = 'DELETE FROM ambit.conversations WHERE owner = ? AND id = ?'

const KNOWN = `
  SELECT number, (SELECT count(*) FROM ambit.exchanges e WHERE e.conversation = c.number) AS exchanges
  FROM ambit.conversations c WHERE owner = ? AND id = ? {forUpdate}`

const PUT = `
  INSERT INTO ambit.exchanges (conversation, at, id, question, place, model, asked_at, ended, shown, messages, whole, state)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (conversation, at) DO UPDATE SET id = excluded.id, question = excluded.question, place = excluded.place,
    model = excluded.model, asked_at = excluded.asked_at, ended = excluded.ended, shown = excluded.shown,
    messages = excluded.messages, whole = excluded.whole, state = excluded.state`

const CUT = 'DELETE FROM ambit.exchanges WHERE conversation = ? AND at > ?'
const TOUCH = 'UPDATE ambit.conversations SET place = ?, model = ?, updated_at = ? WHERE number = ?'

const LAST = `
  SELECT e.id, e.ended AS "end", e.shown FROM ambit.exchanges e JOIN ambit.conversations c ON c.number = e.conversation
  WHERE c.owner = ? AND c.id = ? ORDER BY e.at DESC LIMIT 1`

const SAY = 'INSERT INTO ambit.answer_words (owner, conversation, giver, word) VALUES (?, ?, ?, ?)'
const FORGET_WORDS = 'DELETE FROM ambit.answer_words WHERE owner = ? AND conversation = ?'
const HAS_WORDS = 'SELECT 1 FROM ambit.answer_words WHERE owner = ? AND conversation = ? AND giver = ? LIMIT 1'
const TAKE_WORDS = `${FORGET_WORDS} AND giver = ? RETURNING number, word`

const ABANDON = `
  UPDATE ambit.exchanges SET ended = 'abandoned'
  WHERE ended IS NULL AND conversation = (SELECT number FROM ambit.conversations WHERE owner = ? AND id = ?)`

/** How long an answer waits for a busy database before it begins. Milliseconds. */
const BEGIN_MS = 5_000

/** The conversations of one owner, in a database. */
export class ConversationStatements implements ConversationStore {
  readonly #database: Database
  readonly #owner: string
  readonly #times: LeaseTimes | undefined
  /** Leases of the answers of this process. */
  readonly #leases = new Map<string, Lease>()

  constructor(database: Database, owner: string, times?: LeaseTimes) {
    this.#database = database
    this.#owner = owner
    this.#times = times
  }

  begin(conversation: NewConversation): Promise<ConversationHead> {
    return this.#database.write(`conversation ${conversation.id}`, () => this.#insert(conversation))
  }

  *#insert({ id, title, place, model }: NewConversation): Statements<ConversationHead> {
    const now = new Date().toISOString()
    if ((yield* execute(INSERT, this.#owner, id, title, place, model, now, now)) === 0) {
      throw new ContextError('conflict', `There is a conversation ${id} already.`, { hint: 'Begin one of another id.' })
    }
    return { id, title, place, model, createdAt: now, updatedAt: now, exchanges: 0 }
  }

  list(limit: number, after?: After): Promise<ConversationHead[]> {
    const order = 'ORDER BY updated_at DESC, id DESC LIMIT ?'
    const own = `${HEADS} WHERE owner = ?`
    return this.#database.read(
      after
        ? queryRows(`${own} AND (updated_at, id) < (?, ?) ${order}`, this.#owner, after.updatedAt, after.id, limit)
        : queryRows(`${own} ${order}`, this.#owner, limit),
    )
  }

  get(id: string): Promise<Conversation | undefined> {
    return this.#database.readTogether(() => this.#select(id))
  }

  *#select(id: string): Statements<Conversation | undefined> {
    const head = yield* selectRow<ConversationHead>(`${HEADS} WHERE owner = ? AND id = ?`, this.#owner, id)
    if (!head) return undefined
    const exchanges = yield* selectRows<ExchangeRow>(EXCHANGES, this.#owner, id)
    return { head, exchanges: exchanges.map(exchangeOf) }
  }

  async rename(id: string, title: string): Promise<boolean> {
    const change = () => execute(RENAME, title, this.#owner, id)
    return (await this.#database.write(`conversation ${id}`, change)) > 0
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#database.write(`conversation ${id}`, () => execute(REMOVE, this.#owner, id))) > 0
  }

  put(id: string, at: number, exchange: Exchange): Promise<void> {
    return this.#database.write(`conversation ${id}`, () => this.#put(id, at, exchange))
  }

  *#put(id: string, at: number, exchange: Exchange): Statements<void> {
    const lease = this.#leases.get(id)
    if (lease) yield* lease.assertHeld()
    const known = yield* selectRow<{ number: number; exchanges: number }>(KNOWN, this.#owner, id)
    if (!known) throw noConversation(id)
    if (at > known.exchanges) throw beyondNext(id, at, known.exchanges)
    const { question, place, model, askedAt, end, isWhole } = exchange
    const [shown = '', messages = '', state = ''] = [exchange.shown, exchange.messages, exchange.state].map((value) =>
      JSON.stringify(value ?? null),
    )
    yield* execute(CUT, known.number, at)
    const values = [exchange.id, question, place, model, askedAt, end, shown, messages, Number(isWhole), state]
    yield* execute(PUT, known.number, at, ...values)
    yield* execute(TOUCH, place, model, new Date().toISOString(), known.number)
    yield* notify(`answer ${id}`)
  }

  last(id: string): Promise<LastExchange | undefined> {
    return this.#database.read(
      queryRow<LastExchange & { shown: string }>(LAST, this.#owner, id),
      (row) => row && { ...row, shown: JSON.parse(row.shown) },
    )
  }

  async exclusively<Value>(id: string, work: () => Promise<Value>): Promise<Value> {
    if (this.#leases.has(id)) throw answeredHere(id)
    const lease = this.#leaseOf(id)
    this.#leases.set(id, lease)
    const answer = async () => {
      const begin = () => this.#database.write(`conversation ${id}`, () => this.#beginAnswer(id, lease))
      await this.#database.retry(begin, BEGIN_MS)
      return work()
    }
    return lease.hold(0, answer).finally(() => {
      this.#leases.delete(id)
      this.#database.wake(`answer ${id}`)
    })
  }

  /** Ends exchanges that no process will end, and deletes commands for earlier answers. */
  *#beginAnswer(id: string, lease: Lease): Statements<void> {
    yield* lease.assertHeld()
    yield* execute(FORGET_WORDS, this.#owner, id)
    yield* execute(ABANDON, this.#owner, id)
  }

  async findAnswer(id: string): Promise<string | undefined> {
    const holder = await this.#leaseOf(id).findLiving()
    return holder === undefined ? undefined : idOfHolder(holder)
  }

  sendCommand(id: string, giver: string, word: string): Promise<void> {
    const owner = this.#owner
    return this.#database.write(`conversation ${id}`, function* () {
      yield* execute(SAY, owner, id, giver, word)
      yield* notify(`words ${id}`)
    })
  }

  async receiveCommands(id: string): Promise<string[]> {
    const lease = this.#leases.get(id)
    if (lease?.holder === undefined) return []
    const own = [this.#owner, id, idOfHolder(lease.holder)] as const
    // A read first: this runs often, and mostly finds nothing to write.
    if ((await this.#database.read(queryColumn(HAS_WORDS, ...own))).length === 0) {
      await lease.assertStillHeld()
      return []
    }
    return this.#database.write(`conversation ${id}`, function* () {
      yield* lease.assertHeld()
      const rows = yield* selectRows<{ number: number; word: string }>(TAKE_WORDS, ...own)
      return rows.sort((one, other) => one.number - other.number).map(({ word }) => word)
    })
  }

  watch(id: string, what: AnswerNews): Watch {
    return this.#database.watch(`${what} ${id}`)
  }

  #leaseOf(id: string): Lease {
    return new Lease(this.#database, answerWork(this.#owner, id), this.#times)
  }
}

function exchangeOf({ isWhole, shown, messages, state, ...row }: ExchangeRow): Exchange {
  return {
    ...row,
    isWhole: Boolean(isWhole),
    shown: JSON.parse(shown),
    messages: JSON.parse(messages),
    state: JSON.parse(state),
  }
}

function noConversation(id: string): ContextError {
  return new ContextError('not-found', `There is no conversation ${id}.`, { hint: 'Run "ambit conversation list".' })
}

function beyondNext(id: string, at: number, exchanges: number): ContextError {
  const message = `The conversation ${id} has ${exchanges} exchanges, and none can be number ${at}.`
  return new ContextError('conflict', message, { hint: 'Another program has changed it: read it again.' })
}
