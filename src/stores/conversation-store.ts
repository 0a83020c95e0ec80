/** Stores conversations with the assistant. */

import { type AnswerOf, count, object, text, withDescription } from '../core/answer.ts'
import { ContextError } from '../core/errors.ts'
import { answeringError, answerLease, assertHeld, idOfHolder, Lease, type LeaseTimes } from './statements/lease.ts'
import {
  type Database,
  execute,
  notify,
  queryColumn,
  queryRow,
  queryRows,
  readRow,
  type Statements,
  selectRow,
  selectRows,
} from './statements/statement.ts'

export const conversationHead = {
  /** Chosen by the client, or by Ambit (128 random bits). */
  id: text,
  title: text,
  place: withDescription(text, 'the last place'),
  model: withDescription(text, 'the model of the last answer'),
  createdAt: withDescription(text, 'ISO 8601, UTC'),
  updatedAt: withDescription(text, 'ISO 8601, UTC'),
  /** Number of questions. */
  exchanges: count,
}
const headSchema = () => object(conversationHead)
export type ConversationHead = AnswerOf<typeof headSchema>

/** A question and its answer. Fields of the type `unknown` are JSON values. */
export interface Exchange {
  /** Id of the question, as clients know it. */
  readonly id: string
  readonly question: string
  readonly place: string
  readonly model: string
  /** ISO 8601, UTC. */
  readonly askedAt: string
  /** How the answer ended; null while the answer runs, or if its process ended first. */
  readonly end: string | null
  /** The answer as people see it. */
  readonly shown: unknown
  /** The messages to and from the model, in order. */
  readonly messages: unknown
  /** Whether `messages` replaces the messages of all earlier exchanges. */
  readonly isWhole: boolean
  /** The state that the next exchange begins with. */
  readonly state: unknown
}

export type LastExchange = Pick<Exchange, 'id' | 'end' | 'shown'>

export type NewConversation = Pick<ConversationHead, 'id' | 'title' | 'place' | 'model'>

export interface Conversation {
  readonly head: ConversationHead
  /** The exchanges, in the order of their questions. */
  readonly exchanges: readonly Exchange[]
}

/**
 * What a watcher of a running answer waits for. `answer`: a change of the stored exchange. `words`: a command for the
 * process that writes the answer.
 */
export type AnswerChange = 'answer' | 'words'

/** The last conversation of a page. The next page begins after it. */
export type ConversationCursor = Pick<ConversationHead, 'id' | 'updatedAt'>

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

const NUMBER_AND_COUNT = `
  SELECT number, (SELECT count(*) FROM ambit.exchanges e WHERE e.conversation = c.number) AS exchanges
  FROM ambit.conversations c WHERE owner = ? AND id = ? {forUpdate}`

const PUT_EXCHANGE = `
  INSERT INTO ambit.exchanges (conversation, at, id, question, place, model, asked_at, ended, shown, messages, whole, state)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (conversation, at) DO UPDATE SET id = excluded.id, question = excluded.question, place = excluded.place,
    model = excluded.model, asked_at = excluded.asked_at, ended = excluded.ended, shown = excluded.shown,
    messages = excluded.messages, whole = excluded.whole, state = excluded.state`

const DELETE_LATER = 'DELETE FROM ambit.exchanges WHERE conversation = ? AND at > ?'
const TOUCH = 'UPDATE ambit.conversations SET place = ?, model = ?, updated_at = ? WHERE number = ?'

const LAST_EXCHANGE = `
  SELECT e.id, e.ended AS "end", e.shown FROM ambit.exchanges e JOIN ambit.conversations c ON c.number = e.conversation
  WHERE c.owner = ? AND c.id = ? ORDER BY e.at DESC LIMIT 1`

