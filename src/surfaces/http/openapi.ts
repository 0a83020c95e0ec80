import { array, count, type JsonSchema, object, oneOf, opaque, text, withDescription } from '../../core/answer.ts'
import type { AnyOperation } from '../../operations/index.ts'
import { schemasOf } from './offered.ts'
import { SIGNS } from './probes.ts'
import { sessionPaths } from './sessions/described.ts'
import { PEOPLE } from './sign-on/described.ts'

/** The OpenAPI 3.1 description of the API, made from the list of operations. */
export function openApi(operations: readonly AnyOperation[], version: string): object {
  const paths = operations.map((operation) => [`/api/${operation.name}`, pathItem(operation)] as const)
  return {
    openapi: '3.1.0',
    info: { title: 'Ambit', version, description: 'The context that applies where an agent stands, and why.' },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths: { ...Object.fromEntries(paths), ...sessionPaths(), ...OTHERS },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: PROBLEM },
      responses: {
        Problem: PROBLEM_RESPONSE,
        NotModified: { description: 'The answer is the one of this ETag.', headers: ETAG },
      },
      parameters: { LastEventId: LAST_EVENT_ID, IfNoneMatch: IF_NONE_MATCH },
    },
  }
}

/** What reads is asked by GET, or by POST where the inputs are long. */
function pathItem(operation: AnyOperation): object {
  const { input } = schemasOf(operation)
  const post = describeOperation(operation, 'post', { requestBody: requestBody(input) })
  if (operation.effect === 'write') return { post }
  const conditional = { $ref: '#/components/parameters/IfNoneMatch' }
  const parameters = [...parametersOf(input), conditional]
  return { get: describeOperation(operation, 'get', { parameters }), post }
}

interface OperationInputs {
  readonly parameters?: readonly object[]
  readonly requestBody?: object
}

function describeOperation(operation: AnyOperation, method: 'get' | 'post', asked: OperationInputs): object {
  const { name, summary } = operation
  const { parameters = [], ...body } = asked
  const unchanged = method === 'get' ? { 304: { $ref: '#/components/responses/NotModified' } } : {}
  return {
    operationId: `${method}.${name}`,
    summary,
    parameters: [...parameters, { $ref: '#/components/parameters/LastEventId' }],
    ...body,
    responses: {
      200: {
        description: 'The answer; with Accept: text/event-stream the events of the work, and the answer as the last.',
        ...(method === 'get' && { headers: ETAG }),
        content: {
          'application/json': { schema: schemasOf(operation).output },
          'text/event-stream': { schema: text },
        },
      },
      ...unchanged,
      default: { $ref: '#/components/responses/Problem' },
    },
  }
}

function parametersOf({ properties = {}, required = [] }: JsonSchema): object[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(schema.description !== undefined && { description: schema.description }),
    ...(schema.type === 'array' && { style: 'form', explode: true }),
    schema,
  }))
}

/** Where nothing has to be given, there may be no body. */
function requestBody(schema: JsonSchema): object {
  return { required: (schema.required ?? []).length > 0, content: { 'application/json': { schema } } }
}

const PROBLEM = withDescription(
  object({
    type: text,
    title: text,
    status: count,
    detail: text,
    code: oneOf(
      'not-found',
      'invalid-input',
      'conflict',
      'denied',
      'untrusted',
      'unavailable',
      'over-limit',
      'cancelled',
      'internal',
    ),
    'hint?': text,
  }),
  'RFC 9457, with the code of the error and what to do about it.',
)

const PROBLEM_RESPONSE = {
  description: 'What went wrong.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'Goes on after an event of a run, with Accept: text/event-stream.',
  schema: { type: 'string' },
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'ETags of answers that are known.',
  schema: { type: 'string' },
}

const ETAG = {
  ETag: { description: 'Of this answer; not of a stream of events.', schema: text },
}

const CONDITION = { $ref: '#/components/parameters/IfNoneMatch' }

const RANGE = { name: 'Range', in: 'header', description: 'One range of bytes.', schema: text }

function pathParameter(name: string, description?: string): object {
  return { name, in: 'path', required: true, ...(description && { description }), schema: text }
}

function queryParameter(name: string, required: boolean): object {
  return { name, in: 'query', required, schema: text }
}

