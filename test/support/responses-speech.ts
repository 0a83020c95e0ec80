/** OpenAI's responses, as a service streams them, and what is wrong with what it is asked. */

import type { Body } from './language-server.ts'
import { type Said, spelledOut } from './said.ts'
import { joinTurns, type Turn, turnProblems } from './turns.ts'

/** `finish` in OpenAI's words for chat completions; here only what was cut has a reason. */
const CUT = { length: 'max_output_tokens', content_filter: 'content_filter' } as const

export function responsePieces(said: Said): string[] {
  const { texts, calls, finish, usage } = spelledOut(said)
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
  const called = calls.flatMap(({ tool: name, id: call_id, written, halves }, at) => {
    const output_index = at + (texts.length > 0 ? 1 : 0)
    const item = { type: 'function_call', id: `fc_${at}`, call_id, name, arguments: '' }
    return [
      event('response.output_item.added', { output_index, item }),
      ...halves.map((delta) =>
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
    input_tokens_details: { cached_tokens: usage.cached },
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

/** Also, nothing is kept by the service. */
export function responseProblems(body: Body): string[] {
  const { input, store } = body as {
    readonly input?: readonly Readonly<Record<string, unknown>>[]
    readonly store?: unknown
  }
  const problems = store === false ? [] : ['The service is not told to keep nothing.']
  const turns = (input ?? []).map(({ type, role, call_id: id, arguments: written }, at): Turn => {
    if (type === 'function_call_output') return { role: 'tool', answers: [String(id)] }
    if (type === 'function_call') return { role: 'assistant', calls: [JSON.parse(String(written)) && String(id)] }
    if (type === 'item_reference') problems.push(`Item ${at} refers to what is not kept.`)
    else if (type === undefined && typeof role !== 'string') problems.push(`Item ${at} is of nobody.`)
    return { role: String(role ?? 'assistant') }
  })
  return [...problems, ...turnProblems(joinTurns(turns), false)]
}
