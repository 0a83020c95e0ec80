/** OpenAI's responses, as a service streams them, and what is wrong with what it is asked. */

import type { Body, Said } from './language-server.ts'

const USAGE = { input: 10, output: 5, cached: 0 }

/** `finish` in OpenAI's words for chat completions; here only what was cut has a reason. */
const CUT = { length: 'max_output_tokens', content_filter: 'content_filter' } as const

export function responsePieces(said: Said): string[] {
  const { calls = [], usage = USAGE, text = [] } = said
  const texts = typeof text === 'string' ? [text] : text
  const finish = said.finish === undefined ? 'stop' : said.finish
  const event = (type: string, rest: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
  const head = { id: 'resp', created_at: 1, model: 'm' }
  const message = { type: 'message', id: 'msg_0', role: 'assistant', content: [] }
  const spoken =
    texts.length === 0
      ? []
      : [
          event('response.output_item.added', { output_index: 0, item: message }),
          ...texts.map((delta) =>
            event('response.output_text.delta', { item_id: 'msg_0', output_index: 0, content_index: 0, delta }),
          ),
          event('response.output_item.done', { output_index: 0, item: message }),
        ]
  const called = calls.flatMap((call, at) => {
    const output_index = at + (texts.length > 0 ? 1 : 0)
    const written = typeof call.input === 'string' ? call.input : JSON.stringify(call.input)
    const half = Math.ceil(written.length / 2)
    const call_id = call.id ?? `call_${at}_${call.tool}`
    const item = { type: 'function_call', id: `fc_${at}`, call_id, name: call.tool, arguments: '' }
    return [
      event('response.output_item.added', { output_index, item }),
      ...[written.slice(0, half), written.slice(half)].map((delta) =>
        event('response.function_call_arguments.delta', { item_id: item.id, output_index, delta }),
      ),
      ...(isCutIn(said, at)
        ? []
        : [
            event('response.output_item.done', {
              output_index,
              item: { ...item, arguments: written, status: 'completed' },
            }),
          ]),
    ]
  })
  const counts = {
    input_tokens: usage.input,
    output_tokens: usage.output,
    input_tokens_details: { cached_tokens: usage.cached ?? 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  }
  const reason = finish === 'length' || finish === 'content_filter' ? CUT[finish] : undefined
  const ending =
    finish === null
      ? []
      : [
          event(reason ? 'response.incomplete' : 'response.completed', {
            response: { ...head, incomplete_details: reason ? { reason } : null, usage: counts },
          }),
        ]
  return [event('response.created', { response: head }), ...spoken, ...called, ...ending]
}

/** Where the wire is cut behind its JSON that is none, the last call has no end. */
function isCutIn({ finish, end, calls = [] }: Said, at: number): boolean {
  return finish === null && end === 'cut' && at === calls.length - 1
}

type Item = Readonly<Record<string, unknown>>

/** Each call is answered behind it, nothing is answered that was not called, and nothing is kept by the service. */
export function responseProblems(body: Body): string[] {
  const items = itemsIn(body)
  const problems = 'store' in body && body.store === false ? [] : ['The service is not told to keep nothing.']
  const open = new Set<string>()
  for (const [at, item] of items.entries()) {
    const { type, call_id: id, id: own } = item
    if (type === 'item_reference') problems.push(`Item ${at} refers to what is not kept.`)
    if (type === 'function_call_output') {
      if (!open.delete(String(id))) problems.push(`Item ${at} answers no call.`)
      continue
    }
    if (type === 'function_call') {
      if (open.has(String(id))) problems.push(`Item ${at} is a second call of ${id}.`)
      JSON.parse(String(item.arguments))
      open.add(String(id))
      continue
    }
    if (open.size > 0) problems.push(`Before item ${at} calls have no answer: ${[...open]}.`)
    if (type === undefined && typeof item.role !== 'string') problems.push(`Item ${at} is of nobody: ${own}.`)
  }
  return open.size > 0 ? [...problems, `Calls have no answer: ${[...open]}.`] : problems
}

function itemsIn(body: Body): readonly Item[] {
  return 'input' in body && Array.isArray(body.input) ? body.input : []
}
