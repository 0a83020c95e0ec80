import { array, count, flag, type JsonSchema, object, oneOf, opaque, text, withDescription } from '../../core/answer.ts'
import { signedInBrowser } from '../../engine/sign-ins.ts'
import type { AnyOperation } from '../../operations/index.ts'
import { schemasOf } from './api-operations.ts'
import { content, endpoint, jsonContent, jsonResponses, noContent, PROBLEM, parameter } from './endpoint.ts'
import { PROBE_ENDPOINTS } from './probes.ts'
import { CODE_STATUS } from './problem.ts'
import { sessionPaths } from './sessions/openapi.ts'
import { meAnswer } from './sign-on/me.ts'

/** The OpenAPI 3.1 description of the API, made from the list of operations. */
export function openApi(operations: readonly AnyOperation[], version: string): object {
  const paths = operations.map((operation) => [`/api/${operation.name}`, pathItem(operation)] as const)
  return {
    openapi: '3.1.0',
    info: { title: 'Ambit', version, description: 'The context that applies where an agent works, and why.' },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths: { ...Object.fromEntries(paths), ...sessionPaths(), ...OTHER_ENDPOINTS },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: PROBLEM_SCHEMA },
      responses: {
        Problem: PROBLEM_RESPONSE,
        NotModified: { description: 'The answer still has this ETag.', headers: ETAG },
      },
      parameters: { LastEventId: LAST_EVENT_ID, IfNoneMatch: IF_NONE_MATCH },
    },
  }
}

