import type { Engine } from '../../../engine/engine.ts'
import type { ChatAsked } from './asked.ts'

type Conversations = Awaited<ReturnType<Engine['conversations']>>
type Exchange = Parameters<Conversations['put']>[2]

/** Keeps what a client says was said before: its words alone, since nobody else has seen the rest. */
export async function imported(conversations: Conversations, asked: ChatAsked, model: string): Promise<void> {
  const about = { place: asked.place ?? '.', model }
  const exchanges = exchangesOf(asked.before, about)
  const [first] = exchanges
  if (!first) return
  await conversations.begin(first.question, { id: asked.id, ...about })
  for (const [at, exchange] of exchanges.entries()) await conversations.put(asked.id, at, exchange)
}

function exchangesOf(before: ChatAsked['before'], about: Pick<Exchange, 'place' | 'model'>): Exchange[] {
  const exchanges: Exchange[] = []
  for (const [at, { role, text }] of before.entries()) {
    if (role !== 'user') continue
    const next = before[at + 1]
    const answer = next?.role === 'assistant' ? next.text : undefined
    const said = answer === undefined ? [] : [{ role: 'assistant', parts: [{ type: 'text', text: answer }] }]
    exchanges.push({
      ...about,
      id: `before-${at}`,
      question: text,
      askedAt: new Date().toISOString(),
      end: 'done',
      shown: { parts: said.flatMap(({ parts }) => parts.map((part) => ({ ...part, state: 'done' }))), facts: DONE },
      messages: [{ role: 'user', text }, ...said],
      isWhole: false,
      state: null,
    })
  }
  return exchanges
}

const DONE = { end: { reason: 'done' } }
