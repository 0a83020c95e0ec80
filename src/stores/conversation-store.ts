/** The part of the port that keeps conversations with the assistant. */

import { type AnswerOf, count, object, text, withDescription } from '../core/answer.ts'
import type { Watch } from './change-notifier.ts'

export const conversationHead = {
  /** Whoever knows it may have made it up: 128 random bits, where Ambit makes it. */
  id: text,
  title: text,
  place: withDescription(text, 'the last place'),
  model: withDescription(text, 'the model of the last answer'),
  createdAt: withDescription(text, 'ISO 8601, UTC'),
  updatedAt: withDescription(text, 'ISO 8601, UTC'),
  /** Questions that were asked. */
  exchanges: count,
}
const headSchema = () => object(conversationHead)
export type ConversationHead = AnswerOf<typeof headSchema>

/** A question, and what came of it. What is JSON is kept as it is, and not looked into. */
export interface Exchange {
  /** Of the question, as clients know it. */
  readonly id: string
  readonly question: string
  readonly place: string
  readonly model: string
  /** ISO 8601, UTC. */
  readonly askedAt: string
  /** How it ended; null while it is being answered, or where that was cut off. */
  readonly end: string | null
  /** The answer as people see it. */
  readonly shown: unknown
  /** The messages to and from the model, in order. */
  readonly messages: unknown
  /** Whether the messages stand in for all those before, too. */
  readonly isWhole: boolean
  /** What the next exchange goes on from. */
  readonly state: unknown
}

export type LastExchange = Pick<Exchange, 'id' | 'end' | 'shown'>

export type NewConversation = Pick<ConversationHead, 'id' | 'title' | 'place' | 'model'>

export interface Conversation {
  readonly head: ConversationHead
  /** In the order in which they were asked. */
  readonly exchanges: readonly Exchange[]
}

/** What may change while an answer is given: what is kept of it, or what was said to whoever gives it. */
export type AnswerNews = 'answer' | 'words'

/** A point in the list: what comes behind a conversation that is known. */
export type After = Pick<ConversationHead, 'id' | 'updatedAt'>

export interface ConversationStore {
  /** @throws ContextError `conflict` when there is one of this id. */
  begin(conversation: NewConversation): Promise<ConversationHead>
  /** Those that were last changed first; at most `limit`. */
  list(limit: number, after?: After): Promise<ConversationHead[]>
  get(id: string): Promise<Conversation | undefined>
  /** Returns whether there was one. */
  rename(id: string, title: string): Promise<boolean>
  /** Returns whether there was one. */
  remove(id: string): Promise<boolean>
  /**
   * Keeps an exchange as the one of this number, from 0, in place of the one that was there; those behind it are gone.
   *
   * @throws ContextError `not-found` for a conversation that is none, or not any more; `conflict` for a number beyond the
   * next.
   */
  put(id: string, at: number, exchange: Exchange): Promise<void>
  /** What people see of the last one; undefined where there is none. */
  last(id: string): Promise<LastExchange | undefined>

  /**
   * Does something while nobody else gives an answer in this conversation, in any process; it may begin by that. An exchange that
   * has no end by then was cut off, and has the end `abandoned`.
   *
   * @throws ContextError `conflict` where somebody does. Of `put` within it, too, where another process has taken over.
   */
  exclusively<Value>(id: string, work: () => Promise<Value>): Promise<Value>
  /** Who gives an answer there and lives, by a name of that answer alone; undefined where nobody does. */
  giver(id: string): Promise<string | undefined>
  /** Says something to whoever gives that answer. */
  say(id: string, giver: string, word: string): Promise<void>
  /**
   * What was said to this process since it was last asked, in order: within `exclusively` alone.
   *
   * @throws ContextError `conflict` where another process has taken over.
   */
  words(id: string): Promise<string[]>
  watch(id: string, what: AnswerNews): Watch
}
