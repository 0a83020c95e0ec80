/** The shapes of the answers that the commands on conversations give. Plain data. */

import { type AnswerOf, array, object, oneOf, opaque, text } from '../core/answer.ts'
import { conversationHead } from '../stores/conversation-store.ts'
import type { AnswerFacts, ShownPart } from './transcript.ts'

export const conversationAnswer = () => object(conversationHead)

/** Conversations, the last changed first. `next`: cursor of the next page; absent on the last. */
export const conversationsAnswer = () => object({ conversations: array(object(conversationHead)), 'next?': text })
export type ConversationsAnswer = AnswerOf<typeof conversationsAnswer>

const shownParts = array(opaque<ShownPart>())

/** A message in the format of the AI SDK for user interfaces. */
const shownMessage = () =>
  object({ id: text, role: oneOf('user', 'assistant'), parts: shownParts, metadata: opaque<AnswerFacts>() })
export type ShownMessage = AnswerOf<typeof shownMessage>

/** A conversation with its messages as people see them. */
export const shownConversation = () => object({ ...conversationHead, messages: array(shownMessage()) })
export type ShownConversation = AnswerOf<typeof shownConversation>

export const conversationExport = () => object({ id: text, title: text, markdown: text })
export type ConversationExport = AnswerOf<typeof conversationExport>