const ADD_COMMAND = 'INSERT INTO ambit.answer_words (owner, conversation, giver, word) VALUES (?, ?, ?, ?)'
const DELETE_COMMANDS = 'DELETE FROM ambit.answer_words WHERE owner = ? AND conversation = ?'
const HAS_COMMANDS = 'SELECT 1 FROM ambit.answer_words WHERE owner = ? AND conversation = ? AND giver = ? LIMIT 1'
const TAKE_COMMANDS = `${DELETE_COMMANDS} AND giver = ? RETURNING number, word`

const ABANDON = `
  UPDATE ambit.exchanges SET ended = 'abandoned'
  WHERE ended IS NULL AND conversation = (SELECT number FROM ambit.conversations WHERE owner = ? AND id = ?)`

interface StoreContext {
  readonly database: Database
  readonly owner: string
  readonly times: LeaseTimes | undefined
  /** Leases of the answers of this process. */
  readonly leases: Map<string, Lease>
  write<Result>(id: string, work: () => Statements<Result>): Promise<Result>
}

/** The conversations of one owner, in a database. */
export function createConversationStore(database: Database, owner: string, times?: LeaseTimes) {
  const write: StoreContext['write'] = (id, work) => database.write(`conversation ${id}`, work)
  const context: StoreContext = { database, owner, times, leases: new Map(), write }
  return { ...storedExchanges(context), ...runningAnswers(context) }
}

function storedExchanges({ database, owner, leases, write }: StoreContext) {
  return {
    /** @throws ContextError `conflict` for an id that exists. */
    begin: ({ id, title, place, model }: NewConversation): Promise<ConversationHead> =>
      write(id, function* () {
        const now = new Date().toISOString()
        if ((yield* execute(INSERT, owner, id, title, place, model, now, now)) > 0)
          return { id, title, place, model, createdAt: now, updatedAt: now, exchanges: 0 }
        const hint = 'Begin one with another id.'
        throw new ContextError('conflict', `There is a conversation ${id} already.`, { hint })
      }),
    /** At most `limit` conversations, the last changed first. `after`: the last conversation of the previous page. */
    list: (limit: number, after?: ConversationCursor): Promise<ConversationHead[]> => {
      const order = 'ORDER BY updated_at DESC, id DESC LIMIT ?'
      const ofOwner = `${HEADS} WHERE owner = ?`
      return database.read(
        after
          ? queryRows(`${ofOwner} AND (updated_at, id) < (?, ?) ${order}`, owner, after.updatedAt, after.id, limit)
          : queryRows(`${ofOwner} ${order}`, owner, limit),
      )
    },
    get: (id: string): Promise<Conversation | undefined> =>
      database.readTogether(function* () {
        const head = yield* selectRow<ConversationHead>(`${HEADS} WHERE owner = ? AND id = ?`, owner, id)
        return head && { head, exchanges: (yield* selectRows<object>(EXCHANGES, owner, id)).map(exchangeOf) }
      }),
    /** Returns whether the conversation existed. */
    rename: async (id: string, title: string) => (await write(id, () => execute(RENAME, title, owner, id))) > 0,
    /** Returns whether the conversation existed. */
    remove: async (id: string) => (await write(id, () => execute(REMOVE, owner, id))) > 0,
    /**
     * Stores an exchange at a position, from 0. Replaces an exchange at this position, and removes all later exchanges.
     *
     * @throws ContextError `not-found` for an unknown or removed conversation; `conflict` for a position that would leave a gap.
     */
    put: (id: string, position: number, exchange: Exchange): Promise<void> =>
      write(id, function* () {
        yield* assertHeld(leases.get(id))
        const conversation = yield* selectRow<{ number: number; exchanges: number }>(NUMBER_AND_COUNT, owner, id)
        if (!conversation) throw noConversation(id)
        if (position > conversation.exchanges) throw positionGapError(id, position, conversation.exchanges)
        const { question, place, model, askedAt, end, isWhole } = exchange
        const [shown = '', messages = '', state = ''] = [exchange.shown, exchange.messages, exchange.state].map(
          (value) => JSON.stringify(value ?? null),
        )
        yield* execute(DELETE_LATER, conversation.number, position)
        const values = [exchange.id, question, place, model, askedAt, end, shown, messages, Number(isWhole), state]
        yield* execute(PUT_EXCHANGE, conversation.number, position, ...values)
        yield* execute(TOUCH, place, model, new Date().toISOString(), conversation.number)
        yield* notify(`answer ${id}`)
      }),
    /** The last exchange as people see it; undefined if the conversation has no exchange. */
    last: (id: string): Promise<LastExchange | undefined> =>
      database.read(
        queryRow<LastExchange & { shown: string }>(LAST_EXCHANGE, owner, id),
        (row) => row && { ...row, shown: JSON.parse(row.shown) },
      ),
  }
}

