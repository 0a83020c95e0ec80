/** Signing in, as the OpenAPI document has it. */

import { array, object, text, withDescription } from '../../../core/answer.ts'
import { signedInBrowser } from '../../../engine/sign-ins.ts'
import { content, endpoint, jsonResponses, parameter, PROBLEM } from '../endpoint.ts'
import { meAnswer } from './me.ts'

const COOKIE = { 'Set-Cookie': { description: 'HttpOnly, for this server alone.', schema: text } }
const HEADERS = { Location: { schema: text }, ...COOKIE }
const SIGNED_IN = { description: 'Signed in: to the page, with a cookie for this browser.', headers: HEADERS }
const LISTED = jsonResponses('Those that are signed in.', object({ browsers: array(signedInBrowser()) }))
const CODE = { required: true, description: 'good once, for an hour' }
const TO = { required: false, description: 'where in the UI to go on afterwards' }
const FORM = object({
  token: withDescription(text, "the server's own, or one of ambit token create"),
  'to?': withDescription(text, 'the page to return to; default: the first page'),
})

/** Nobody has to be signed in. */
const OPEN = { security: [] }

export const PEOPLE = {
  '/api/me': endpoint('get me', 'Who asks, and what they may', {
    responses: jsonResponses('Of the token or the cookie.', meAnswer()),
  }),
  '/api/link': endpoint(
    'post link',
    'Make a link that signs another browser in as whoever runs the server; it works once, within an hour',
    { responses: jsonResponses('The link made before does not work any more.', object({ path: text })) },
  ),
  '/api/browsers': {
    ...endpoint('get browsers', 'The browsers that are signed in; for whoever runs the server', { responses: LISTED }),
    ...endpoint('post browsers.end', 'Sign a browser out; for whoever runs the server', {
      parameters: [parameter('end', 'query', { required: true, description: 'its id' })],
      responses: LISTED,
    }),
  },
  '/login': {
    ...endpoint('get login.code', 'Sign a browser in by the link that the server printed', {
      ...OPEN,
      parameters: [parameter('code', 'query', CODE)],
      responses: { 303: SIGNED_IN, default: PROBLEM },
    }),
    ...endpoint('post login.token', 'Sign a browser in with a token, from the form of a page of this server', {
      ...OPEN,
      requestBody: { required: true, ...content('application/x-www-form-urlencoded', FORM) },
      responses: { 303: SIGNED_IN, default: PROBLEM },
    }),
  },
  '/login/oidc': endpoint('get login.oidc', 'Lead a browser to the OpenID provider, where one is set', {
    ...OPEN,
    parameters: [parameter('to', 'query', TO)],
    responses: { 303: { description: 'To the provider.', headers: HEADERS }, default: PROBLEM },
  }),
  '/login/oidc/callback': endpoint('get login.oidc.callback', 'Where the provider leads a browser back to', {
    ...OPEN,
    parameters: [parameter('code', 'query', { required: false }), parameter('state', 'query', { required: true })],
    responses: {
      200: {
        description: 'Signed in: a page that goes on by itself, with a cookie for this browser.',
        headers: COOKIE,
        ...content('text/html', text),
      },
      default: PROBLEM,
    },
  }),
  '/logout': endpoint('post logout', 'Sign a browser out', {
    ...OPEN,
    responses: { 303: { description: 'Signed out, by a cookie that is over.', headers: HEADERS } },
  }),
}