/** Describes the path of an operation. Reading operations use GET, or POST for long inputs. */
function pathItem(operation: AnyOperation): object {
  const { name, summary, effect } = operation
  const { input, output } = schemasOf(operation)
  const description = 'The answer; with Accept: text/event-stream, first the events of the work, and then the answer.'
  const answerContent = { 'application/json': { schema: output }, 'text/event-stream': { schema: text } }
  const post = endpoint(`post post.${name}`, summary, {
    parameters: [LAST_EVENT_ID_REF],
    // The body is optional if no input is required.
    requestBody: { required: (input.required ?? []).length > 0, ...jsonContent(input) },
    responses: { 200: { description, content: answerContent }, default: PROBLEM },
  })
  if (effect === 'write') return post
  const get = endpoint(`get get.${name}`, summary, {
    parameters: [...parametersOf(input), IF_NONE_MATCH_REF, LAST_EVENT_ID_REF],
    responses: { 200: { description, headers: ETAG, content: answerContent }, 304: NOT_MODIFIED_REF, default: PROBLEM },
  })
  return { ...get, ...post }
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

const PROBLEM_SCHEMA = withDescription(
  object({
    type: text,
    title: text,
    status: count,
    detail: text,
    code: oneOf(...Object.keys(CODE_STATUS), 'internal'),
    'hint?': text,
  }),
  'RFC 9457, with the code of the error and what to do about it.',
)

const PROBLEM_RESPONSE = {
  description: 'What went wrong.',
  ...content('application/problem+json', { $ref: '#/components/schemas/Problem' }),
}

const LAST_EVENT_ID = parameter('Last-Event-ID', 'header', {
  description: 'Resumes a run after this event, with Accept: text/event-stream.',
})
const IF_NONE_MATCH = parameter('If-None-Match', 'header', { description: 'ETags of answers that the client has.' })
const ETAG = { ETag: { description: 'The version of this answer. A stream of events has none.', schema: text } }
const LAST_EVENT_ID_REF = { $ref: '#/components/parameters/LastEventId' }
const IF_NONE_MATCH_REF = { $ref: '#/components/parameters/IfNoneMatch' }
const RANGE = parameter('Range', 'header', { description: 'One range of bytes.' })
const NOT_MODIFIED_REF = { $ref: '#/components/responses/NotModified' }
const ANY_OBJECT = { type: 'object' }

const STREAM_RESPONSES = {
  200: {
    description: 'A message as a UI message stream of the AI SDK, version 1.',
    ...content('text/event-stream', text),
  },
  default: PROBLEM,
}

const CHAT_BODY = withDescription(
  object({
    id: withDescription(text, 'of the conversation'),
    messages: array(opaque()),
    'trigger?': oneOf('submit-message', 'regenerate-message'),
    'messageId?': withDescription(text, 'the message to answer again'),
    'place?': withDescription(text, 'the place where the person works'),
    'model?': withDescription(text, 'PROVIDER/MODEL'),
    'view?': withDescription(opaque(), 'what the page shows: texts and numbers by name'),
    'questions?': withDescription(flag, 'whether the client shows data-question parts: questions of tool servers'),
  }),
  'As useChat sends it. Only the last message counts; the server keeps the earlier ones.',
)

const CONVERSATION_PARAMETERS = [parameter('id', 'path', { description: 'of the conversation' })]
const NO_ANSWER = 'No answer is in progress.'

/** Endpoints for answers of the assistant. To list and change conversations, clients call operations. */
const CHAT_ENDPOINTS = {
  '/api/chat': endpoint('post chat', 'Ask the assistant; the answer continues when the connection is closed', {
    requestBody: { required: true, ...jsonContent(CHAT_BODY) },
    responses: STREAM_RESPONSES,
  }),
  '/api/chat/{id}/stream': endpoint('get chat.stream', 'The answer in progress, from its beginning', {
    parameters: CONVERSATION_PARAMETERS,
    responses: { ...STREAM_RESPONSES, ...noContent(NO_ANSWER) },
  }),
  '/api/chat/{id}/answer': endpoint('post chat.answer', 'Answer a question of a tool server', {
    parameters: CONVERSATION_PARAMETERS,
    requestBody: { required: true, ...jsonContent(object({ question: text, 'values?': opaque() })) },
    responses: noContent('The answer was delivered.'),
  }),
  '/api/chat/{id}/stop': endpoint('post chat.stop', 'Stop the answer in progress', {
    parameters: CONVERSATION_PARAMETERS,
    responses: noContent(NO_ANSWER),
  }),
  '/api/chat/{id}/prompt': endpoint('get chat.prompt', 'The messages of a conversation as the model got them', {
    parameters: CONVERSATION_PARAMETERS,
    responses: jsonResponses('The texts with their roles, and the number of tokens.', ANY_OBJECT),
  }),
  '/api/chat/models': endpoint('get chat.models', 'The models that a question can name', {
    responses: jsonResponses('Their names.', ANY_OBJECT),
  }),
}

const FILE_PATH = parameter('path', 'path', { description: 'the path of the file in the collection, with its slashes' })
const FILE_PARAMETERS = [parameter('collection', 'path'), FILE_PATH, RANGE, IF_NONE_MATCH_REF]
const PACKAGE = parameter('package', 'query', { required: true })

/** The bytes of a file. The name of the file decides the media type, but HTML, XML and scripts do not get their own types. */
const BYTES_RESPONSES = {
  200: {
    description:
      'The whole file, in a sandbox. Browsers show images and text. PDF, audio and video download with their media type, other files as application/octet-stream.',
    headers: ETAG,
    ...content('application/octet-stream', {}),
  },
  206: { description: 'The requested range; for files, not for entries.' },
  304: NOT_MODIFIED_REF,
  416: { description: 'The range is outside the file.' },
  default: PROBLEM,
}

const COOKIE = { 'Set-Cookie': { description: 'HttpOnly, only for this server.', schema: text } }
const SIGN_IN_HEADERS = { Location: { schema: text }, ...COOKIE }
const SIGNED_IN = { description: 'Signed in: a redirect, with a cookie for this browser.', headers: SIGN_IN_HEADERS }
const BROWSERS_RESPONSES = jsonResponses('The signed-in browsers.', object({ browsers: array(signedInBrowser()) }))
const CODE_PARAMETER = { required: true, description: 'valid once, within an hour' }
const RETURN_PARAMETER = { required: false, description: 'the page of the UI to open afterwards' }
const TOKEN_FORM = object({
  token: withDescription(text, 'the token of the server, or a token from "ambit token create"'),
  'to?': withDescription(text, 'the page to return to; default: the first page'),
})

/** Endpoints without a sign-in. */
const PUBLIC = { security: [] }

const SIGN_IN_ENDPOINTS = {
  '/api/me': endpoint('get me', 'The principal of the request, and its rights', {
    responses: jsonResponses('The principal of the token or the cookie.', meAnswer()),
  }),
  '/api/link': endpoint(
    'post link',
    'Make a link that signs another browser in as the owner of the server; it works once, within an hour',
    { responses: jsonResponses('The link. An earlier one no longer works.', object({ path: text })) },
  ),
  '/api/browsers': {
    ...endpoint('get browsers', 'The signed-in browsers; for the owner of the server', {
      responses: BROWSERS_RESPONSES,
    }),
    ...endpoint('post browsers.end', 'Sign a browser out; for the owner of the server', {
      parameters: [parameter('end', 'query', { required: true, description: 'its id' })],
      responses: BROWSERS_RESPONSES,
    }),
  },
  '/login': {
    ...endpoint('get login.code', 'Sign a browser in by the link that the server printed', {
      ...PUBLIC,
      parameters: [parameter('code', 'query', CODE_PARAMETER)],
      responses: { 303: SIGNED_IN, default: PROBLEM },
    }),
    ...endpoint('post login.token', 'Sign a browser in with a token, from the form of a page of this server', {
      ...PUBLIC,
      requestBody: { required: true, ...content('application/x-www-form-urlencoded', TOKEN_FORM) },
      responses: { 303: SIGNED_IN, default: PROBLEM },
    }),
  },
  '/login/oidc': endpoint('get login.oidc', 'Redirect a browser to the OpenID provider, if one is set', {
    ...PUBLIC,
    parameters: [parameter('to', 'query', RETURN_PARAMETER)],
    responses: { 303: { description: 'A redirect to the provider.', headers: SIGN_IN_HEADERS }, default: PROBLEM },
  }),
  '/login/oidc/callback': endpoint('get login.oidc.callback', 'The address to which the provider returns a browser', {
    ...PUBLIC,
    parameters: [parameter('code', 'query', { required: false }), parameter('state', 'query', { required: true })],
    responses: {
      200: {
        description: 'Signed in: a page that redirects, with a cookie for this browser.',
        headers: COOKIE,
        ...content('text/html', text),
      },
      default: PROBLEM,
    },
  }),
  '/logout': endpoint('post logout', 'Sign a browser out', {
    ...PUBLIC,
    responses: { 303: { description: 'Signed out: the cookie of this browser is removed.', headers: SIGN_IN_HEADERS } },
  }),
}

/** Endpoints that are not operations. */
export const OTHER_ENDPOINTS = {
  ...PROBE_ENDPOINTS,
  ...SIGN_IN_ENDPOINTS,
  '/openapi.json': endpoint('get openapi', 'This description', {
    parameters: [IF_NONE_MATCH_REF],
    responses: {
      200: { description: 'OpenAPI 3.1', headers: ETAG, ...jsonContent(ANY_OBJECT) },
      304: NOT_MODIFIED_REF,
      default: PROBLEM,
    },
  }),
  '/files/{collection}/{path}': endpoint(
    'get files',
    'The bytes of a file of a collection, whether it is indexed or not',
    { parameters: FILE_PARAMETERS, responses: BYTES_RESPONSES },
  ),
  '/entries': endpoint('get entries', 'The bytes of an entry of a package, checked by its manifest', {
    parameters: [PACKAGE, parameter('path', 'query', { required: false }), IF_NONE_MATCH_REF],
    responses: BYTES_RESPONSES,
  }),
  ...CHAT_ENDPOINTS,
  '/mcp': endpoint('post mcp', 'The Model Context Protocol, over streamable HTTP', {
    requestBody: { required: true, ...jsonContent(ANY_OBJECT) },
    responses: { default: { description: 'As the protocol says.' } },
  }),
}
