/** Signing in, as the OpenAPI document has it. */

import { array, object, text, withDescription } from '../../../core/answer.ts'
import { signedInBrowser } from '../../../engine/sign-ins.ts'
import { meAnswer } from './me.ts'

const PROBLEM = { $ref: '#/components/responses/Problem' }

const SIGNED_IN = {
  description: 'Signed in: to the page, with a cookie for this browser.',
  headers: {
    Location: { schema: text },
    'Set-Cookie': { description: 'HttpOnly, for this server alone.', schema: text },
  },
}

const BROWSERS = object({ browsers: array(signedInBrowser()) })

const LISTED = { description: 'Those that are signed in.', content: { 'application/json': { schema: BROWSERS } } }

const CODE = { name: 'code', in: 'query', required: true, description: 'good once, for an hour', schema: text }

const TO = {
  name: 'to',
  in: 'query',
  required: false,
  description: 'where in the UI to go on afterwards',
  schema: text,
}

const FORM = object({
  token: withDescription(text, "the server's own, or one of ambit token create"),
  'to?': withDescription(text, 'the page to return to; default: the first page'),
})

export const PEOPLE = {
  '/api/me': {
    get: {
      operationId: 'me',
      summary: 'Who asks, and what they may',
      responses: {
        200: { description: 'Of the token or the cookie.', content: { 'application/json': { schema: meAnswer() } } },
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
            'application/json': { schema: object({ path: text }) },
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
