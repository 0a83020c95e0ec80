import type { AnswerOf } from '../../core/answer.ts'
import type { conversationAnswer } from '../../engine/engine.ts'
import { oneLine } from '../../text/controls.ts'
import { countNoun } from '../../text/counts.ts'

/** The input that names one. */
export const idInput = {
  id: {
    is: 'text',
    required: true,
    names: 'conversations',
    description: 'the id of a conversation, as "ambit conversation list" shows it',
  },
} as const

/** A line of a list. */
export function conversationLine({
  id,
  title,
  place,
  updatedAt,
  exchanges,
}: AnswerOf<typeof conversationAnswer>): string {
  const when = updatedAt.slice(0, 16).replace('T', ' ')
  return [id, when, countNoun(exchanges, 'question'), oneLine(title), oneLine(place)].join('\t')
}
