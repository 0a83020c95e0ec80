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
    roots: { ...texts, description: 'directories that are served, for those who may add collections' },
  },
  required: ['name', 'isOwner', 'scopes', 'collections', 'operations', 'roots'],
}

const SIGNED_IN = {
  description: 'Signed in: to the page, with a cookie for this browser.',
  headers: {
    Location: { schema: text },
    'Set-Cookie': { description: 'HttpOnly, for this server alone.', schema: text },
  },
}

const BROWSERS = {
  type: 'object',
  properties: {
    browsers: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: text,
          name: { ...text, description: "'' for whoever runs the server" },
          device: { ...text, description: "such as 'Firefox on Linux'; '' where it does not tell" },
          by: { enum: ['link', 'token', 'provider'], description: 'how it came in' },
          usedAt: { ...text, description: 'last use, to the day; absent where its end is fixed' },
          expiresAt: text,
          isThis: { type: 'boolean', description: 'whether it is the one that asks' },
        },
        required: ['id', 'name', 'device', 'by', 'expiresAt', 'isThis'],
      },
    },
  },
  required: ['browsers'],
}

const LISTED = { description: 'Those that are signed in.', content: { 'application/json': { schema: BROWSERS } } }

const CODE = { name: 'code', in: 'query', required: true, description: 'good once, for an hour', schema: text }

const TO = {
  name: 'to',
  in: 'query',
  required: false,
  description: 'where in the UI to go on afterwards',
  schema: text,
}

const FORM = {
  type: 'object',
  properties: {
    token: { ...text, description: "the server's own, or one of ambit token create" },
    to: { ...text, description: 'where in the UI to go on; default: its first page' },
  },
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
  '/api/link': {
    post: {
      operationId: 'link',
      summary: 'Make a link that signs another browser in as whoever runs the server; it works once, within an hour',
      responses: {
        200: {
          description: 'The link made before does not work any more.',
          content: {
            'application/json': { schema: { type: 'object', properties: { path: text }, required: ['path'] } },
          },
        },
        default: PROBLEM,
      },
    },
  },
  '/api/browsers': {
    get: {
      operationId: 'browsers',
      summary: 'The browsers that are signed in; for whoever runs the server',
      responses: { 200: LISTED, default: PROBLEM },
    },
    post: {
      operationId: 'browsers.end',
      summary: 'Sign a browser out; for whoever runs the server',
      parameters: [{ name: 'end', in: 'query', required: true, description: 'its id', schema: text }],
      responses: { 200: LISTED, default: PROBLEM },
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
  '/login/oidc': {
    get: {
      operationId: 'login.oidc',
      summary: 'Lead a browser to the OpenID provider, where one is set',
      security: [],
      parameters: [TO],
      responses: { 303: { description: 'To the provider.', headers: SIGNED_IN.headers }, default: PROBLEM },
    },
  },
  '/login/oidc/callback': {
    get: {
      operationId: 'login.oidc.callback',
      summary: 'Where the provider leads a browser back to',
      security: [],
      parameters: [
        { name: 'code', in: 'query', required: false, schema: text },
        { name: 'state', in: 'query', required: true, schema: text },
      ],
      responses: {
        200: {
          description: 'Signed in: a page that goes on by itself, with a cookie for this browser.',
          headers: { 'Set-Cookie': SIGNED_IN.headers['Set-Cookie'] },
          content: { 'text/html': { schema: text } },
        },
        default: PROBLEM,
      },
    },
  },
  '/logout': {
    post: {
      operationId: 'logout',
      summary: 'Sign a browser out',
      security: [],
      responses: { 303: { description: 'Signed out, by a cookie that is over.', headers: SIGNED_IN.headers } },
    },
  },
}
