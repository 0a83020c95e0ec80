/** Language models on loopback that say what a script has, and refuse, as real ones do, a conversation out of order. */

import { conversePieces, converseProblems } from './converse-speech.ts'
import { type Fault, type ModelServer, modelServer, type Streamed } from './model-server.ts'
import { responsePieces, responseProblems } from './responses-speech.ts'

/** How services speak in text: OpenAI's chat completions, its responses, and Anthropic's messages. */
export type Speech = 'chat' | 'responses' | 'messages'

export const SPEECHES: readonly Speech[] = ['chat', 'responses', 'messages']

/** And Amazon's Converse, in frames of bytes. */
export type AnySpeech = Speech | 'converse'

const PATHS = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  converse: '/converse-stream',
} as const

export interface SaidCall {
  readonly tool: string
  /** A text is sent as it is, JSON or not. */
  readonly input: object | string
  readonly id?: string
}

/** What a model says in one answer. */
export interface Said {
  readonly text?: string | readonly string[]
  /** Its thoughts, where chat completions have them. */
  readonly thought?: string
  readonly calls?: readonly SaidCall[]
  /** How it ends, in OpenAI's words; null: it does not say. Default: by what there is. */
  readonly finish?: 'stop' | 'length' | 'tool_calls' | 'content_filter' | null
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number }
  /** What becomes of the connection behind it. */
  readonly end?: Streamed['end']
}

/** One after the other; the last one for all that come behind it. */
export type Script = readonly (
  | Said
  | { readonly fault: Fault }
  | { readonly stream: Streamed }
  | ((body: Body) => Said | { readonly fault: Fault })
)[]

export interface Body {
  readonly model: string
  readonly stream?: boolean
  readonly system?: unknown
  readonly max_tokens?: number
  /** Of responses, their items: sent by another name. */
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  readonly tools?: readonly Readonly<Record<string, unknown>>[]
  /** Of Converse, which has its tools in it. */
  readonly toolConfig?: { readonly tools: readonly { readonly toolSpec: object }[] }
}

export interface LanguageServer extends ModelServer<Body> {
  /** What was wrong with what was asked. */
  readonly problems: readonly string[]
}

export async function languageServer(speech: AnySpeech, script: Script): Promise<LanguageServer> {
  const problems: string[] = []
  let next = 0
  const server = await modelServer<Body>((body, path) => {
    // Scripts look at it by one name.
    if ('input' in body) Object.defineProperty(body, 'messages', { value: body.input })
    const wrong = problemsOf(speech, body, path)
    problems.push(...wrong)
    if (wrong.length > 0) {
      const error = { type: 'invalid_request_error', message: wrong.join(' ') }
      return { fault: { status: 400, body: JSON.stringify({ type: 'error', error }) } }
    }
    const step = script[Math.min(next++, script.length - 1)] ?? { text: 'ok' }
    const said = typeof step === 'function' ? step(body) : step
    return 'fault' in said || 'stream' in said ? said : { stream: streamed(speech, said) }
  })
  return {
    ...server,
    get closed() {
      return server.closed
    },
    get problems() {
      return problems
    },
  }
}

/** An answer as the service would send it. */
export function streamed(speech: AnySpeech, said: Said): Streamed {
  const pieces = PIECES[speech](said)
  return { pieces, ...(said.end && { end: said.end }) }
}

const PIECES: Readonly<Record<AnySpeech, (said: Said) => Streamed['pieces']>> = {
  chat: (said) => chatPieces(said),
  responses: responsePieces,
  messages: (said) => messagePieces(said),
  converse: conversePieces,
}

const USAGE = { input: 10, output: 5, cached: 0 }

function textsOf({ text = [] }: Said): readonly string[] {
  return typeof text === 'string' ? [text] : text
}

function writtenOf({ input }: SaidCall): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}

