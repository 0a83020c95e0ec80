import type { ChatTransport, UIMessage, UIMessageChunk } from 'ai'
import { Failure } from '../api/call.ts'
import { joinAnswer, sendQuestion } from '../api/chat.ts'
import { eventsOf } from '../api/follow.ts'

type Sending = Parameters<ChatTransport<UIMessage>['sendMessages']>[0]

/** Conversations in which nothing was being answered when that was asked last. */
const quiet = new Set<string>()

export function isIdle(id: string): boolean {
  return quiet.has(id)
}

/** Conversations that the server does not know yet: all their messages are sent. */
const whole = new Set<string>()

export function sendWhole(id: string): void {
  whole.add(id)
}

/**
 * Sends the last message alone: the server has the rest. The SDK's own checks chunks by schemas that are compiled, which the
 * content security policy refuses; what comes here comes from our own server.
 */
export const transport: ChatTransport<UIMessage> & { readonly resumeStreamIsReplay: boolean } = {
  resumeStreamIsReplay: true,
  async sendMessages({ chatId, messages, trigger, messageId, abortSignal, body }: Sending) {
    const last = trigger === 'regenerate-message' ? messages.findLast(({ role }) => role === 'user') : messages.at(-1)
    const sent = whole.has(chatId) ? messages : last ? [last] : []
    const response = await sendQuestion({ ...body, id: chatId, messages: sent, trigger, messageId }, abortSignal)
    whole.delete(chatId)
    return chunksOf(response)
  },
  async reconnectToStream({ chatId, abortSignal }) {
    const response = await joinAnswer(chatId, abortSignal)
    if (response) quiet.delete(chatId)
    else quiet.add(chatId)
    return response ? chunksOf(response) : null
  },
}

/** @throws Failure where the stream ends before the answer does. */
async function* readChunks(response: Response): AsyncGenerator<UIMessageChunk> {
  for await (const { data } of eventsOf(response)) {
    if (data === '[DONE]') return
    yield JSON.parse(data)
  }
  throw broken()
}

function chunksOf(response: Response): ReadableStream<UIMessageChunk> {
  const chunks = readChunks(response)
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}

function broken(): Failure {
  return new Failure({
    code: 'unreachable',
    status: 0,
    detail: 'The connection to the server was lost.',
    hint: 'The answer continues on the server.',
  })
}
