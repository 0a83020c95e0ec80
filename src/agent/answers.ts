/** Answers of the commands on conversations. Plain data. */

import { type AnswerOf, array, object, oneOf, opaque, text } from '../core/answer.ts'
import { conversationHead } from '../stores/conversation-store.ts'
import type { AnswerFacts, ShownPart } from './transcript.ts'

export const conversationAnswer = () => object(conversationHead)

/** Those that were last changed first. `next`: where the next page begins; absent on the last. */
export const conversationsAnswer = () => object({ conversations: array(object(conversationHead)), 'next?': text })
export type ConversationsAnswer = AnswerOf<typeof conversationsAnswer>

/** A message as the user interfaces of the AI SDK have it. */
const shownMessage = () =>
  object({
    id: text,
    role: oneOf('user', 'assistant'),
    parts: array(opaque<ShownPart>()),
    metadata: opaque<AnswerFacts>(),
  })
export type ShownMessage = AnswerOf<typeof shownMessage>

/** A conversation, with all that people see of it. */
export const shownConversation = () => object({ ...conversationHead, messages: array(shownMessage()) })
export type ShownConversation = AnswerOf<typeof shownConversation>

export const conversationExport = () => object({ id: text, title: text, markdown: text })
export type ConversationExport = AnswerOf<typeof conversationExport>
