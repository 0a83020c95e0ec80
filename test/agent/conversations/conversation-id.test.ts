import { expect, it } from 'vitest'
import { newConversationId } from '../../../src/agent/conversations.ts'

it('the id of a conversation is a word for a command line, and no option', () => {
  const ids = Array.from({ length: 5_000 }, newConversationId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^\w[\w-]{21}$/.test(id))).toEqual([])
})
