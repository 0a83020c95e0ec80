/** How one signs in, and what one is then, as the OpenAPI document has it. */

const PROBLEM = { $ref: '#/components/responses/Problem' }
const text = { type: 'string' }
const texts = { type: 'array', items: text }

const ME = {
  type: 'object',
  properties: {
    name: { ...text, description: "'' for whoever runs the server" },
    isOwner: { type: 'boolean' },
    scopes: texts,
    collections: { type: ['array', 'null'], items: text, description: 'the only ones that there are; null for all' },
    operations: { ...texts, description: 'names of those that the scopes allow' },
  },
  required: ['name', 'isOwner', 'scopes', 'collections', 'operations'],
}

const SIGNED_IN = {
  description: 'Signed in: to the page, with a cookie for this browser.',
  headers: {
    Location: { schema: text },
    'Set-Cookie': { description: 'HttpOnly, for this server alone.', schema: text },
  },
}

const CODE = { name: 'code', in: 'query', required: true, description: 'good once, for an hour', schema: text }

const FORM = {
  type: 'object',
  properties: { token: { ...text, description: "the server's own, or one of ambit token create" } },
  required: ['token'],
}

export const PEOPLE = {
  '/api/me': {
    get: {
      operationId: 'me',
      summary: 'Who asks, and what they may',
      responses: {
        200: { description: 'Of the token or the cookie.', content: { 'application/json': { schema: ME } } },
        default: PROBLEM,
      },
    },
  },
  '/login': {
    get: {
      operationId: 'login.code',
      summary: 'Sign a browser in by the link that the server printed',
      security: [],
      parameters: [CODE],
      responses: { 303: SIGNED_IN, default: PROBLEM },
    },
    post: {
      operationId: 'login.token',
      summary: 'Sign a browser in with a token, from the form of a page of this server',
      security: [],
      requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: FORM } } },
      responses: { 303: SIGNED_IN, default: PROBLEM },
    },
  },
}