function chatPieces(said: Said): string[] {
  const { calls = [], usage = USAGE } = said
  const finish = said.finish === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : said.finish
  const chunk = (delta: object, rest: object = { finish_reason: null }) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, ...rest }] })}\n\n`
  const called = calls.flatMap((call, index) => {
    const written = writtenOf(call)
    const half = Math.ceil(written.length / 2)
    const id = call.id ?? `call_${index}_${call.tool}`
    return [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name: call.tool, arguments: '' } }] }),
      ...[written.slice(0, half), written.slice(half)].map((part) =>
        chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
      ),
    ]
  })
  const counts = {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
  }
  const ending =
    finish === null
      ? []
      : [
          chunk({}, { finish_reason: finish }),
          `data: ${JSON.stringify({ id: 'c', choices: [], usage: counts })}\n\n`,
          'data: [DONE]\n\n',
        ]
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(said.thought === undefined ? [] : [chunk({ reasoning_content: said.thought })]),
    ...textsOf(said).map((content) => chunk({ content })),
    ...called,
    ...ending,
  ]
}

const STOPS = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use', content_filter: 'refusal' } as const

function messagePieces(said: Said): string[] {
  const { calls = [], usage = USAGE } = said
  const finish = said.finish === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : said.finish
  const event = (type: string, rest: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
  const texts = textsOf(said)
  const text =
    texts.length === 0
      ? []
      : [
          event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
          ...texts.map((one) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: one } })),
          event('content_block_stop', { index: 0 }),
        ]
  const called = calls.flatMap((call, at) => {
    const index = at + (texts.length > 0 ? 1 : 0)
    const written = writtenOf(call)
    const half = Math.ceil(written.length / 2)
    const block = { type: 'tool_use', id: call.id ?? `toolu_${at}_${call.tool}`, name: call.tool, input: {} }
    return [
      event('content_block_start', { index, content_block: block }),
      ...[written.slice(0, half), written.slice(half)].map((part) =>
        event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: part } }),
      ),
      // Where the wire is cut, the block has no end.
      ...(finish === null ? [] : [event('content_block_stop', { index })]),
    ]
  })
  const start = {
    id: 'msg',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: usage.input, output_tokens: 0, cache_read_input_tokens: usage.cached ?? 0 },
  }
  const ending =
    finish === null
      ? []
      : [
          event('message_delta', {
            delta: { stop_reason: STOPS[finish], stop_sequence: null },
            usage: { output_tokens: usage.output },
          }),
          event('message_stop'),
        ]
  return [event('message_start', { message: start }), ...text, ...called, ...ending]
}

type Message = Body['messages'][number]

function problemsOf(speech: AnySpeech, body: Body, path: string): string[] {
  return [
    ...(path.endsWith(PATHS[speech]) ? [] : [`The path is ${path}.`]),
    ...PROBLEMS[speech](body),
    ...toolsIn(body).flatMap((tool) => toolProblems(speech === 'chat' ? Object(tool.function) : tool)),
  ]
}

function toolsIn({ tools = [], toolConfig }: Body): readonly Readonly<Record<string, unknown>>[] {
  return toolConfig ? toolConfig.tools.map(({ toolSpec }) => ({ ...toolSpec })) : tools
}

const PROBLEMS: Readonly<Record<AnySpeech, (body: Body) => string[]>> = {
  chat: (body) => chatProblems(body),
  responses: responseProblems,
  messages: (body) => messageProblems(body),
  converse: converseProblems,
}

function toolProblems(tool: Readonly<Record<string, unknown>>): string[] {
  const schema = Object(tool.parameters ?? tool.input_schema ?? Object(tool.inputSchema).json)
  const isNamed = /^[a-zA-Z0-9_-]{1,64}$/.test(String(tool.name))
  const isDescribed = typeof tool.description === 'string' && tool.description !== ''
  const isObject = schema.type === 'object' && typeof schema.properties === 'object'
  const known = new Set(Object.keys(Object(schema.properties)))
  const unknown = (schema.required ?? []).filter((name: string) => !known.has(name))
  return isNamed && isDescribed && isObject && unknown.length === 0 ? [] : [`The tool ${JSON.stringify(tool)} is none.`]
}

/** Each call is answered at once, and nothing is answered that was not called. */
function chatProblems({ messages }: Body): string[] {
  const problems: string[] = []
  let open = new Set<string>()
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(String(message.tool_call_id))) problems.push(`Message ${at} answers no call.`)
      continue
    }
    if (open.size > 0) problems.push(`Before message ${at} calls have no answer: ${[...open]}.`)
    const calls = (message.tool_calls ?? []) as readonly {
      readonly id: string
      readonly function: { readonly arguments: string }
    }[]
    for (const call of calls) JSON.parse(call.function.arguments)
    open = new Set(calls.map(({ id }) => id))
    if (open.size < calls.length) problems.push(`Message ${at} has two calls of one id.`)
  }
  return open.size > 0 ? [...problems, `Calls have no answer: ${[...open]}.`] : problems
}

type Block = Readonly<Record<string, unknown>>

function messageProblems({ messages, max_tokens: most }: Body): string[] {
  const problems = [
    ...(typeof most === 'number' && most > 0 ? [] : ['max_tokens is missing.']),
    ...(messages[0]?.role === 'user' ? [] : ['The first message is not of the user.']),
  ]
  for (const [at, message] of messages.entries()) {
    const before = messages[at - 1]
    if (before?.role === message.role) problems.push(`Message ${at} is of ${message.role} again.`)
    const called = idsOf(before, 'tool_use', 'id')
    const answered = idsOf(message, 'tool_result', 'tool_use_id')
    if (called.join() !== answered.join()) problems.push(`Message ${at} answers ${answered}, called was ${called}.`)
    const kinds = blocksOf(message).map(({ type }) => type)
    if (kinds.lastIndexOf('tool_result') >= answered.length) problems.push(`Message ${at} has results behind texts.`)
  }
  return idsOf(messages.at(-1), 'tool_use', 'id').length > 0
    ? [...problems, 'The last calls have no answer.']
    : problems
}

function blocksOf(message: Message | undefined): readonly Block[] {
  return Array.isArray(message?.content) ? message.content : []
}

function idsOf(message: Message | undefined, type: string, name: string): string[] {
  return blocksOf(message).flatMap((block) => (block.type === type ? [String(block[name])] : []))
}

/** The messages of a request, without the marks of what may be kept, each as its bytes. */
export function messagesIn({ messages, system }: Body): string[] {
  const bytes = (one: unknown) => JSON.stringify(one, (name, value) => (name === 'cache_control' ? undefined : value))
  return [bytes(system ?? null), ...messages.map(bytes)]
}
