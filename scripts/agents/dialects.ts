/** Four APIs of language models: where a request has the tools and their results, and how an answer is streamed. */

/** A tool that a request offers. */
export interface OfferedTool {
  readonly name: string
  readonly schema: Schema
  /** The namespace of the tool, in APIs that group tools. */
  readonly namespace?: string
}

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>
  readonly required?: readonly string[]
}

/** An answer of the model: a tool call, or the final text. */
export interface Reply {
  readonly tool?: {
    readonly name: string
    readonly namespace?: string
    readonly input: object | string
    readonly id: string
  }
  readonly text: string
}

export interface Dialect {
  /** Paths of requests in this dialect. */
  readonly path: RegExp
  tools(body: Json): OfferedTool[]
  /** The results of tool calls in the request, in order, as the model reads them. */
  results(body: Json): readonly string[]
  /** The answer as a stream of events. */
  stream(reply: Reply): string
}

/** A JSON object of unknown shape. */
export type Json = { readonly [key: string]: unknown }

const list = (value: unknown): Json[] => (Array.isArray(value) ? value : [])
const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {})
const toolOf = (tool: Json, schema: unknown): OfferedTool => ({ name: String(tool.name), schema: object(schema) })
const event = (type: string, rest: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`

/** The text of a result: the string itself, the texts of its parts, or its JSON. */
function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = list(content)
  return parts.length > 0
    ? parts.map((part) => (typeof part.text === 'string' ? part.text : JSON.stringify(part))).join('')
    : JSON.stringify(content ?? '')
}

const responses: Dialect = {
  path: /\/responses$/,
  tools: ({ tools }) =>
    list(tools).flatMap((tool) =>
      tool.type === 'namespace'
        ? list(tool.tools).map((each) => ({ ...toolOf(each, each.parameters), namespace: String(tool.name) }))
        : [toolOf(tool, tool.parameters)],
    ),
  results: ({ input }) =>
    list(input)
      .filter(({ type }) => /call_output$/.test(String(type)))
      .map(({ output }) => resultText(output)),
  stream({ tool, text }) {
    const item = tool
      ? {
          type: 'function_call',
          id: 'fc',
          call_id: tool.id,
          name: tool.name,
          ...(tool.namespace !== undefined && { namespace: tool.namespace }),
          arguments: JSON.stringify(tool.input),
        }
      : { type: 'message', id: 'msg', role: 'assistant', content: [{ type: 'output_text', text }] }
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
    return [
      event('response.created', { response: { id: 'resp' } }),
      event('response.output_item.added', { output_index: 0, item }),
      event('response.output_item.done', { output_index: 0, item }),
      event('response.completed', { response: { id: 'resp', usage } }),
    ].join('')
  },
}

const messages: Dialect = {
  path: /\/messages$/,
  tools: ({ tools }) => list(tools).map((tool) => toolOf(tool, tool.input_schema)),
  results: (body) =>
    list(body.messages)
      .flatMap(({ content }) => list(content).filter(({ type }) => type === 'tool_result'))
      .map(({ content }) => resultText(content)),
  stream({ tool, text }) {
    const block = tool ? { type: 'tool_use', id: tool.id, name: tool.name, input: {} } : { type: 'text', text: '' }
    const delta = tool
      ? { type: 'input_json_delta', partial_json: JSON.stringify(tool.input) }
      : { type: 'text_delta', text }
    const message = {
      id: 'msg',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      stop_sequence: null,
    }
    return [
      event('message_start', { message: { ...message, usage: { input_tokens: 10, output_tokens: 0 } } }),
      event('content_block_start', { index: 0, content_block: block }),
      event('content_block_delta', { index: 0, delta }),
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: 5 },
      }),
      event('message_stop', {}),
    ].join('')
  },
}

const chat: Dialect = {
  path: /\/chat\/completions$/,
  tools: ({ tools }) => list(tools).map((tool) => toolOf(object(tool.function), object(tool.function).parameters)),
  results: (body) =>
    list(body.messages)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => resultText(content)),
  stream({ tool, text }) {
    const call = tool && {
      index: 0,
      id: tool.id,
      type: 'function',
      function: { name: tool.name, arguments: JSON.stringify(tool.input) },
    }
    const chunk = (delta: object, finish_reason: string | null) =>
      data({
        id: 'c',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
        choices: [{ index: 0, delta, finish_reason }],
      })
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    return [
      chunk({ role: 'assistant', ...(call ? { tool_calls: [call] } : { content: text }) }, null),
      chunk({}, tool ? 'tool_calls' : 'stop'),
      data({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage }),
      'data: [DONE]\n\n',
    ].join('')
  },
}

const generate: Dialect = {
  path: /:(?:streamG|g)enerateContent$/,
  tools: ({ tools }) =>
    list(tools).flatMap(({ functionDeclarations }) =>
      list(functionDeclarations).map((tool) => toolOf(tool, tool.parametersJsonSchema ?? tool.parameters)),
    ),
  results: ({ contents }) =>
    list(contents)
      .flatMap(({ parts }) => list(parts).filter((part) => 'functionResponse' in part))
      .map(({ functionResponse }) => {
        const { response } = object(functionResponse)
        return resultText(object(response).output ?? response)
      }),
  stream({ tool, text }) {
    const part = tool ? { functionCall: { id: tool.id, name: tool.name, args: tool.input } } : { text }
    return data({
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    })
  },
}

const DIALECTS: readonly Dialect[] = [responses, messages, chat, generate]

/** The dialect of a request's path; undefined if the request is not for a model. */
export function dialectAt(path: string): Dialect | undefined {
  return DIALECTS.find((dialect) => dialect.path.test(path))
}

/**
 * An input for a tool: the first of `values` and all of `also` that the tool knows, and placeholders for other required fields.
 */
export function inputFor({ schema }: OfferedTool, { values = {}, also = {} }: GivenInputs): object {
  const { properties = {}, required = [] } = schema
  const knownIn = (inputs: GivenInputs['values']) => Object.entries(inputs ?? {}).filter(([name]) => name in properties)
  const known = { ...Object.fromEntries(knownIn(also)), ...Object.fromEntries(knownIn(values).slice(0, 1)) }
  const inputs = { ...Object.fromEntries(required.map((name) => [name, 'x'])), ...known }
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, valueOfType(properties[name]?.type, value)]),
  )
}

interface GivenInputs {
  readonly values?: Readonly<Record<string, string>>
  readonly also?: Readonly<Record<string, string>>
}

function valueOfType(type: unknown, value: string): unknown {
  const name = String(Array.isArray(type) ? type[0] : type).toLowerCase()
  if (name === 'array') return ['bash', '-lc', value]
  if (name === 'boolean') return false
  return name === 'number' || name === 'integer' ? 1 : value
}