const STREAM = {
  200: {
    description: "The AI SDK's stream of a message for user interfaces, version 1.",
    content: { 'text/event-stream': { schema: text } },
  },
  default: { $ref: '#/components/responses/Problem' },
}

const CHAT_BODY = withDescription(
  object({
    id: withDescription(text, 'of the conversation'),
    messages: array(opaque()),
    'trigger?': oneOf('submit-message', 'regenerate-message'),
    'messageId?': withDescription(text, 'the message to answer again'),
    'place?': withDescription(text, 'the place of the person'),
    'model?': withDescription(text, 'PROVIDER/MODEL'),
    'view?': withDescription(opaque(), 'what the page shows: texts and numbers by name'),
  }),
  'As useChat sends it. Only the last message counts; the server keeps the earlier ones.',
)

const CHAT_ID = pathParameter('id', 'of the conversation')
const NO_CONTENT = { description: 'It does not exist, or no longer exists.' }

/** Answers of the assistant. Conversations are operations. */
const CHAT = {
  '/api/chat': {
    post: {
      operationId: 'chat',
      summary: 'Ask the assistant; the answer goes on when the connection is closed',
      requestBody: { required: true, content: { 'application/json': { schema: CHAT_BODY } } },
      responses: STREAM,
    },
  },
  '/api/chat/{id}/stream': {
    get: {
      operationId: 'chat.stream',
      summary: 'The answer that is being given, from its beginning',
      parameters: [CHAT_ID],
      responses: { ...STREAM, 204: NO_CONTENT },
    },
  },
  '/api/chat/{id}/stop': {
    post: {
      operationId: 'chat.stop',
      summary: 'Stop the answer that is being given',
      parameters: [CHAT_ID],
      responses: { 204: NO_CONTENT, default: { $ref: '#/components/responses/Problem' } },
    },
  },
  '/api/chat/{id}/prompt': {
    get: {
      operationId: 'chat.prompt',
      summary: 'What the model has been sent of a conversation',
      parameters: [CHAT_ID],
      responses: jsonResponse('Texts by who says them, and the tokens of all.'),
    },
  },
  '/api/chat/models': {
    get: {
      operationId: 'chat.models',
      summary: 'The models that can be asked for',
      responses: jsonResponse('Their names.'),
    },
  },
}

function jsonResponse(description: string): object {
  const content = { 'application/json': { schema: { type: 'object' } } }
  return { 200: { description, content }, default: { $ref: '#/components/responses/Problem' } }
}

/** A file as its name says; what a browser might run is to be saved. */
const BYTES = {
  200: {
    description: 'All of it, in a sandbox, as a picture, a PDF or a text; else of this type, to be saved.',
    headers: ETAG,
    content: { 'application/octet-stream': { schema: {} } },
  },
  206: { description: 'The range that was asked for; of a file alone.' },
  304: { $ref: '#/components/responses/NotModified' },
  416: { description: 'Nothing is in the range.' },
  default: { $ref: '#/components/responses/Problem' },
}

/** What is not an operation. */
const OTHERS = {
  ...SIGNS,
  ...PEOPLE,
  '/openapi.json': {
    get: {
      operationId: 'openapi',
      summary: 'This description',
      parameters: [{ $ref: '#/components/parameters/IfNoneMatch' }],
      responses: {
        200: {
          description: 'OpenAPI 3.1',
          headers: ETAG,
          content: { 'application/json': { schema: { type: 'object' } } },
        },
        304: { $ref: '#/components/responses/NotModified' },
        default: { $ref: '#/components/responses/Problem' },
      },
    },
  },
  '/files/{collection}/{path}': {
    get: {
      operationId: 'files',
      summary: 'The bytes of a file of a collection, whether it is indexed or not',
      parameters: [pathParameter('collection'), pathParameter('path', 'with its slashes'), RANGE, CONDITION],
      responses: BYTES,
    },
  },
  '/entries': {
    get: {
      operationId: 'entries',
      summary: 'The bytes of an entry of a package, held against its manifest',
      parameters: [queryParameter('package', true), queryParameter('path', false), CONDITION],
      responses: BYTES,
    },
  },
  ...CHAT,
  '/mcp': {
    post: {
      operationId: 'mcp',
      summary: 'The Model Context Protocol, over streamable HTTP',
      requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
      responses: { default: { description: 'As the protocol says.' } },
    },
  },
}
