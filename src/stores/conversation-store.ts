/** The part of the port that keeps conversations with the assistant. */

import { type AnswerOf, count, object, text, withDescription } from '../core/answer.ts'
import type { createConversationStore } from './statements/conversations.ts'

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

export type ConversationStore = ReturnType<typeof createConversationStore>
