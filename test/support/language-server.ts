/** Language models on loopback that say what a script has, and refuse, as real ones do, a conversation out of order. */

import { conversePieces, converseProblems } from './converse-speech.ts'
import { geminiPieces, geminiProblems } from './gemini-speech.ts'
import { type Fault, type ModelServer, modelServer, type Streamed } from './model-server.ts'
import { responsePieces, responseProblems } from './responses-speech.ts'
import { type Said, spelledOut } from './said.ts'
import { joinTurns, turnProblems } from './turns.ts'

export type { Said } from './said.ts'

/** How services speak in text: OpenAI's chat completions, its responses, and Anthropic's messages. */
export type Speech = 'chat' | 'responses' | 'messages'

export const SPEECHES: readonly Speech[] = ['chat', 'responses', 'messages']

/** And Amazon's Converse, in frames of bytes, and Gemini's contents. */
export type AnySpeech = Speech | 'converse' | 'gemini'

const PATHS = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  converse: '/converse-stream',
  gemini: ':streamGenerateContent?alt=sse',
} as const

/** One after the other; the last one for all that come behind it. */
export type Script = readonly (
  | Said
  | { readonly fault: Fault }
  | { readonly stream: Streamed }
  | ((body: Body) => Said)
)[]

export interface Body {
  readonly model: string
  readonly stream?: boolean
  readonly system?: unknown
  readonly max_tokens?: number
  /** Of responses their items, and of Gemini its contents: sent by another name. */
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  readonly tools?: readonly Readonly<Record<string, unknown>>[]
  /** Converse has its tools in it. */
  readonly toolConfig?: { readonly tools?: readonly { readonly toolSpec: object }[] }
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
    const { input, contents = input } = Object(body)
    if (contents !== undefined) Object.defineProperty(body, 'messages', { value: contents })
    const wrong = problemsOf(speech, body, path)
    problems.push(...wrong)
    if (wrong.length > 0) {
      const error = { type: 'invalid_request_error', message: wrong.join(' ') }
      return { fault: { status: 400, body: JSON.stringify({ type: 'error', error }) } }
    }
    const step = script[Math.min(next++, script.length - 1)] ?? { text: 'ok' }
    if ('fault' in step || 'stream' in step) return step
    return { stream: streamed(speech, typeof step === 'function' ? step(body) : step) }
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
  gemini: geminiPieces,
}

function chatPieces(said: Said): string[] {
  const { texts, calls, finish, usage } = spelledOut(said)
  const chunk = (delta: object, rest: object = { finish_reason: null }) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, ...rest }] })}\n\n`
  const called = calls.flatMap(({ tool: name, id, halves }, index) => [
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ...halves.map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
  ])
  const counts = {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
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
    ...texts.map((content) => chunk({ content })),
    ...called,
    ...ending,
  ]
}

const STOPS = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use', content_filter: 'refusal' } as const

function messagePieces(said: Said): string[] {
  const { texts, calls, finish, usage } = spelledOut(said)
  const event = (type: string, rest: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
  const text =
    texts.length === 0
      ? []
      : [
          event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
          ...texts.map((one) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: one } })),
          event('content_block_stop', { index: 0 }),
        ]
  const called = calls.flatMap(({ tool: name, id, halves }, at) => {
    const index = at + (texts.length > 0 ? 1 : 0)
    return [
      event('content_block_start', { index, content_block: { type: 'tool_use', id, name, input: {} } }),
      ...halves.map((part) =>
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
    usage: { input_tokens: usage.input, output_tokens: 0, cache_read_input_tokens: usage.cached },
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

function problemsOf(speech: AnySpeech, body: Body, path: string): string[] {
  return [
    ...(path.endsWith(PATHS[speech]) ? [] : [`The path is ${path}.`]),
    ...PROBLEMS[speech](body),
    ...toolsIn(body).flatMap((tool) => toolProblems(speech === 'chat' ? Object(tool.function) : tool)),
  ]
}

function toolsIn({ tools = [], toolConfig }: Body): readonly Readonly<Record<string, unknown>>[] {
  if (toolConfig?.tools) return toolConfig.tools.map(({ toolSpec }) => ({ ...toolSpec }))
  return tools.flatMap((tool) => Object(tool).functionDeclarations ?? tool)
}

const PROBLEMS: Readonly<Record<AnySpeech, (body: Body) => string[]>> = {
  chat: (body) => chatProblems(body),
  responses: responseProblems,
  messages: (body) => messageProblems(body),
  converse: converseProblems,
  gemini: geminiProblems,
}

function toolProblems(tool: Readonly<Record<string, unknown>>): string[] {
  const schema = Object(
    tool.parameters ?? tool.parametersJsonSchema ?? tool.input_schema ?? Object(tool.inputSchema).json,
  )
  const isNamed = /^[a-zA-Z0-9_-]{1,64}$/.test(String(tool.name))
  const isDescribed = typeof tool.description === 'string' && tool.description !== ''
  const isObject = schema.type === 'object' && typeof schema.properties === 'object'
  const known = new Set(Object.keys(Object(schema.properties)))
  const unknown = (schema.required ?? []).filter((name: string) => !known.has(name))
  return isNamed && isDescribed && isObject && unknown.length === 0 ? [] : [`The tool ${JSON.stringify(tool)} is none.`]
}

function chatProblems({ messages }: Body): string[] {
  const turns = messages.map(({ role, tool_calls: calls = [], tool_call_id: id }) => {
    for (const call of calls as readonly { readonly function: { readonly arguments: string } }[])
      JSON.parse(call.function.arguments)
    const ids = (calls as readonly { readonly id: string }[]).map((call) => call.id)
    return { role: String(role), calls: ids, answers: id === undefined ? [] : [String(id)] }
  })
  return turnProblems(joinTurns(turns), false)
}

function messageProblems({ messages, max_tokens: most }: Body): string[] {
  const turns = messages.map(({ role, content }) => {
    const blocks = (Array.isArray(content) ? content : []) as readonly Readonly<Record<string, unknown>>[]
    const ids = (type: string, name: string) => blocks.flatMap((one) => (one.type === type ? [String(one[name])] : []))
    const isMixed = blocks.some(({ type }, at) => type === 'tool_result' && at > 0 && blocks[at - 1]?.type !== type)
    const turn = { role: String(role), calls: ids('tool_use', 'id'), answers: ids('tool_result', 'tool_use_id') }
    return { ...turn, isMixed }
  })
  return [
    ...(typeof most === 'number' && most > 0 ? [] : ['max_tokens is missing.']),
    ...(turns.some(({ isMixed }) => isMixed) ? ['Results stand behind texts.'] : []),
    ...turnProblems(turns, true),
  ]
}

/** The messages of a request, without the marks of what may be kept, each as its bytes. */
export function messagesIn({ messages, system }: Body): string[] {
  const bytes = (one: unknown) => JSON.stringify(one, (name, value) => (name === 'cache_control' ? undefined : value))
  return [bytes(system ?? null), ...messages.map(bytes)]
}