function runningAnswers({ database, owner, times, leases, write }: StoreContext) {
  const leaseOf = (id: string) => new Lease(database, answerLease(owner, id), { times })
  return {
    /**
     * Runs `work` while no other process answers in the conversation, which need not exist yet. First deletes commands
     * for earlier answers, and sets the end of an unfinished exchange to `abandoned`, because its process has ended.
     *
     * @throws ContextError `conflict` while another answer runs, and from `put` after another process has taken over.
     */
    exclusively: async <Value>(id: string, work: () => Promise<Value>): Promise<Value> => {
      if (leases.has(id)) throw answeringError(id)
      const lease = leaseOf(id)
      leases.set(id, lease)
      const answer = async () => {
        await lease.write(`conversation ${id}`, function* () {
          yield* execute(DELETE_COMMANDS, owner, id)
          yield* execute(ABANDON, owner, id)
        })
        return work()
      }
      return lease.hold(0, answer).finally(() => {
        leases.delete(id)
        database.wake(`answer ${id}`)
      })
    },
    /** The id of the running answer; undefined without one. */
    findAnswer: async (id: string): Promise<string | undefined> => {
      const holder = await leaseOf(id).findLiving()
      return holder === undefined ? undefined : idOfHolder(holder)
    },
    /** Sends a command to the process that writes this answer. */
    sendCommand: (id: string, answer: string, command: string): Promise<void> =>
      write(id, function* () {
        yield* execute(ADD_COMMAND, owner, id, answer, command)
        yield* notify(`words ${id}`)
      }),
    /**
     * Removes and returns the new commands for the running answer, in order. Outside of `exclusively`, returns no
     * command.
     *
     * @throws ContextError `conflict` if another process has taken over.
     */
    receiveCommands: async (id: string): Promise<string[]> => {
      const lease = leases.get(id)
      if (lease?.holder === undefined) return []
      const answerKey = [owner, id, idOfHolder(lease.holder)] as const
      // Reads first, because most calls find no command and then need no write.
      if ((await database.read(queryColumn(HAS_COMMANDS, ...answerKey))).length === 0) {
        await lease.assertStillHeld()
        return []
      }
      return lease.write(`conversation ${id}`, function* () {
        const rows = yield* selectRows<{ number: number; word: string }>(TAKE_COMMANDS, ...answerKey)
        return rows.sort((one, other) => one.number - other.number).map(({ word }) => word)
      })
    },
    watch: (id: string, what: AnswerChange) => database.watch(`${what} ${id}`),
  }
}

/** `end` is null while the answer runs. */
function exchangeOf(row: object): Exchange {
  return {
    end: null,
    ...readRow<Omit<Exchange, 'end'>>(row, { json: ['shown', 'messages', 'state'], flags: ['isWhole'] }),
  }
}

function noConversation(id: string): ContextError {
  return new ContextError('not-found', `There is no conversation ${id}.`, { hint: 'Run "ambit conversation list".' })
}

function positionGapError(id: string, position: number, exchanges: number): ContextError {
  const message = `The conversation ${id} has ${exchanges} exchanges, and none can be number ${position}.`
  return new ContextError('conflict', message, { hint: 'Another program has changed it: read it again.' })
}

export type ConversationStore = ReturnType<typeof createConversationStore>
