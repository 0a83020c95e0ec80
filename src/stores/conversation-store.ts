/** The part of the port that keeps conversations with the assistant. */

import { type AnswerOf, count, object, text, withDescription } from '../core/answer.ts'
import type { Watch } from './change-notifier.ts'

export const conversationHead = {
  /** Clients may choose it; Ambit's own are 128 random bits. */
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

/** A question and its answer. JSON is stored as it is. */
export interface Exchange {
  /** Of the question, as clients know it. */
  readonly id: string
  readonly question: string
  readonly place: string
  readonly model: string
  /** ISO 8601, UTC. */
  readonly askedAt: string
  /** How it ended; null while the answer runs, or when it was cut off. */
  readonly end: string | null
  /** The answer as people see it. */
  readonly shown: unknown
  /** The messages to and from the model, in order. */
  readonly messages: unknown
  /** Whether the messages replace those of all exchanges before. */
  readonly isWhole: boolean
  /** The state that the next exchange begins with. */
  readonly state: unknown
}

export type LastExchange = Pick<Exchange, 'id' | 'end' | 'shown'>

export type NewConversation = Pick<ConversationHead, 'id' | 'title' | 'place' | 'model'>

export interface Conversation {
  readonly head: ConversationHead
  /** In the order in which they were asked. */
  readonly exchanges: readonly Exchange[]
}

/** What may change during an answer: its stored exchange, or the commands for the process that gives it. */
export type AnswerNews = 'answer' | 'words'

/** A position in the list: after this conversation. */
export type After = Pick<ConversationHead, 'id' | 'updatedAt'>

export interface ConversationStore {
  /** @throws ContextError `conflict` when there is one of this id. */
  begin(conversation: NewConversation): Promise<ConversationHead>
  /** The last changed first; at most `limit`. */
  list(limit: number, after?: After): Promise<ConversationHead[]>
  get(id: string): Promise<Conversation | undefined>
  /** Returns whether there was one. */
  rename(id: string, title: string): Promise<boolean>
  /** Returns whether there was one. */
  remove(id: string): Promise<boolean>
  /**
   * Stores an exchange under this number, from 0; replaces the one there, and removes all after it.
   *
   * @throws ContextError `not-found` for a conversation that is none, or not any more; `conflict` for a number beyond the
   * next.
   */
  put(id: string, at: number, exchange: Exchange): Promise<void>
  /** The last exchange as people see it; undefined when there is none. */
  last(id: string): Promise<LastExchange | undefined>

  /**
   * Runs `work` while no other process answers in this conversation, which need not exist yet. An exchange without an end was
   * cut off: it gets the end `abandoned`.
   *
   * @throws ContextError `conflict` while another answer runs; `put` within it, too, once another process has taken over.
   */
  exclusively<Value>(id: string, work: () => Promise<Value>): Promise<Value>
  /** The id of the answer that runs; undefined when none does. */
  findAnswer(id: string): Promise<string | undefined>
  /** Sends a command to the process that gives this answer. */
  sendCommand(id: string, answer: string, command: string): Promise<void>
  /**
   * New commands for this process, in order; only within `exclusively`.
   *
   * @throws ContextError `conflict` where another process has taken over.
   */
  receiveCommands(id: string): Promise<string[]>
  watch(id: string, what: AnswerNews): Watch
}
